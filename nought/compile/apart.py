"""The process that compiles generated modules for another machine: `python -m nought.compile.apart KIND NAME RULES MODULE
ENTRY …` writes its code to the standard output, PTX or WebAssembly."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm

from nought.compile import cuda, wasm
from nought.compile.link import linked
from nought.compile.text import (
    TargetMachine,
    portable,
    takes_memory,
    unresolved,
    with_cuda_kernel,
    with_memory,
    with_wasm_entry,
)


def imported(name: str, path: str) -> ModuleType:
    """The generated module in this file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def llvm_text(function: Any) -> str:
    """Numba's text of a function that another machine calls."""
    from numba import types

    words, room = types.Array(types.uint64, 1, "C"), types.Array(types.float32, 1, "C")
    function.compile((words, room, types.int64))
    return str(function.inspect_llvm(function.signatures[0]))


def emit_ptx(module: ModuleType, entries: Sequence[str]) -> bytes:
    """One PTX module with an entry for each of these functions."""
    machine = _machine(cuda.TRIPLE, cpu=cuda.PROCESSOR, features=cuda.FEATURES)
    texts = _texts(module, entries, machine, cuda.TRIPLE, with_cuda_kernel)
    parts = [llvm.parse_assembly(text) for text in texts]
    for name, part in zip(entries, parts, strict=True):  # each has its own copies: nothing is shared by name
        _optimise(part, machine, {name})
    whole = _joined(parts)
    _check_whole(whole, "a GPU")
    return str(machine.emit_assembly(whole)).encode()


def emit_wasm(module: ModuleType, entries: Sequence[str]) -> bytes:
    """One module of WebAssembly with an entry for each of these functions; what they share stands there once."""
    machine = _machine(wasm.TRIPLE, features=wasm.FEATURES, reloc="static")
    texts = _texts(module, entries, machine, wasm.TRIPLE, with_wasm_entry)
    if any(map(takes_memory, texts)):  # then all count who holds it
        texts = list(map(with_memory, texts))
    whole = _joined([llvm.parse_assembly(text) for text in texts])
    _optimise(whole, machine, set(entries))
    _check_whole(whole, "a browser")
    return linked(machine.emit_object(whole), entries)


EMITTERS: dict[str, Callable[[ModuleType, Sequence[str]], bytes]] = {"ptx": emit_ptx, "wasm": emit_wasm}


def _machine(triple: str, **options: str) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(triple).create_target_machine(opt=3, **options)


def _texts(
    module: ModuleType,
    entries: Sequence[str],
    machine: Any,
    triple: str,
    with_entry: Callable[[str, str], str],
) -> list[str]:
    """LLVM's text of each function, for this machine."""
    wanted = TargetMachine(triple, str(machine.target_data))
    return [with_entry(portable(llvm_text(getattr(module, name)), wanted), name) for name in entries]


def _optimise(module: Any, machine: Any, entries: set[str]) -> None:
    """Optimise a module of which only these functions are seen from outside."""
    for function in module.functions:
        if not function.is_declaration and function.name not in entries:
            function.linkage = "internal"
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)


def _joined(parts: Sequence[Any]) -> Any:
    whole = parts[0]
    for part in parts[1:]:
        whole.link_in(part)
    return whole


def _check_whole(module: Any, machine: str) -> None:
    """End where a function is missing that no instruction of the machine stands for."""
    missing = unresolved(function.name for function in module.functions if function.is_declaration)
    if missing:
        raise SystemExit(f"they need {', '.join(missing)}, which {machine} does not have")


def main(kind: str, name: str, rules: str, path: str, *entries: str) -> None:
    """Write the code of the entries of a generated module; end with a line where there is none."""
    imported(f"{name}_rules", rules)
    try:
        sys.stdout.buffer.write(EMITTERS[kind](imported(name, path), entries))
    except Exception as error:  # Numba explains itself on many lines
        first = [line.strip() for line in str(error).splitlines() if line.strip()][:2]
        raise SystemExit(f"{type(error).__name__}: {' '.join(first)}") from None


if __name__ == "__main__":
    from nought.process import end_with_parent

    end_with_parent()
    main(*sys.argv[1:])
