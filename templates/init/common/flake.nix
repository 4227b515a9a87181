{
  description = "Flake for @name@ kernels";

  # For building with Hugging Face's kernel-builder; kbuild does not read this file.
  inputs.kernel-builder.url = "github:huggingface/kernels";

  outputs =
    { self, kernel-builder }:
    kernel-builder.lib.genKernelFlakeOutputs {
      inherit self;
      path = ./.;
    };
}
