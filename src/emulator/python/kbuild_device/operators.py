"""torch's own operators on the device's tensors.

The wheel's kernels are CUDA code, which nothing here can run. Device memory is host memory, so each operator of namespace
`aten` that has a kernel for CPU and for CUDA gets one here that calls the former on tensors that alias the same bytes. Other
namespaces, those of the project's kernels, are not touched; an operator without a CPU kernel ends in the refusal of a
launch, with its name. So results are those of torch's CPU kernels, not of an MI300X.
"""

import ctypes
import warnings

from kbuild_device import bridge, findings

# Operators that only make, free or describe memory, which the CUDA implementation does right; or that belong to libraries.
KEPT = ("empty", "set_", "resize_", "record_stream", "is_pinned", "_pin_memory", "_local_scalar_dense", "_cudnn", "cudnn",
        "miopen", "_resize_output")
# Operators that move bytes: what nobody wrote may be moved.
MOVES = ("copy_", "clone", "_to_copy", "cat", "stack", "_reshape_copy", "contiguous", "resize_as_", "_copy_from")


class Operators:
    """The kernels, and the state that they share."""

    def __init__(self, torch):
        self.torch = torch
        self.tree_map = torch.utils._pytree.tree_map
        self.library = torch.library.Library("aten", "IMPL")

    def install(self):
        """Returns how many operators work now."""
        count = 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that kernels are overridden is what this is for
            names = self.torch._C._dispatch_get_registrations_for_dispatch_key("CUDA")
            for name in sorted({*names, "aten::copy_"}):
                operator = self.replaceable(name)
                if operator is not None:
                    self.library.impl(name.removeprefix("aten::"), self.kernel(operator), "CUDA", allow_override=True)
                    count += 1
        return count

    def replaceable(self, name):
        namespace, _, rest = name.partition("::")
        base, _, overload = rest.partition(".")
        if namespace != "aten" or base.startswith(KEPT) or not hasattr(self.torch.ops.aten, base):
            return None
        operator = getattr(getattr(self.torch.ops.aten, base), overload or "default", None)
        if operator is None or operator.is_view:
            return None
        has_cpu = self.torch._C._dispatch_has_computed_kernel_for_dispatch_key(name, "CPU")
        return operator if has_cpu or name == "aten::copy_" else None

    def kernel(self, operator):
        written = [(index, argument.name) for index, argument in enumerate(operator._schema.arguments)
                   if argument.alias_info is not None and argument.alias_info.is_write]
        moves = operator._schema.name.removeprefix("aten::") in MOVES
        is_random = any(argument.name == "generator" for argument in operator._schema.arguments)

        def run(*arguments, **keywords):
            if is_random and keywords.get("generator") is None:
                keywords["generator"] = self.torch.cuda.default_generators[self.torch.cuda.current_device()]
            return Call(self, operator, moves).run(written, arguments, keywords)

        return run

    def cpu_generator(self, generator):
        """A generator for the CPU in the place of the device's, which counts how often it was used."""
        seed, used = generator.initial_seed(), generator.get_offset()
        generator.set_offset(used + 4)  # CUDA wants multiples of 4
        made = self.torch.Generator()
        return made.manual_seed((seed + used * 0x9E3779B97F4A7C15) % (1 << 63))

    def alias(self, tensor):
        """A CPU tensor of the same bytes."""
        torch = self.torch
        if tensor.layout != torch.strided:
            raise RuntimeError(f"tensors of layout {tensor.layout} do not exist on the emulated device")
        storage = tensor.untyped_storage()
        size = storage.nbytes()
        if tensor.numel() == 0 or size == 0:
            return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype)
        memory = (ctypes.c_char * size).from_address(storage.data_ptr())
        flat = torch.frombuffer(memory, dtype=torch.uint8).untyped_storage()
        made = torch.empty(0, dtype=tensor.dtype).set_(flat, tensor.storage_offset(), tensor.size(), tensor.stride())
        made = torch._neg_view(made) if tensor.is_neg() else made
        return torch._conj(made) if tensor.is_conj() else made


class Call:
    """One call of one operator."""

    def __init__(self, operators, operator, moves):
        self.operators = operators
        self.torch = operators.torch
        self.operator = operator
        self.moves = moves
        self.device = None
        self.aliases = {}  # id of the alias: (device tensor, alias)
        self.accesses = []
        self.is_plain = True  # all inputs are contiguous, so a range of bytes is what they are

    def run(self, written, arguments, keywords):
        targets = self.tensors_of([arguments[i] for i, _ in written if i < len(arguments)] +
                                  [keywords[name] for _, name in written if name in keywords])
        arguments, keywords = self.operators.tree_map(lambda value: self.down(value, targets), (arguments, keywords))
        result = self.operator(*arguments, **keywords)
        self.adopt_new_sizes()
        result = self.operators.tree_map(self.up, result)
        self.follow()
        return result

    def tensors_of(self, values):
        found = set()
        self.operators.tree_map(lambda value: found.add(id(value)) if isinstance(value, self.torch.Tensor) else None, values)
        return found

    def down(self, value, targets):
        """The argument for the CPU kernel."""
        torch = self.torch
        if isinstance(value, torch.Tensor) and value.is_cuda:
            self.device = self.device or value.device
            alias = self.operators.alias(value)
            self.aliases[id(alias)] = (value, alias)
            self.note(value, bridge.WRITE if id(value) in targets else bridge.READ)
            return alias
        if isinstance(value, torch.device) and value.type == "cuda":
            self.device = self.device or value
            return torch.device("cpu")
        if isinstance(value, torch.Generator) and value.device.type == "cuda":
            return self.operators.cpu_generator(value)
        return value

    def adopt_new_sizes(self):
        """A CPU kernel resizes an `out=` that has the wrong size; its bytes are elsewhere then."""
        for tensor, alias in self.aliases.values():
            if alias.size() != tensor.size():
                tensor.resize_(alias.size())
                self.operators.alias(tensor).copy_(alias)
                self.note(tensor, bridge.WRITE)

    def up(self, value):
        """The result for the caller: on the device."""
        torch = self.torch
        if not isinstance(value, torch.Tensor) or value.is_cuda:
            return value
        if id(value) in self.aliases:
            return self.aliases[id(value)][0]
        if value.layout != torch.strided:
            raise RuntimeError(f"{self.operator} makes a tensor of layout {value.layout}, which does not exist on the "
                               "emulated device")
        made = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=self.device or "cuda")
        self.operators.alias(made).copy_(value)
        self.note(made, bridge.WRITE)
        return made

    def note(self, tensor, write):
        if tensor.numel() == 0:
            return
        if write == bridge.READ:
            self.is_plain = self.is_plain and tensor.is_contiguous()
        last = sum((size - 1) * stride for size, stride in zip(tensor.size(), tensor.stride()))
        self.accesses.append((tensor.data_ptr(), (last + 1) * tensor.element_size(), write))

    def follow(self):
        """Tells the device what was done for the current stream."""
        if not self.accesses:
            return
        index = self.device.index if self.device is not None else None
        index = self.torch.cuda.current_device() if index is None else index
        stream = self.torch._C._cuda_getCurrentRawStream(index)
        name = str(self.operator)
        undefined = bridge.operation(name, stream, index, self.accesses)
        if undefined and self.is_plain and not self.moves:
            findings.add("undefined", f"undefined: `{name}` reads {undefined} bytes that nothing wrote: does a kernel leave "
                                      "a part of its output out?")


_installed = None


def install(torch):
    global _installed
    _installed = Operators(torch)
    return _installed.install()
