"""An object file of LLVM's becomes a module that runs by itself, or it is said what it lacks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from nought.compile.link import NotLinked, linked
from nought.compile.text import takes_memory, with_memory
from nought.compile.wasm import FEATURES, TRIPLE
from tests.support.skips import NODE

TABLE = """
@table = internal constant [4 x i32] [i32 3, i32 5, i32 7, i32 11]
@seen = internal global i32 100
"""
# `looked` adds what stands in data, and counts there how often it was called; `deep` needs a stack.
FUNCTIONS = """
define i32 @looked(i32 %i) {
  %before = load i32, ptr @seen
  %after = add i32 %before, 1
  store i32 %after, ptr @seen
  %place = getelementptr [4 x i32], ptr @table, i32 0, i32 %i
  %value = load i32, ptr %place
  %sum = add i32 %after, %value
  ret i32 %sum
}
define i32 @deep(i32 %i) {
  %room = alloca [64 x i32]
  %place = getelementptr [64 x i32], ptr %room, i32 0, i32 %i
  store volatile i32 %i, ptr %place
  %value = load volatile i32, ptr %place
  ret i32 %value
}
"""
POINTER = """
define i32 @one() {
  ret i32 1
}
define ptr @pointer() {
  ret ptr @one
}
"""
# Blocks come and go in any order; `used` says where the next one would begin.
MEMORY = """
declare noalias ptr @NRT_MemInfo_alloc_aligned(i64, i32)
define linkonce_odr void @NRT_incref(ptr %m) {
  ret void
}
define linkonce_odr void @NRT_decref(ptr %m) {
  ret void
}
define ptr @take(i32 %size) {
  %long = zext i32 %size to i64
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %long, i32 32)
  ret ptr %block
}
define void @hold(ptr %block) {
  call void @NRT_incref(ptr %block)
  ret void
}
define void @drop(ptr %block) {
  call void @NRT_decref(ptr %block)
  ret void
}
define i32 @used() {
  %end = load i64, ptr @nought_end
  %short = trunc i64 %end to i32
  ret i32 %short
}
"""
MEMORY_SCRIPT = """
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync(process.argv[1])));
const { take, hold, drop, used, memory } = exports;
const [a, b, c] = [take(10), take(100), take(1)];
console.log(new Uint32Array(memory.buffer, a + 24, 1)[0] - a, a % 32, b - a, c - b, used());
hold(c); drop(b); drop(c); console.log(used()); // b is free, but c above it is held
drop(c); console.log(used() === b - a, take(1) === b, take(1 << 20), take(-1));
"""
SCRIPT = """
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync(process.argv[1])));
const { looked, deep, memory, free } = exports;
console.log(Object.keys(exports).join(" "), looked(0), looked(3), deep(5), free.value % 16, memory.buffer.byteLength > free.value);
"""


def made(text: str) -> bytes:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=2, features=FEATURES, reloc="static")
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{text}')
    return bytes(machine.emit_object(module))


@pytest.mark.skipif(shutil.which("node") is None, reason=NODE)
def test_functions_data_and_stack_are_where_they_belong(tmp_path: Path) -> None:
    (tmp_path / "module").write_bytes(linked(made(TABLE + FUNCTIONS), ["looked", "deep"]))
    run = subprocess.run(
        ["node", "-e", SCRIPT, str(tmp_path / "module")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert run.stdout.split() == ["looked", "deep", "memory", "free", "104", "113", "5", "0", "true"]


@pytest.mark.skipif(shutil.which("node") is None, reason=NODE)
def test_memory_that_rules_take_comes_and_goes(tmp_path: Path) -> None:
    assert takes_memory(MEMORY) and not takes_memory(FUNCTIONS)
    (tmp_path / "module").write_bytes(linked(made(with_memory(MEMORY)), ["take", "hold", "drop", "used"]))
    assert (tmp_path / "module").stat().st_size < 2000  # a megabyte of zeros is not written down
    run = subprocess.run(
        ["node", "-e", MEMORY_SCRIPT, str(tmp_path / "module")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert run.stdout.splitlines() == ["32 0 64 160 288", "288", "true true 0 0"]


def test_only_what_is_asked_for_is_seen() -> None:
    assert b"\x04deep" not in linked(made(TABLE + FUNCTIONS), ["looked"])


def test_a_function_of_a_library_is_missed() -> None:
    calling = "declare double @log(double)\ndefine double @f(double %x) {\n  %y = call double @log(double %x)\n  ret double %y\n}\n"
    with pytest.raises(NotLinked, match="they need log, which a browser does not have"):
        linked(made(calling), ["f"])


def test_pointers_to_functions_are_refused() -> None:
    with pytest.raises(NotLinked, match="pointers to functions"):
        linked(made(POINTER), ["pointer"])


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(NotLinked, match="no object"):
        linked(b"\x7fELF1234", [])
