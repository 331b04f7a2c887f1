"""Each step that is done to LLVM text: what it takes out, and that the rest stays."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from nought.compile import text
from nought.compile.text import TargetMachine

KEPT = "define i32 @_ZN4kept(ptr %x) {\n  ret i32 0\n}\n"


def test_the_machine_is_named() -> None:
    given = 'target datalayout = "e-m:e"\ntarget triple = "x86_64-unknown-linux-gnu"\n' + KEPT
    changed = text.retargeted(given, TargetMachine("nvptx64-nvidia-cuda", "e-i64:64"))
    assert changed == 'target datalayout = "e-i64:64"\ntarget triple = "nvptx64-nvidia-cuda"\n' + KEPT


@pytest.mark.parametrize("name", ["NRT_incref", "NRT_decref"])
def test_counting_references_does_nothing(name: str) -> None:
    counting = f"define linkonce_odr void @{name}(ptr %m) noinline {{\nentry:\n  call void @NRT_free(ptr %m)\n  ret void\n}}\n"
    changed = text.without_reference_counts(KEPT + counting + KEPT)
    assert changed == KEPT + f"define linkonce_odr void @{name}(ptr %m) noinline {{\n  ret void\n}}\n" + KEPT


def test_nothing_is_fetched_ahead() -> None:
    fetching = "  call void @llvm.prefetch.p0(ptr %x, i32 0, i32 3, i32 1)\n"
    declared = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32) #1\n"
    assert text.without_prefetches(f"a\n{fetching}b\n{declared}") == "a\nb\n"


def test_there_is_no_way_in_from_python() -> None:
    wrapper = "\ndefine ptr @_ZN7cpython4kept(ptr %self) {\n  call void @PyErr_Clear()\n  ret ptr null\n}\n"
    declared = (
        "declare void @PyErr_Clear()\ndeclare ptr @numba_unpickle(ptr)\ndeclare ptr @NRT_Allocate(i64)\n"
    )
    changed = text.without_python(KEPT + wrapper + declared)
    assert "cpython" not in changed
    assert "PyErr" not in changed
    assert KEPT in changed
    assert "NRT_Allocate" in changed  # which is needed, and missed: unresolved() says so


def test_globals_need_no_linker() -> None:
    assert text.with_own_globals("@env = common global ptr null") == "@env = internal global ptr null"


@pytest.mark.parametrize(("name", "kind", "suffix"), [("sqrt", "double", "f64"), ("sqrtf", "float", "f32")])
def test_a_square_root_is_an_instruction(name: str, kind: str, suffix: str) -> None:
    given = (
        f"declare {kind} @{name}({kind})\n"
        f"define {kind} @f({kind} %x) {{\n  %y = call {kind} @{name}({kind} %x)\n  ret {kind} %y\n}}\n"
    )
    changed = text.with_square_roots(given)
    module = llvm.parse_assembly(changed)
    assert [f.name for f in module.functions if f.is_declaration] == [f"llvm.sqrt.{suffix}"]
    assert text.with_square_roots(KEPT) == KEPT


def test_the_processor_is_not_named() -> None:
    given = (
        'attributes #0 = { nounwind "target-cpu"="generic" "target-features"="+sse" "frame-pointer"="all" }'
    )
    assert text.without_processor(given) == 'attributes #0 = { nounwind "frame-pointer"="all" }'


def test_a_kernel_calls_the_function_in_each_thread() -> None:
    function = "_ZN8__main__6searchB2v1B3abcE5ArrayIyLi1E"
    given = (
        f"define linkonce_odr i32 @{function}(ptr %r, ptr %e, ptr %a0, ptr %a1, i64 %a2, i64 %a3, ptr %a4, i64 %a5, i64 %a6, "
        "ptr %b0, ptr %b1, i64 %b2, i64 %b3, ptr %b4, i64 %b5, i64 %b6, i64 %me) {\n  ret i32 0\n}\n"
    )
    changed = text.with_cuda_kernel(given, "search")
    module = llvm.parse_assembly(changed)
    module.verify()
    assert module.get_function(function).linkage == llvm.Linkage.internal
    assert not module.get_function("search").is_declaration
    with pytest.raises(AssertionError, match="no function other"):
        text.with_cuda_kernel(given, "other")


def test_what_a_gpu_does_not_have_is_named() -> None:
    declared = [
        "llvm.sqrt.f64",
        "llvm.nvvm.read.ptx.sreg.tid.x",
        "llvm.log.f64",
        "NRT_Allocate",
        "llvm.memset.p0.i64",
    ]
    assert text.unresolved(declared) == ["NRT_Allocate", "llvm.log.f64"]


def test_an_entry_takes_numbers_of_32_bits_and_ends_where_a_rule_raises() -> None:
    function = "_ZN8__main__4lookB2v1B3abcE5ArrayIyLi1E"
    given = (
        f"define linkonce_odr i32 @{function}(ptr %r, ptr %e, ptr %a0, ptr %a1, i64 %a2, i64 %a3, ptr %a4, i64 %a5, i64 %a6, "
        "ptr %b0, ptr %b1, i64 %b2, i64 %b3, ptr %b4, i64 %b5, i64 %b6, i64 %n) {\n  ret i32 0\n}\n"
    )
    module = llvm.parse_assembly(text.with_wasm_entry(given, "look"))
    module.verify()
    assert module.get_function(function).linkage == llvm.Linkage.internal
    assert "ptr %memory, i32 %words, ptr %room, i32 %floats, i32 %number" in str(module.get_function("look"))
    assert "@llvm.trap" in str(module.get_function("look"))
