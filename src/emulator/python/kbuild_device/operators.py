"""torch's own operators on the device's tensors.

The wheel's kernels are CUDA code, which nothing here can run. Device memory is host memory, so each operator of namespace
`aten` that has a kernel for CPU and for CUDA gets one here that calls the former on tensors that alias the same bytes. Other
namespaces, those of the project's kernels, are not touched; an operator without a CPU kernel ends in the refusal of a
launch, with its name. So results are those of torch's CPU kernels, not of an MI300X.
"""

import contextlib
import ctypes
import warnings

from kbuild_device import bridge, findings

# Operators that only make, free or describe memory, which the CUDA implementation does right; or that belong to libraries.
KEPT = ("empty", "set_", "resize_", "record_stream", "is_pinned", "_pin_memory", "_local_scalar_dense", "_cudnn", "cudnn",
        "miopen", "_resize_output")
# Operators that move bytes, or pick some of them: what nobody wrote may be moved, and need not be what is picked.
MOVES = ("copy_", "clone", "_to_copy", "cat", "stack", "_reshape_copy", "contiguous", "resize_as_", "_copy_from",
         "index", "index_select", "gather", "take", "masked_select", "where", "masked_fill", "embedding")
# Operators whose tensors may be on several devices, and arguments that may be on the CPU while the rest is on the device.
ANY_DEVICE = ("copy", "copy_", "_copy_from", "_copy_from_and_resize", "_foreach_copy", "_foreach_copy_", "is_same_size")
HOST_ARGUMENTS = ("scalars", "lengths", "input_lengths", "target_lengths", "batch_sizes")


class Operators:
    """The kernels, and the state that they share."""

    def __init__(self, torch):
        self.torch = torch
        self.tree_map = torch.utils._pytree.tree_map
        self.leaves = torch.utils._pytree.tree_leaves
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
        takes_generator = any(argument.name == "generator" for argument in operator._schema.arguments)
        has_hidden_generator = self.torch.Tag.nondeterministic_seeded in operator.tags and not takes_generator

        def run(*arguments, **keywords):
            if takes_generator and keywords.get("generator") is None:
                keywords["generator"] = self.default_generator(arguments, keywords)
            with self.seeded(arguments, keywords) if has_hidden_generator else contextlib.nullcontext():
                return Call(self, operator).run(written, arguments, keywords)

        return run

    def default_generator(self, arguments, keywords):
        """That of the device on which the operator runs."""
        places = [value if isinstance(value, self.torch.device) else value.device
                  for value in self.leaves((arguments, keywords)) if isinstance(value, (self.torch.Tensor, self.torch.device))]
        indices = [place.index for place in places if place.type == "cuda" and place.index is not None]
        return self.torch.cuda.default_generators[indices[0] if indices else self.torch.cuda.current_device()]

    def next_seed(self, generator):
        """From the device's generator, which counts how often it was used."""
        seed, used = generator.initial_seed(), generator.get_offset()
        generator.set_offset(used + 4)  # CUDA wants multiples of 4
        return (seed + used * 0x9E3779B97F4A7C15) % (1 << 63)

    def cpu_generator(self, generator):
        """A generator for the CPU in the place of the device's."""
        return self.torch.Generator().manual_seed(self.next_seed(generator))

    @contextlib.contextmanager
    def seeded(self, arguments, keywords):
        """For an operator that takes no generator: the CPU's own one gives the device's numbers, and is as before then."""
        own = self.torch.default_generator
        state = own.get_state()
        own.manual_seed(self.next_seed(self.default_generator(arguments, keywords)))
        try:
            yield
        finally:
            own.set_state(state)

    def alias(self, tensor, storages=None):
        """A CPU tensor of the same bytes; those of one storage share one, if `storages` knows it already."""
        torch = self.torch
        if tensor.layout != torch.strided:
            raise RuntimeError(f"tensors of layout {tensor.layout} do not exist on the emulated device")
        storage = tensor.untyped_storage()
        size = storage.nbytes()
        if tensor.numel() == 0 or size == 0:
            return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype)
        key = (storage.data_ptr(), size)
        storages = {} if storages is None else storages
        if key not in storages:
            memory = (ctypes.c_char * size).from_address(storage.data_ptr())
            storages[key] = torch.frombuffer(memory, dtype=torch.uint8).untyped_storage()
        flat = storages[key]
        made = torch.empty(0, dtype=tensor.dtype).set_(flat, tensor.storage_offset(), tensor.size(), tensor.stride())
        made = torch._neg_view(made) if tensor.is_neg() else made
        return torch._conj(made) if tensor.is_conj() else made


class Call:
    """One call of one operator."""

    def __init__(self, operators, operator):
        self.operators = operators
        self.torch = operators.torch
        self.operator = operator
        self.name = operator._schema.name.removeprefix("aten::")
        self.device = None
        self.storages = {}
        self.aliases = {}  # id of the alias: (device tensor, alias)
        self.accesses = []
        self.is_plain = True  # all inputs are contiguous, so a range of bytes is what they are

    def run(self, written, arguments, keywords):
        targets = self.tensors_of([arguments[i] for i, _ in written if i < len(arguments)] +
                                  [keywords[name] for _, name in written if name in keywords])
        self.refuse_mixed_devices(arguments, keywords, targets)
        waits = self.is_waited_for(arguments, keywords)
        devices = {tensor.device for _, tensor in self.named(arguments, keywords) if tensor.is_cuda}
        self.order_streams(devices)
        arguments, keywords = self.operators.tree_map(lambda value: self.down(value, targets), (arguments, keywords))
        result = self.call(arguments, keywords, targets)
        self.adopt_new_sizes()
        result = self.operators.tree_map(self.up, result)
        self.follow()
        self.order_streams(devices)
        if waits:
            self.torch.cuda.current_stream(self.device).synchronize()
        return result

    def named(self, arguments, keywords):
        """(name of the argument, a tensor of it), of all that are tensors or hold some."""
        pairs = [*zip((argument.name for argument in self.operator._schema.arguments), arguments), *keywords.items()]
        return [(name, leaf) for name, value in pairs for leaf in self.operators.leaves(value)
                if isinstance(leaf, self.torch.Tensor)]

    def order_streams(self, devices):
        """A copy from one device to another is in order with what the current streams of both do before and after it."""
        streams = [self.torch.cuda.current_stream(device) for device in devices] if len(devices) > 1 else []
        for stream in streams:
            for other in streams:
                stream.wait_stream(other)

    def is_indexing(self):
        return self.name.startswith(("index", "_index_put", "_unsafe_index"))

    def refuse_mixed_devices(self, arguments, keywords, targets):
        """As torch's CUDA operators do: a number may come from the CPU, other tensors may not."""
        if self.name in ANY_DEVICE or "nested" in self.name:  # nested tensors keep their sizes on the CPU
            return
        tensors = self.named(arguments, keywords)
        of_host = HOST_ARGUMENTS
        if tensors and tensors[0][1].is_cuda and self.is_indexing():
            of_host += ("indices",)
        places = {str(tensor.device): name for name, tensor in tensors
                  if tensor.device.type != "cpu" or id(tensor) in targets
                  or (tensor.dim() > 0 and name not in of_host)}
        if len(places) > 1:
            raise RuntimeError("Expected all tensors to be on the same device, but found at least two devices, "
                               f"{' and '.join(sorted(places, reverse=True))}! (arguments {', '.join(places.values())} of "
                               f"{self.operator})")

    def is_waited_for(self, arguments, keywords):
        """Whether the caller gets on only when the operation is done: it is told a size or a value, or copied with the CPU."""
        torch = self.torch
        tensors = self.named(arguments, keywords)
        if self.name == "copy_":
            (_, target), (_, source) = tensors
            if target.device.type == source.device.type:
                return False
            is_blocking = not (arguments[2] if len(arguments) > 2 else keywords.get("non_blocking", False))
            return is_blocking or (source.is_cuda and not target.is_pinned())
        if self.is_indexing():  # a mask is turned into indices, whose number is asked for
            return any(name == "indices" and tensor.dtype in (torch.bool, torch.uint8) for name, tensor in tensors)
        return bool({torch.Tag.dynamic_output_shape, torch.Tag.data_dependent_output} & set(self.operator.tags))

    def call(self, arguments, keywords, targets):
        try:
            return self.operator(*arguments, **keywords)
        except RuntimeError as error:
            if "not resizable" not in str(error):
                raise
        # An `out=` is too small: let the CPU kernel fill one that can grow, before it has done anything else.
        arguments, keywords = self.operators.tree_map(lambda value: self.growing(value, targets), (arguments, keywords))
        return self.operator(*arguments, **keywords)

    def growing(self, value, targets):
        tensor, _ = self.aliases.get(id(value), (None, None))
        if id(tensor) not in targets:
            return value
        made = self.torch.empty(0, dtype=value.dtype)
        del self.aliases[id(value)]  # its sizes may be wrong already
        self.aliases[id(made)] = (tensor, made)
        return made

    def tensors_of(self, values):
        found = set()
        self.operators.tree_map(lambda value: found.add(id(value)) if isinstance(value, self.torch.Tensor) else None, values)
        return found

    def down(self, value, targets):
        """The argument for the CPU kernel."""
        torch = self.torch
        if isinstance(value, torch.Tensor) and value.is_cuda:
            self.device = self.device or value.device
            alias = self.operators.alias(value, self.storages)
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
            if alias.size() != tensor.size() or alias.data_ptr() != tensor.data_ptr():
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
        if undefined and self.is_plain and self.name not in MOVES:
            findings.add("undefined", f"undefined: `{name}` reads {undefined} bytes that nothing wrote: does a kernel leave "
                                      "a part of its output out?")


_installed = None


def install(torch):
    global _installed
    _installed = Operators(torch)
    return _installed.install()
