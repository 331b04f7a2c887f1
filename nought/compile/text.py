"""Everything that is done to the LLVM text of compiled functions so that another machine than a CPU runs them.

Numba writes text for a CPU and for being called from Python. The functions themselves are plain arithmetic on memory, so
that little stands in the way: each step below takes one such thing out, and says why it is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class TargetMachine:
    """What LLVM calls a machine, and how data lies in its memory."""

    triple: str
    data_layout: str


def retargeted(text: str, machine: TargetMachine) -> str:
    """The text names the machine it is for, and how data lies in memory there."""
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{machine.data_layout}"', text)
    return re.sub(r'target triple = ".*"', f'target triple = "{machine.triple}"', text)


def without_reference_counts(text: str) -> str:
    """Numba counts references to arrays. Here nobody owns memory but the caller: the counting functions, which would
    call Python's allocator, become empty."""
    return re.sub(
        r"(define [^\n]*@NRT_(?:de|in)cref\([^\n]*\{\n).*?(\n\}\n)", r"\1  ret void\2", text, flags=re.S
    )


def without_prefetches(text: str) -> str:
    """Fetching ahead is for a CPU's caches; a GPU has no such instruction in LLVM."""
    text = re.sub(r"^.*call void @llvm\.prefetch.*\n", "", text, flags=re.M)
    return re.sub(r"^declare .*@llvm\.prefetch.*\n", "", text, flags=re.M)


def without_python(text: str) -> str:
    """The ways in from Python and from C, and what they alone call."""
    text = re.sub(r"\ndefine [^\n]*@(?:_ZN7cpython|cfunc)[^\n]*\{\n.*?\n\}\n", "\n", text, flags=re.S)
    return re.sub(r"^declare .*@(?:Py|numba_unpickle|numba_gil|numba_recreate).*\n", "", text, flags=re.M)


def with_own_globals(text: str) -> str:
    """`common` variables are merged by a linker; there is none."""
    return text.replace("= common ", "= internal ")


def with_square_roots(text: str) -> str:
    """A square root is an instruction everywhere (rounded correctly, so the same everywhere), not a library's function."""
    for name, kind, suffix in (("sqrtf", "float", "f32"), ("sqrt", "double", "f64")):
        text = re.sub(rf"^declare .*@{name}\(.*\n", "", text, flags=re.M)
        called = rf"call ([^\n]*?){kind} @{name}\("
        if re.search(called, text):
            text = re.sub(called, rf"call \1{kind} @llvm.sqrt.{suffix}(", text)
            declared = f"declare {kind} @llvm.sqrt.{suffix}({kind})\n"
            if not re.search(rf"^declare .*@llvm\.sqrt\.{suffix}\(", text, flags=re.M):
                text += "\n" + declared
    return text


def without_processor(text: str) -> str:
    """Attributes that name the processor for which the text was first written mean nothing to another."""
    return re.sub(r' ?"(?:target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)


STEPS: tuple[Callable[[str], str], ...] = (
    without_reference_counts,
    without_prefetches,
    without_python,
    with_own_globals,
    with_square_roots,
    without_processor,
)


def portable(text: str, machine: TargetMachine) -> str:
    """The text of a compiled function, for this machine."""
    text = retargeted(text, machine)
    for step in STEPS:
        text = step(text)
    return text


# Memory for arrays that rules make and drop again (np.zeros): a stack of blocks. One that is dropped is free as soon as all
# above it are. A block begins with what Numba calls its MemInfo: how many hold it (8 bytes), here the block below (8), and at
# 24 where its data begin. No block where there is no room: then Numba raises.
BLOCKS = """
@nought_blocks = linkonce_odr global [{size} x i8] zeroinitializer, align 32
@nought_end = linkonce_odr global i64 0
@nought_top = linkonce_odr global ptr null

define linkonce_odr ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {{
entry:
  %place = load i64, ptr @nought_end
  %rounded = add i64 %size, 63
  %whole = and i64 %rounded, -32
  %end = add i64 %place, %whole
  %large = icmp ugt i64 %size, {size}
  %over = icmp ugt i64 %end, {size}
  %full = or i1 %large, %over
  br i1 %full, label %none, label %take
none:
  ret ptr null
take:
  %block = getelementptr i8, ptr @nought_blocks, i64 %place
  %below = load ptr, ptr @nought_top
  %below_at = getelementptr i8, ptr %block, i64 8
  %data_at = getelementptr i8, ptr %block, i64 24
  %data = getelementptr i8, ptr %block, i64 32
  store i64 1, ptr %block
  store ptr %below, ptr %below_at
  store ptr %data, ptr %data_at
  store ptr %block, ptr @nought_top
  store i64 %end, ptr @nought_end
  ret ptr %block
}}

define linkonce_odr void @NRT_incref(ptr %block) {{
entry:
  %nobody = icmp eq ptr %block, null
  br i1 %nobody, label %end, label %count
count:
  %before = load i64, ptr %block
  %after = add i64 %before, 1
  store i64 %after, ptr %block
  br label %end
end:
  ret void
}}

define linkonce_odr void @NRT_decref(ptr %block) {{
entry:
  %nobody = icmp eq ptr %block, null
  br i1 %nobody, label %end, label %count
count:
  %before = load i64, ptr %block
  %after = sub i64 %before, 1
  store i64 %after, ptr %block
  br label %look
look:
  %top = load ptr, ptr @nought_top
  %bottom = icmp eq ptr %top, null
  br i1 %bottom, label %end, label %held
held:
  %holders = load i64, ptr %top
  %free = icmp eq i64 %holders, 0
  br i1 %free, label %drop, label %end
drop:
  %below_at = getelementptr i8, ptr %top, i64 8
  %below = load ptr, ptr %below_at
  store ptr %below, ptr @nought_top
  %address = ptrtoint ptr %top to i64
  %start = ptrtoint ptr @nought_blocks to i64
  %place = sub i64 %address, %start
  store i64 %place, ptr @nought_end
  br label %look
end:
  ret void
}}
"""
BLOCKS_SIZE = 1 << 20  # bytes


def takes_memory(text: str) -> bool:
    """Whether a function makes arrays of its own."""
    return "@NRT_MemInfo_alloc_aligned(" in text


def with_memory(text: str) -> str:
    """The functions by which arrays come and go, in place of those that would call Python's allocator."""
    counting = r"^define [^\n]*@NRT_(?:de|in)cref\([^\n]*\{\n.*?^\}\n"
    text = re.sub(counting, "", text, flags=re.S | re.M)
    for name in ("alloc_aligned", "call_dtor"):
        text = re.sub(rf"^declare .*@NRT_MemInfo_{name}\(.*\n", "", text, flags=re.M)
    return text + BLOCKS.format(size=BLOCKS_SIZE)


# One thread for each part: `memory` is cut into parts of so many words, `room` into parts of so many floats. Numba hands
# on an array as: its owner, its parent, how many items, the size of one, the data, the length, the stride. A function that
# raised returns another status than 0; that is noted in the part's memory, where the host looks.
CUDA_KERNEL = """
define ptx_kernel void @{name}(ptr %memory, i64 %words, ptr %room, i64 %floats, i64 %parts, i64 %note) {{
entry:
  %returned = alloca ptr
  %raised = alloca ptr
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul i32 %block, %threads
  %number = add i32 %before, %thread
  %me = zext i32 %number to i64
  %mine = icmp ult i64 %me, %parts
  br i1 %mine, label %work, label %end
work:
  %place = mul i64 %me, %words
  %own = getelementptr i64, ptr %memory, i64 %place
  %seat = mul i64 %me, %floats
  %out = getelementptr float, ptr %room, i64 %seat
  %status = call i32 @{function}(ptr %returned, ptr %raised, ptr null, ptr null, i64 %words, i64 8, ptr %own, i64 %words, i64 8, ptr null, ptr null, i64 %floats, i64 4, ptr %out, i64 %floats, i64 4, i64 %me)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %end, label %bad
bad:
  %noted = getelementptr i32, ptr %own, i64 %note
  store i32 {raised}, ptr %noted
  br label %end
end:
  ret void
}}
"""
CUDA_NUMBERS = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
"""
RAISED = 3  # what is noted where a function raised


def with_cuda_kernel(text: str, name: str) -> str:
    """The one function that was compiled, behind a kernel that calls it in each thread with that thread's part of memory.
    All else is internal, so that it is inlined or dropped."""
    text, function = _hidden(text, name)
    return text + CUDA_NUMBERS + CUDA_KERNEL.format(name=name, function=function, raised=RAISED)


# The host hands over where its two arrays begin and how long they are, and a number. The function answers another number;
# one that raised is the end of the program, which the host sees as an error.
WASM_ENTRY = """
define i32 @{name}(ptr %memory, i32 %words, ptr %room, i32 %floats, i32 %number) {{
entry:
  %returned = alloca i64
  %raised = alloca ptr
  %long_words = zext i32 %words to i64
  %long_floats = zext i32 %floats to i64
  %long_number = sext i32 %number to i64
  %status = call i32 @{function}(ptr %returned, ptr %raised, ptr null, ptr null, i64 %long_words, i64 8, ptr %memory, i64 %long_words, i64 8, ptr null, ptr null, i64 %long_floats, i64 4, ptr %room, i64 %long_floats, i64 4, i64 %long_number)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %end, label %bad
bad:
  call void @llvm.trap()
  unreachable
end:
  %answer = load i64, ptr %returned
  %short = trunc i64 %answer to i32
  ret i32 %short
}}
"""
WASM_TRAP = "\ndeclare void @llvm.trap()\n"


def with_wasm_entry(text: str, name: str) -> str:
    """The one function that was compiled, behind one that takes numbers of 32 bits, as a browser has them."""
    text, function = _hidden(text, name)
    trap = "" if re.search(r"^declare .*@llvm\.trap\(", text, flags=re.M) else WASM_TRAP
    return text + trap + WASM_ENTRY.format(name=name, function=function)


def _hidden(text: str, name: str) -> tuple[str, str]:
    """The text with the function of this name for itself alone, and what LLVM calls it."""
    found = re.search(rf"^define [^\n]*?i32 @((?:_ZN)\S*?{len(name)}{name}B\S*?)\(", text, flags=re.M)
    assert found is not None, f"there is no function {name} in its text"
    function = found[1]
    text = re.sub(
        rf"^define [^\n]*?i32 @{re.escape(function)}\(", f"define internal i32 @{function}(", text, flags=re.M
    )
    return text, function


def unresolved(declared: Iterable[str]) -> list[str]:
    """Of the functions that a module only declares, those that no instruction stands for."""
    known = re.compile(r"llvm\.(?!log|exp|pow|cos|sin|tan)")
    return sorted(name for name in declared if not known.match(name))
