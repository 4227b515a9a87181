"""Run with `kernels benchmark kernels-test/gemm-fp8` (or the path of this project); the runner loads the kernel."""

import torch
from kernels.benchmark import Benchmark

BLOCK = 128


class GemmBenchmark(Benchmark):
    seed = 0
    m, n, k = 1024, 1536, 7168

    def setup(self):
        def fp8(*shape):
            return torch.randn(shape, device=self.device).to(torch.float8_e4m3fnuz)

        self.a, self.b = fp8(self.m, self.k), fp8(self.n, self.k)
        self.a_scale = torch.rand(self.m, self.k // BLOCK, device=self.device)
        self.b_scale = torch.rand(self.n // BLOCK, self.k // BLOCK, device=self.device)
        self.out = torch.empty(self.m, self.n, dtype=torch.bfloat16, device=self.device)

    def benchmark_gemm(self):
        self.kernel.gemm(self.a, self.b, self.a_scale, self.b_scale, out=self.out)

    def verify_gemm(self) -> torch.Tensor:
        a = self.a.float() * self.a_scale.repeat_interleave(BLOCK, 1)
        b = self.b.float() * self.b_scale.repeat_interleave(BLOCK, 0).repeat_interleave(BLOCK, 1)
        return (a @ b.t()).to(torch.bfloat16)
