"""Machine code only for the functions that Python calls, made when it first calls them.

numba makes machine code of every function that it compiles, with all the functions below it inside: a rule
that ten others lie above is optimized ten times. Here a function that compiled code calls is only lowered to
LLVM's language; the function that Python calls takes in those below it, is optimized and kept, once. A cold
start takes less than half the time, and a warm one reads what it runs and nothing else.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeAlias

from llvmlite import binding as llvm
from numba.core import event, types
from numba.core.caching import FunctionCache, NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.typeconv import Conversion
from numba.core.typed_passes import InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

from engine.compiling import announce

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

    def _optimize_final_module(self) -> None:
        """Optimize all at once: numba's cheaper round before it is for functions that count references."""
        passes, options = self._codegen._module_pass_manager()
        passes.run(self._final_module, options)

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Return what the cache keeps: beside the object code a module that tells its symbols."""
        return self.name, "object", (self._get_compiled_object(), self._get_module_for_linking().as_bitcode())


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lower(NativeLowering):
    """numba's lowering, which also says how compiled code calls the function: by a key of its own."""

    _name = "lower_for_linking"

    def run_pass(self, state: Any) -> bool:
        """Lower the function of a compiler's state."""
        if not state.flags.nrt:
            _refuse_arrays_made_elsewhere(state)
        super().run_pass(state)
        state["cr"] = state["cr"]._replace(cfunc=object())
        state.targetctx.insert_user_function(state["cr"].cfunc, state["cr"].fndesc, [state.library])
        return True


def _refuse_arrays_made_elsewhere(state: Any) -> None:
    """See to it that a function that counts no references is handed no array that nobody else would free."""
    for call, signature in state.calltypes.items():
        called = getattr(call, "op", "") == "call" and state.typemap[call.func.name]
        if isinstance(called, types.Dispatcher) and _holds_array(signature.return_type):
            name = state.func_id.func_qualname
            raise TypeError(f"{name} is handed an array that {called.dispatcher.py_func.__name__} made")


def _holds_array(kind: types.Type) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(_holds_array(part) for part in kind)
    return isinstance(kind, types.Array)


_OPERATORS: Final = frozenset(filter(callable, vars(operator).values()))
#: What numba does for functions that make arrays or hold functions of their own.
_FOR_ARRAYS: Final = (InlineClosureLikes, InlineOverloads, NopythonRewrites)


class _Compiler(Compiler):
    """numba's compiler up to LLVM's language."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes with another last step; a lean function takes only those that it needs."""
        pipelines: list[Any] = super().define_pipelines()
        left_out = () if self.state.flags.nrt else _FOR_ARRAYS
        for pipeline in pipelines:
            pipeline.passes = [
                (_Lower if step is NativeLowering else step, reason)
                for step, reason in pipeline.passes
                if step not in left_out
            ]
            pipeline.finalize()
        self.state.flags.no_compile = True
        self.state.library = _Library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return pipelines


class _Cache(FunctionCache):
    """numba's cache, read without making the compiler ready: machine code needs only its counting."""

    def load_overload(self, sig: Types, target_context: Any) -> CompileResult | None:
        """Return kept machine code, None where there is none."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
        return None


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep Python from looking for unused cycles: a compiler makes millions of things and drops few."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _remembering_operators() -> Iterator[None]:
    """Let numba find out once, not at each place, what an operator makes of some kinds."""
    find = types.Function.get_call_type
    found: dict[object, object] = {}

    def remember(operator_type: types.Function, context: Any, args: Any, kws: Any) -> object:
        if kws or operator_type.typing_key not in _OPERATORS:
            return find(operator_type, context, args, kws)
        key = operator_type, tuple(args)
        if found.get(key) is None:
            found[key] = find(operator_type, context, args, kws)
        return found[key]

    types.Function.get_call_type = remember  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        types.Function.get_call_type = find  # type: ignore[method-assign]


class Deferred(CPUDispatcher):
    """A compiled function: lowered for compiled callers, made ready for Python when Python first calls it.

    Args:
        function: The function.
        signature: Its argument kinds, or None to compile it for each that it is called with.
        options: numba's target options for this function.
        place_cache: Told the function before its cache is opened; says where that lies, if it can be used.
    """

    def __init__(
        self,
        function: Callable[..., object],
        signature: Types | None,
        options: dict[str, object],
        place_cache: Callable[[Callable[..., object]], bool],
    ) -> None:
        lowered_only = {"nopython": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=lowered_only | options, pipeline_class=_Compiler)
        self._signature = signature
        self._ready: dict[Types, CompileResult] = {}
        self._place_cache = place_cache

    def compile(self, sig: Types) -> object:  # type: ignore[override]
        """Lower the function for compiled callers; a declared signature stands for any other."""
        kinds = self._signature or sig
        if kinds not in self.overloads:
            # numba's own method times every lock that is taken below it, which costs a twentieth of all.
            with self._compiling_counter, event.trigger_event("numba:compile", data={"dispatcher": self}):
                self.overloads[kinds] = self._compiler.compile(kinds, None)
        return self.overloads[kinds].entry_point

    def _compile_for_args(self, *args: object, **kwargs: object) -> Callable[..., object]:
        """Make the function ready for arguments of kinds that it has not met, and return what to call.

        Raises:
            TypeError: They do not fit the declared signature.
        """
        given = tuple(self.typeof_pyval(value) for value in args)
        with global_compiler_lock:
            self._compilation_chain_init_hook()
            kinds = self._fitting(given)
            if kinds not in self._ready:
                self._ready[kinds] = self._make_ready(kinds)
            call = self._ready[kinds].entry_point
            self._insert([kind._code for kind in given], call, False)
        return call

    def _fitting(self, given: Types) -> Types:
        """Return the kinds to compile for, which arguments of the given kinds can be turned into."""
        kinds = self._signature or given
        for kind, wanted in zip(given, kinds, strict=True):
            conversion = self.typingctx.can_convert(kind, wanted)
            if conversion is None or conversion > Conversion.safe:
                raise TypeError(f"{self.py_func.__name__} takes {wanted}, not {kind}")
        return kinds

    def _make_ready(self, kinds: Types) -> CompileResult:
        """Take the function from its cache, or make machine code of it and keep that."""
        cache = _Cache(self.py_func) if self._place_cache(self.py_func) else NullCache()
        try:
            kept = cache.load_overload(kinds, self.targetctx)
        except Exception:  # whatever reading a damaged file may raise: it is written anew
            cache.flush()
            kept = None
        if kept is not None:
            return kept
        announce()
        with _without_collector(), _remembering_operators():
            ready = self._compile_ready(kinds)
        with suppress(OSError):  # a full disk: it will be compiled again
            cache.save_overload(kinds, ready)
        return ready

    def _compile_ready(self, kinds: Types) -> CompileResult:
        """Compile what lies below and make machine code of the whole, with a way in for Python."""
        self.compile(kinds)
        lowered = self.overloads[kinds]
        parts = lowered.library, lowered.fndesc, lowered.environment
        target = lowered.target_context
        target.create_cpython_wrapper(*parts, lowered.call_helper, release_gil=True)
        lowered.library.finalize()
        return lowered._replace(entry_point=target.get_executable(*parts))
