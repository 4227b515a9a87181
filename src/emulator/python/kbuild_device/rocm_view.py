"""What tells a ROCm build of torch from a CUDA build, as Python code sees it."""

import os


def apply(torch):
    version = os.environ["KBUILD_DEVICE_ROCM"]
    torch.version.hip = version
    torch.version.rocm = ".".join(version.split(".")[:2])
    torch.version.cuda = None
    torch._C._cuda_getArchFlags = lambda: "gfx942"  # torch.cuda.get_arch_list()
    # CUPTI, which would tell the profiler of launches, does not exist here; events time operators instead.
    for module in (torch.autograd, torch.autograd.profiler):
        module._supported_activities = lambda: {torch.autograd.ProfilerActivity.CPU}
    torch._C._jit_override_can_fuse_on_gpu(False)  # TorchScript would compile fused kernels with NVRTC
    # cuDNN, and attention kernels that have no counterpart on the CPU: torch has other ways for both.
    torch.backends.cudnn.enabled = False
    torch.backends.cuda.enable_flash_sdp(False)
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.backends.cuda.enable_cudnn_sdp(False)
