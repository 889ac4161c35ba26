"""Machine code of the kernel, cached on disk, or the plain one without numba. Imported only for jobs that are worth it."""

from __future__ import annotations

from typing import Any

from affray.simulate import kernel

PARTS = (
    kernel.mix,
    kernel.sow,
    kernel.draw,
    kernel.place,
    kernel.look_up,
    kernel.standing,
    kernel.count,
    kernel.enter,
    kernel.missed,
    kernel.step,
    kernel.receive,
    kernel.choose,
    kernel.arrange,
    kernel.throw_initiative,
    kernel.turn,
    kernel.same_moment,
    kernel.fight,
)
"""Everything that `kernel.fights` calls, each before its callers."""
OPTIONS: dict[str, Any] = {"_nrt": False, "forceinline": True}
"""Without counting references and in one piece: many times faster. Private options of numba; its version is pinned."""


def fights() -> Any:
    """The compiled `kernel.fights`, or the plain one."""
    try:
        from numba import njit
        from numba.extending import register_jitable
    except ImportError:
        return kernel.fights
    for function in PARTS:
        register_jitable(**OPTIONS)(function)
    return njit(cache=True, nogil=True, boundscheck=False, **OPTIONS)(kernel.fights)
