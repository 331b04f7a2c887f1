"""A module of WebAssembly from the object file that LLVM makes: what a linker would do, where there is one object only.

An object is nearly a module. Its functions, types and data have their numbers and places already, as if nothing else were
in memory, and with one object nothing else is: no relocation has to be applied. What is left is to say what the object
expects from a linker (the memory, its stack) and which of its functions are seen from outside.

How sections are written: webassembly.github.io/spec/core/binary; the symbol table of objects:
github.com/WebAssembly/tool-conventions, Linking.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

HEAD = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, ELEMENT, CODE, DATA = (
    0, 1, 2, 3, 5, 6, 7, 9, 10, 11,
)  # fmt: skip
A_FUNCTION, A_TABLE, A_MEMORY, A_GLOBAL = range(4)  # kinds of imports and exports
I32, FIXED, VARIABLE, I32_CONST, END = b"\x7f", b"\0", b"\1", b"\x41", b"\x0b"
SYMBOL_TABLE = 8
SYMBOL_FUNCTION, SYMBOL_DATA, SYMBOL_SECTION = 0, 1, 3
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40

STACK = 1 << 18  # bytes: kernels keep little there
PAGE = 1 << 16  #   bytes: memory comes in pages


class NotLinked(ValueError):
    """An object that needs more than this linker does."""


def linked(content: bytes, entries: Sequence[str]) -> bytes:
    """The object as a module that exports these functions, its memory, and as `free` the first place in memory that is
    neither data nor stack."""
    sections = dict(_sections(content))
    _check_imports(sections.get(IMPORT, b"\0"))
    if ELEMENT in sections:
        raise NotLinked("pointers to functions are not linked")
    functions = _function_numbers(_custom(content, b"linking"))
    segments = _segments(sections.get(DATA, b"\0"))
    end = max((place + len(data) for place, data in segments), default=0)
    free = -(-end // 16) * 16 + STACK
    filled = [
        FIXED + _constant(place) + _number(len(data)) + data for place, data in segments if any(data)
    ]  # of zeros memory is full already
    stack, top = (
        I32 + VARIABLE + _constant(free),
        I32 + FIXED + _constant(free),
    )  # it grows down, towards the data
    exports = [(name, A_FUNCTION, functions[name]) for name in entries]
    exports += [("memory", A_MEMORY, 0), ("free", A_GLOBAL, 1)]
    return HEAD + b"".join(
        [
            _section(TYPE, sections[TYPE]),
            _section(FUNCTION, sections[FUNCTION]),
            _section(MEMORY, _vector([b"\0" + _number(free // PAGE + 1)])),
            _section(
                GLOBAL, _vector([stack, top])
            ),  # the stack pointer is the first, as it was when imported
            _section(
                EXPORT, _vector([_name(name) + bytes([kind]) + _number(i) for name, kind, i in exports])
            ),
            _section(CODE, sections[CODE]),
            _section(DATA, _vector(filled)),
        ]
    )


# ---- reading ------------------------------------------------------------------------------------------------
class _Reader:
    """Reads what stands in a section, from its beginning on."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def __bool__(self) -> bool:
        return self.at < len(self.content)

    def byte(self) -> int:
        return self.take(1)[0]

    def take(self, count: int) -> bytes:
        self.at += count
        return self.content[self.at - count : self.at]

    def number(self) -> int:
        """A whole number of any size, seven bits a byte."""
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def block(self) -> bytes:
        """Bytes that begin with how many there are: a name, a section."""
        return self.take(self.number())


def _sections(content: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(content)
    if reader.take(len(HEAD)) != HEAD:
        raise NotLinked("this is no object of WebAssembly")
    while reader:
        kind = reader.byte()
        yield kind, reader.block()


def _custom(content: bytes, name: bytes) -> bytes:
    """The custom section of this name, without it."""
    for kind, body in _sections(content):
        reader = _Reader(body)
        if kind == CUSTOM and reader.block() == name:
            return body[reader.at :]
    raise NotLinked(f"the object has no section {name.decode()}")


def _check_imports(body: bytes) -> None:
    """What a linker gives an object is its memory, its stack and a table of functions. All else it would have to find."""
    reader = _Reader(body)
    missing, others = [], 0
    for _ in range(reader.number()):
        reader.block()
        name, kind = reader.block().decode(), reader.byte()
        if kind == A_FUNCTION:
            reader.number()
            missing.append(name)
        elif kind == A_GLOBAL:
            reader.take(2)
            others += name != "__stack_pointer"
        else:  # limits of a memory or, after its kind, a table
            reader.take(kind == A_TABLE)
            for _ in range(1 + (reader.byte() & 1)):
                reader.number()
    if missing or others:
        raise NotLinked(f"they need {', '.join(missing) or 'globals'}, which a browser does not have")


def _function_numbers(linking: bytes) -> dict[str, int]:
    """The functions that an object defines, by name."""
    reader = _Reader(linking)
    found: dict[str, int] = {}
    reader.number()  # the version
    while reader:
        kind, body = reader.byte(), _Reader(reader.block())
        if kind == SYMBOL_TABLE:
            for _ in range(body.number()):
                _read_symbol(body, found)
    return found


def _read_symbol(reader: _Reader, functions: dict[str, int]) -> None:
    kind, flags = reader.byte(), reader.number()
    if kind == SYMBOL_SECTION:
        reader.number()
    elif kind == SYMBOL_DATA:
        reader.block()
        if not flags & UNDEFINED:  # segment, place and size
            _ = [reader.number() for _ in range(3)]
    else:
        number = reader.number()
        if not flags & UNDEFINED or flags & EXPLICIT_NAME:
            name = reader.block().decode()
            if kind == SYMBOL_FUNCTION and not flags & UNDEFINED:
                functions[name] = number


def _segments(body: bytes) -> list[tuple[int, bytes]]:
    """The data of an object: where in memory, and what."""
    reader, found = _Reader(body), []
    for _ in range(reader.number()):
        if reader.byte() != 0 or reader.take(1) != I32_CONST:
            raise NotLinked("data without a place of its own is not linked")
        place = reader.number()  # written with a sign, which no place has
        if reader.take(1) != END:
            raise NotLinked("the place of data is no plain number")
        found.append((place, reader.block()))
    return found


# ---- writing ------------------------------------------------------------------------------------------------
def _number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _constant(value: int) -> bytes:
    """An expression that is this number. It has a sign: the last byte's bit 6 must be clear."""
    written = _number(value)
    if written[-1] & 64:
        written = written[:-1] + bytes([written[-1] | 128, 0])
    return I32_CONST + written + END


def _name(text: str) -> bytes:
    return _number(len(text.encode())) + text.encode()


def _vector(items: Sequence[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)


def _section(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + _number(len(body)) + body
