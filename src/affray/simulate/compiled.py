"""Machine code of the kernel, kept on disk, or the plain one without numba. Imported only for jobs that are worth it.

Numba compiles once; the object code is kept and later loaded by llvmlite alone, since numba itself takes longer to get ready than
ten thousand fights take. The code is called by numba's own convention: where the result goes, where an exception goes (none
is ever raised), then whole numbers as they are and the address of each array.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import inspect
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from affray.simulate import kernel, layout, lots

PARTS = (
    lots.mix,
    lots.sow,
    lots.draw,
    lots.draw_chain,
    lots.place,
    lots.look_up,
    kernel.standing,
    kernel.count,
    kernel.noticed,
    kernel.enter,
    kernel.missed,
    kernel.step,
    kernel.receive,
    kernel.choose,
    kernel.whose,
    kernel.arrange,
    kernel.turn,
    kernel.let_go,
    kernel.same_moment,
    kernel.opening,
    kernel.line_up,
    kernel.fight,
)
"""Everything that `kernel.fights` calls, each before its callers."""
OPTIONS: dict[str, Any] = {"_nrt": False, "forceinline": True}
"""Without counting references and in one piece: many times faster. Private options of numba; its version is pinned."""
WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
ARGUMENTS = tuple(inspect.signature(kernel.fights).parameters)
NUMBERS = ("lo", "hi", "seed", "max_rounds", "rerolls", "together", "midway")
"""Those that are whole numbers; the others are arrays of them."""
INT64 = np.dtype(np.int64).num

_alive: list[Any] = []
"""What holds the code in memory."""
_ready: list[Callable[..., Any]] = []
"""The code that this process has loaded, once it has."""


def fights() -> Callable[..., Any]:
    """The compiled `kernel.fights`, or the plain one. Compiles it here, if that was never done on this machine."""
    if (found := kept()) is not None:
        return found
    if importlib.util.find_spec("llvmlite") is None or importlib.util.find_spec("numba") is None:
        return kernel.fights
    code, address = _compiled()
    _keep(code, _name())
    return _called(address)


def ready() -> Callable[..., Any] | None:
    """The compiled `kernel.fights`, if this process has loaded it."""
    return _ready[0] if _ready else None


def kept() -> Callable[..., Any] | None:
    """The compiled `kernel.fights` as it was kept, loaded the first time; None where it was not kept."""
    if _ready:
        return _ready[0]
    try:
        from llvmlite import binding  # type: ignore[import-untyped]
    except ImportError:
        return None
    for place in _places():
        if (code := _read(place / _name())) and (address := _loaded(code, binding)):
            return _called(address)
    return None


def made_apart(stopped: Callable[[], bool] = lambda: False) -> bool:
    """Have the code made and kept by a process of its own: here all other threads would wait for seconds. `stopped` is asked
    meanwhile whether to give up. True when there is no more to be done, also where there is no numba."""
    if importlib.util.find_spec("numba") is None or kept() is not None:
        return True
    command = [sys.executable, "-c", "from affray.simulate.compiled import fights; fights()"]
    with (
        contextlib.suppress(OSError),
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as made,
    ):
        with contextlib.suppress(OSError, AttributeError):  # others go first, where there is such a thing
            os.setpriority(os.PRIO_PROCESS, made.pid, 15)
        while made.poll() is None:
            if stopped():
                made.kill()
            time.sleep(0.1)
        return made.wait() == 0
    return False


def _called(address: int) -> Callable[..., Any]:
    """The code at an address as a function of numbers and numpy arrays."""
    words = [ctypes.c_int64 if argument in NUMBERS else ctypes.c_void_p for argument in ARGUMENTS]
    code = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *words)(address)
    first = len(NUMBERS)

    def call(*given: Any) -> int:
        result, raised = ctypes.c_int64(), ctypes.c_void_p()
        arrays = [_place_of(array) for array in given[first:]]
        if code(ctypes.byref(result), ctypes.byref(raised), *given[:first], *arrays):
            raise RuntimeError("the compiled kernel failed")
        return result.value

    _ready[:] = [call]
    return call


def _place_of(array: Any) -> int:
    """Where an array stands; the code reads whatever is there, so nothing but whole numbers in a row may be."""
    if array.dtype.num != INT64 or not array.flags.c_contiguous:
        raise TypeError(f"the kernel works on plain arrays of int64, not on {array.dtype}")
    return int(array.ctypes.data)


def _compiled() -> tuple[bytes, int]:
    """Object code of `kernel.fights` by numba, with the name of its function in front, and its address in this process."""
    from numba import int64, njit, types
    from numba.extending import register_jitable

    for function in PARTS:
        register_jitable(**OPTIONS)(function)
    made = njit(boundscheck=False, **OPTIONS, **WRAPPERS)(kernel.fights)
    address_of = types.CPointer(int64)  # type: ignore[no-untyped-call]  # no look at lengths and negative places
    made.compile(tuple([int64 if argument in NUMBERS else address_of for argument in ARGUMENTS]))
    (overload,) = made.overloads.values()
    _alive.append(made)
    symbol = overload.fndesc.llvm_func_name
    code = symbol.encode() + b"\n" + overload.library._get_compiled_object()
    return code, overload.library.get_pointer_to_function(symbol)


def _loaded(code: bytes, binding: Any) -> int:
    """Object code into this process; the address of its function, 0 if it is not in there."""
    symbol, _, machine_code = code.partition(b"\n")
    if not symbol or not machine_code or symbol not in machine_code:  # a name that is not there would end the process
        return 0
    with contextlib.suppress(RuntimeError):  # newer versions do it by themselves, and say so
        binding.initialize()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(machine_code))
    engine.finalize_object()
    _alive.append(engine)
    return int(engine.get_function_address(symbol.decode()))


# ---- on disk


def _name() -> str:
    """The file of this source for this processor."""
    import llvmlite
    from llvmlite import binding

    about = [llvmlite.__version__, platform.machine(), platform.system(), binding.get_host_cpu_name()]
    about += [binding.get_host_cpu_features().flatten(), repr((OPTIONS, NUMBERS))]
    source = b"".join([Path(one).read_bytes() for one in (kernel.__file__, layout.__file__, lots.__file__, __file__)])
    return f"kernel-{hashlib.sha256(source + repr(about).encode()).hexdigest()[:24]}.code"


def _places() -> list[Path]:
    """Where the code may be kept: beside the source, else with other things that may be thrown away."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return [Path(__file__).parent / "__pycache__", Path(home) / "affray"]


def _keep(code: bytes, name: str) -> None:
    """Write it to the first place that can be written to, all or nothing; whoever can write nowhere compiles every time."""
    for place in _places():
        try:
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=place, delete=False) as file:
                file.write(hashlib.sha256(code).digest() + code)
        except OSError:
            continue
        try:
            os.replace(file.name, place / name)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(file.name)
            continue
        return


def _read(path: Path) -> bytes:
    """The code that is kept in a file; nothing if there is none, if it may not be read, or if it is damaged."""
    try:
        return _checked(path.read_bytes())
    except OSError:
        return b""


def _checked(kept: bytes) -> bytes:
    """The code in a file; nothing if the file is damaged."""
    return kept[32:] if hashlib.sha256(kept[32:]).digest() == kept[:32] else b""
