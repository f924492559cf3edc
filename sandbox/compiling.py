"""How kernels are compiled.

Compiling is what a first run spends its time on. So nothing gets a way in from C, what only kernels call gets none from
Python either, and what allocates nothing is compiled without reference counting (numba's `_nrt=False`): counting a
dozen arrays costs more than many a kernel's work.
"""

from __future__ import annotations

from typing import Any

from numba import njit

kernel: Any = njit(cache=True, nogil=True, no_cfunc_wrapper=True)
"""Called from Python."""
bare_kernel: Any = njit(cache=True, nogil=True, no_cfunc_wrapper=True, _nrt=False)
"""Called from Python; allocates nothing."""
inner: Any = njit(cache=True, nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
"""Called by kernels only: a call from Python would end the process."""
bare: Any = njit(cache=True, nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=True, _nrt=False)
"""Called by kernels only; allocates nothing."""
pasted: Any = njit(cache=True, nogil=True, inline="always")
"""A piece of the kernels that call it, never compiled by itself."""
