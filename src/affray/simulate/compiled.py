"""Machine code of the kernel, cached on disk; None where numba is absent. Imported only for jobs that are worth it."""

from __future__ import annotations

from typing import Any

from affray.simulate import kernel


def fights() -> Any:
    """The compiled `kernel.fights`, or the plain one."""
    try:
        from numba import njit
        from numba.extending import register_jitable
    except ImportError:
        return kernel.fights
    for function in (
        kernel.mix,
        kernel.sow,
        kernel.chance,
        kernel.draw,
        kernel.look_up,
        kernel.choose,
        kernel.outlook_of,
        kernel.standing,
    ):
        register_jitable(function)
    return njit(cache=True, nogil=True)(kernel.fights)
