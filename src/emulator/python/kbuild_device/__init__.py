"""The Python side of kbuild's emulated MI300X: a published torch, told to be a ROCm one, on a machine without a GPU.

`startup` runs when Python starts with KBUILD_DEVICE_ROCM set, and changes torch once it is imported:
`operators` lets torch's own operators work on the device's tensors, `rocm_view` sets what tells ROCm from CUDA.
`pytest_plugin` turns what the emulator finds into failures of the test that caused it.
docs/emulated-tests.md in kbuild's repository says how it works and what it can't.
"""
