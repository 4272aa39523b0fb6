"""Kernels compiled without what nobody will use: about half of the seconds that numba takes by itself.

Compiling is most of the first run. Measured on the kernels here, in the order of what it saves:

- Python's garbage collector walks all that a compiler holds, over and over, and finds nothing: it rests meanwhile.
- A kernel that only kernels call (`inner`) is optimised and turned into machine code within each caller, so doing the same
  to it alone is lost: its library keeps what callers need, the intermediate code.
- A kernel that makes no array needs no counting of references to the arrays that it is given (`makes_arrays`).
- A wrapper for callers in C, and the optimising of each declaration of a function that stands elsewhere.
- numba looks up what an operator means by comparing all settings, a hundred thousand times.
- Large kernels with several callers can be kept out of line (`apart`).

Two processes that compile for each other (`run.ahead`) take turns at a kernel by `Turn`.

All of this is done through numba's `pipeline_class`, which is public, but reaches into classes that are not: `Cache`,
`Outer`, `Inner` and `Apart` are None for a numba in which these were not tried: kernels are then compiled as numba does it.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import numba

from .. import _compiled

TRIED = ((0, 68),)  # major and minor numbers of numba
PAUSE, LONGEST = 0.01, 3_000  # seconds between two looks at a file that another process holds, and how many
MAKERS = {"empty", "zeros", "ones", "full", "arange", "copy", "astype", "argsort", "nonzero", "unique", "concatenate"}


def makes_arrays(function: Callable[..., Any]) -> bool:
    """Whether a kernel makes an array, or calls one that does (which may hand it over).

    If this were wrong in saying no, numba would refuse to compile: without counting it makes no arrays.
    """
    names = set(function.__code__.co_names)
    if names & MAKERS:
        return True
    callees = (function.__globals__.get(name) for name in names)
    return any(getattr(callee, "targetoptions", {"_nrt": False}).get("_nrt", True) for callee in callees)


saving = Lock()  # held while a kernel is written: a process that is to end quickly ends between two


class Turn:
    """A file that one process holds, until it lets go or ends. Where files cannot be held, everyone's turn is now."""

    def __init__(self, path: Path) -> None:
        self._path, self._file = path, -1

    def take(self) -> None:
        """Wait for our turn; who waits longer than any kernel takes goes ahead without it."""
        if self._file >= 0:
            return
        try:
            import fcntl

            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            for _ in range(LONGEST):
                try:
                    fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    _compiled.held.add(self._path)
                    return
                except BlockingIOError:
                    time.sleep(PAUSE)
        except (ImportError, OSError):
            pass
        self.give()

    def give(self) -> None:
        """Let the next one in."""
        if self._path in _compiled.held:
            self._path.unlink(missing_ok=True)
            _compiled.held.discard(self._path)
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


@contextmanager
def _no_garbage() -> Iterator[None]:
    """The collector rests; a kernel compiled within another one leaves it so."""
    resting = not gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not resting:
            gc.enable()


Cache: Any = None
Outer: Any = None
Inner: Any = None
Apart: Any = None

if numba.version_info.short in TRIED:
    from llvmlite.binding import Linkage
    from numba.core.caching import FunctionCache
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler, Flags
    from numba.core.environment import lookup_environment

    class _Cache(FunctionCache):  # type: ignore[misc]
        """numba's cache of one kernel, made anew when any kernel changes, and safe for two processes that compile in parallel.

        Of two that need a kernel, one compiles it and the other one waits. numba alone would let both compile it, and could mix
        up two of its signatures that are saved at the same time.
        """

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(function)
            self._cache_file._source_stamp = (self._cache_file._source_stamp, _compiled.sources())
            self._turn = Turn(Path(self._cache_path, f"{self._impl.filename_base}.lock"))

        def load_overload(self, signature: Any, target: Any) -> Any:
            found = super().load_overload(signature, target)
            if found is None and _compiled.shared:
                self._turn.take()
                found = super().load_overload(signature, target)
                if found is not None:
                    self._turn.give()
            return found

        def save_overload(self, signature: Any, data: Any) -> None:
            try:
                with saving:
                    super().save_overload(signature, data)
            finally:
                self._turn.give()

    class _Settings(Flags):  # type: ignore[misc]
        """As numba's, compared by what was set instead of by asking for each of forty."""

        __slots__ = ()
        _hash = hash(Flags())  # of the names of all settings: the same for all

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Flags) and self._values == other._values

        def __hash__(self) -> int:
            return self._hash

    class _Library(JITCodeLibrary):  # type: ignore[misc]
        """Intermediate code, then machine code, of one kernel and of those that it calls."""

        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout
            passes, builder = self._codegen._function_pass_manager()
            for function in module.functions:
                if not function.is_declaration:
                    passes.run(function, builder)

        def _finalize_final_module(self) -> None:
            super()._finalize_final_module()
            for variable in self._final_module.global_variables:  # inner kernels had no place of their own for theirs
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)

    class _NoEngine:
        """A code generator that is not told where an inner kernel's environment is: it has no machine code."""

        def __init__(self, codegen: Any) -> None:
            self._codegen = codegen

        def __getattr__(self, name: str) -> Any:
            return getattr(self._codegen, name)

        def set_env(self, name: str, environment: Any) -> None:
            pass

    class _InnerLibrary(_Library):
        """Intermediate code only."""

        @property
        def codegen(self) -> Any:
            return _NoEngine(self._codegen)

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def serialize_using_object_code(self) -> tuple[str, str, bytes]:
            return self.name, "bitcode", self._get_module_for_linking().as_bitcode()

    class _ApartLibrary(_InnerLibrary):
        """The same, not to be copied into its callers."""

        def _finalize_final_module(self) -> None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:  # not those that it calls
                    function.add_function_attribute("noinline")
            super()._finalize_final_module()

    class _Outer(Compiler):  # type: ignore[misc]
        library: Any = _Library

        def __init__(self, typing: Any, target: Any, library: Any, args: Any, returned: Any, flags: Any, names: Any) -> None:
            if library is None:
                library = self.library(target.codegen(), "kernel")
                library.enable_object_caching()
            super().__init__(typing, target, library, args, returned, _Settings(flags), names)

        def compile_extra(self, function: Any) -> Any:
            with _no_garbage():
                return super().compile_extra(function)

    class _Inner(_Outer):
        library = _InnerLibrary

        def __init__(self, typing: Any, target: Any, library: Any, args: Any, returned: Any, flags: Any, names: Any) -> None:
            flags.no_cpython_wrapper = False
            super().__init__(typing, target, library, args, returned, flags, names)

        def define_pipelines(self) -> Any:
            # Set once numba has noted the settings under which it looks up what np.empty and others are: they are then
            # compiled once for inner and outer kernels.
            self.state.flags.no_cpython_wrapper = True
            return super().define_pipelines()

    class _Apart(_Inner):
        library = _ApartLibrary

    Cache, Outer, Inner, Apart = _Cache, _Outer, _Inner, _Apart
