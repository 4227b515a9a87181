from ._ops import ops

NAMES = [
    "scale", "scale_on_side_stream", "scale_on_null_stream", "scale_without_guard", "scale_of_any_device",
    "scale_of_any_strides", "scale_of_any_type", "scale_without_bounds", "scale_but_the_last", "scale_without_waiting",
    "scale_for_the_cpu",
]


def call(name, out, input):
    getattr(ops, name)(out, input)
    return out


def device_facts():
    names = ["multi_processor_count", "warp_size", "max_threads_per_block", "active_groups", "kernel_max_threads"]
    return {"arch": ops.device_arch(), **dict(zip(names, ops.device_facts(), strict=True))}


__all__ = ["NAMES", "call", "device_facts"]
