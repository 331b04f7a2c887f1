"""The process that compiles generated modules for another machine: `python -m nought.compile.apart NAME RULES MODULE
ENTRY …` writes PTX to its standard output."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm

from nought.compile.cuda import FEATURES, PROCESSOR, TRIPLE
from nought.compile.text import TargetMachine, portable, unresolved, with_cuda_kernel


def imported(name: str, path: str) -> ModuleType:
    """The generated module in this file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def llvm_text(function: Any) -> str:
    """Numba's text of a function that a GPU calls."""
    from numba import types

    words, room = types.Array(types.uint64, 1, "C"), types.Array(types.float32, 1, "C")
    function.compile((words, room, types.int64))
    return str(function.inspect_llvm(function.signatures[0]))


def emit_ptx(module: ModuleType, entries: Sequence[str]) -> str:
    """One PTX module with an entry for each of these functions."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu=PROCESSOR, features=FEATURES, opt=3)
    wanted = TargetMachine(TRIPLE, str(machine.target_data))
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    whole = None
    for name in entries:
        part = llvm.parse_assembly(with_cuda_kernel(portable(llvm_text(getattr(module, name)), wanted), name))
        builder = llvm.create_pass_builder(machine, options)
        for function in part.functions:  # each entry has its own copies: nothing is shared by name
            if not function.is_declaration and function.name != name:
                function.linkage = "internal"
        builder.getModulePassManager().run(part, builder)
        if whole is None:
            whole = part
        else:
            whole.link_in(part)
    assert whole is not None
    missing = unresolved(function.name for function in whole.functions if function.is_declaration)
    if missing:
        raise SystemExit(f"they need {', '.join(missing)}, which a GPU does not have")
    return str(machine.emit_assembly(whole))


def main(name: str, rules: str, path: str, *entries: str) -> None:
    """Write the PTX of the entries of a generated module; end with a line where there is none."""
    imported(f"{name}_rules", rules)
    try:
        sys.stdout.write(emit_ptx(imported(name, path), entries))
    except Exception as error:  # Numba explains itself on many lines
        first = [line.strip() for line in str(error).splitlines() if line.strip()][:2]
        raise SystemExit(f"{type(error).__name__}: {' '.join(first)}") from None


if __name__ == "__main__":
    from nought.process import end_with_parent

    end_with_parent()
    main(*sys.argv[1:])
