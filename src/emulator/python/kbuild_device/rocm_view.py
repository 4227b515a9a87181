"""What tells a ROCm build of torch from a CUDA build, as Python code sees it."""

import os


def apply(torch):
    version = os.environ["KBUILD_DEVICE_ROCM"]
    torch.version.hip = version
    torch.version.rocm = ".".join(version.split(".")[:2])
    torch.version.cuda = None
    # cuDNN, and attention kernels that have no counterpart on the CPU: torch has other ways for both.
    torch.backends.cudnn.enabled = False
    torch.backends.cuda.enable_flash_sdp(False)
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.backends.cuda.enable_cudnn_sdp(False)
