"""Machine code only for the functions that Python calls, made when it first calls them.

numba makes machine code of every function that it compiles, with all the functions below it inside: a rule
that ten others lie above is optimized ten times. Here a function that compiled code calls is only lowered to
LLVM's language; the function that Python calls takes in those below it, is optimized and kept, once. A cold
start takes less than half the time, and a warm one reads what it runs and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from llvmlite import binding as llvm
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typeconv import Conversion
from numba.core.typed_passes import NativeLowering

Types: TypeAlias = tuple[Any, ...]


class _Library(JITCodeLibrary):
    """One function's code; what it calls is linked in only when machine code is made of it.

    `_linking_libraries` holds all libraries below it, each after those that it needs.
    """

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        if isinstance(library, _Library):
            below = library._linking_libraries
        else:
            below = []
            library._ensure_finalized()
        for part in (*below, library):
            if part not in self._linking_libraries:
                self._linking_libraries.append(part)

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """Return this function alone, as a module that may be linked into many."""
        if self._shared_module is None:
            shared = self._final_module.clone()
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    shared.get_function(function.name).linkage = "linkonce_odr"
            self._shared_module = shared
        return self._shared_module

    def finalize(self) -> None:
        """Link everything below, optimize the whole and make machine code of it."""
        self._shared_module = None
        alone = self._get_module_for_linking()
        # The linker drops what nothing has asked for yet, so callers go before what they call.
        self._linking_libraries.reverse()
        super().finalize()
        self._linking_libraries.reverse()
        self._shared_module = alone

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Return what the cache keeps: beside the object code a module that tells its symbols."""
        return self.name, "object", (self._get_compiled_object(), self._get_module_for_linking().as_bitcode())


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lower(NativeLowering):
    """numba's lowering, which also says how compiled code calls the function: by a key of its own."""

    _name = "lower_for_linking"

    def run_pass(self, state: Any) -> bool:
        """Lower the function of a compiler's state."""
        super().run_pass(state)
        state["cr"] = state["cr"]._replace(cfunc=object())
        state.targetctx.insert_user_function(state["cr"].cfunc, state["cr"].fndesc, [state.library])
        return True


class _Compiler(Compiler):
    """numba's compiler up to LLVM's language."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes with another last step."""
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (_Lower if step is NativeLowering else step, reason) for step, reason in pipeline.passes
            ]
            pipeline.finalize()
        self.state.flags.no_compile = True
        self.state.library = _Library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return pipelines


class Deferred(CPUDispatcher):
    """A compiled function: lowered for compiled callers, made ready for Python when Python first calls it.

    Args:
        function: The function.
        signature: Its argument types, or None to compile it for each that it is called with.
        options: numba's target options for this function.
        place_cache: Told the function before its cache is opened, to say where that lies.
    """

    def __init__(
        self,
        function: Callable[..., object],
        signature: Types | None,
        options: dict[str, object],
        place_cache: Callable[[Callable[..., object]], None],
    ) -> None:
        lowered_only = {"nopython": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=lowered_only | options, pipeline_class=_Compiler)
        self._signature = signature
        self._ready: dict[Types, CompileResult] = {}
        self._place_cache = place_cache

    def compile(self, sig: Types) -> object:  # type: ignore[override]
        """Lower the function for compiled callers; a declared signature stands for any other."""
        types = self._signature or sig
        known = self.overloads.get(types)
        return known.entry_point if known else super().compile(types)

    def add_overload(self, cres: CompileResult) -> None:
        """Know a lowered form, which Python cannot call."""
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: object, **kwargs: object) -> Callable[..., object]:
        """Make the function ready for arguments of types that it has not met, and return what to call.

        Raises:
            TypeError: They do not fit the declared signature.
        """
        given = tuple(self.typeof_pyval(value) for value in args)
        with global_compiler_lock:
            self._compilation_chain_init_hook()
            types = self._fitting(given)
            if types not in self._ready:
                self._ready[types] = self._make_ready(types)
            call = self._ready[types].entry_point
            self._insert([kind._code for kind in given], call, False)
        return call

    def _fitting(self, given: Types) -> Types:
        """Return the types to compile for, which arguments of the given types can be turned into."""
        types = self._signature or given
        for kind, wanted in zip(given, types, strict=True):
            conversion = self.typingctx.can_convert(kind, wanted)
            if conversion is None or conversion > Conversion.safe:
                raise TypeError(f"{self.py_func.__name__} takes {wanted}, not {kind}")
        return types

    def _make_ready(self, types: Types) -> CompileResult:
        """Take the function from its cache, or make machine code of it and keep that."""
        self._place_cache(self.py_func)
        cache = FunctionCache(self.py_func)
        kept = cache.load_overload(types, self.targetctx)
        if kept is not None:
            return kept
        self.compile(types)
        lowered = self.overloads[types]
        parts = lowered.library, lowered.fndesc, lowered.environment
        target = lowered.target_context
        target.create_cpython_wrapper(*parts, lowered.call_helper, release_gil=True)
        lowered.library.finalize()
        ready = lowered._replace(entry_point=target.get_executable(*parts))
        cache.save_overload(types, ready)
        return ready
