"""What the processor says of itself, and what torch must not believe of it.

Some virtual machines pass on the flag of AMX, the processor's matrix unit, without the tables that describe its tiles.
oneDNN, which does torch's convolutions, then loads an empty description, and the first multiplication in bfloat16 kills
the process by an illegal instruction. The way out is the environment variable ONEDNN_MAX_CPU_ISA, set before oneDNN's
first operation.
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

MADE_UP = "NOUGHT_CPUID"  # made-up answers instead of the processor's, for tests: see `made_up`
LIMIT = "ONEDNN_MAX_CPU_ISA"
BELOW_AMX = "AVX512_CORE_FP16"
X86 = ("x86_64", "amd64", "i386", "i686")


class Registers(NamedTuple):
    """The answer of the instruction CPUID."""

    eax: int = 0
    ebx: int = 0
    ecx: int = 0
    edx: int = 0


Cpuid = Callable[[int], Registers]  # the answer to a question, called a leaf

LEAVES = 0x00  #    eax: the highest leaf that is answered
MODEL = 0x01  #     eax: which processor it is
FEATURES = 0x07  #  edx, bit 24: there are tiles; ecx, bit 11: VNNI, sums of products of 8 bits
TILES = 0x1D  #     eax: the highest palette, a description of tiles
TILE_FLAG = 1 << 24
VNNI_FLAG = 1 << 11


def limit_onednn() -> None:
    """Keep oneDNN from AMX where the processor has only half of it. What the user has set stays."""
    if LIMIT in os.environ:
        return
    ask = processor()
    if ask is not None and has_half_an_amx(ask):
        os.environ[LIMIT] = BELOW_AMX


def has_half_an_amx(ask: Cpuid) -> bool:
    """Whether the processor claims tiles, but knows no palette to set them up with."""
    claimed = bool(_answer(ask, FEATURES).edx & TILE_FLAG)
    return claimed and _answer(ask, TILES).eax == 0


def has_vnni() -> bool:
    """Whether the processor adds products of integers of 8 bits exactly; all but an older x86 do."""
    ask = processor()
    return ask is None or bool(_answer(ask, FEATURES).ecx & VNNI_FLAG)


def _answer(ask: Cpuid, leaf: int) -> Registers:
    """What CPUID answers to a leaf; nothing beyond the highest one, where a processor answers anything."""
    return ask(leaf) if leaf <= ask(LEAVES).eax else Registers()


def processor() -> Cpuid | None:
    """How to ask this machine's processor; None where it has no CPUID."""
    if MADE_UP in os.environ:
        return made_up(os.environ[MADE_UP])
    if platform.machine().lower() not in X86:
        return None
    with suppress(Exception):  # a system that forbids to make code: then there is nothing to be known
        return _asm()
    return None


def made_up(text: str) -> Cpuid | None:
    """Read made-up answers of CPUID like `0:1c 7:0,0,0,1000000`: leaf, eax, ebx, ecx, edx in hexadecimal.

    Empty: not an x86 at all.
    """
    answers = {}
    for part in text.split():
        leaf, _, numbers = part.partition(":")
        answers[int(leaf, 16)] = Registers(*(int(number, 16) for number in numbers.split(",")))
    return (lambda leaf: answers.get(leaf, Registers())) if answers else None


ONE_REGISTER = """
define i32 @register_{n}(i32 %leaf) {{
  %all = call {{i32, i32, i32, i32}} asm sideeffect "cpuid",
    "={{ax}},={{bx}},={{cx}},={{dx}},0,2,~{{dirflag}},~{{fpsr}},~{{flags}}" (i32 %leaf, i32 0)
  %one = extractvalue {{i32, i32, i32, i32}} %all, {n}
  ret i32 %one
}}
"""


@cache
def _asm() -> Cpuid:
    """CPUID as a function, made by the compiler that comes with Numba."""
    from nought.compile.native import loaded

    engine = loaded(
        "".join(ONE_REGISTER.format(n=n) for n in range(len(Registers._fields))), everything=False
    )
    kind = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32)
    functions = [kind(engine.get_function_address(f"register_{n}")) for n in range(len(Registers._fields))]

    def ask(leaf: int, _engine: Any = engine) -> Registers:  # the engine owns the code: it must stay
        return Registers(*(function(leaf) for function in functions))

    return ask
