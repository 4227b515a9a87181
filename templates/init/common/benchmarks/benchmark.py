"""Run with `kernels benchmark @repo_id@` (or the path of this project); the runner loads the kernel."""

import torch
from kernels.benchmark import Benchmark


class MultiplyBenchmark(Benchmark):
    seed = 0

    def setup(self):
        self.input = torch.randn(1 << 24, device=self.device)
        self.out = torch.empty_like(self.input)

    def benchmark_multiply(self):
        self.kernel.multiply(self.input, 3.0, out=self.out)

    def verify_multiply(self) -> torch.Tensor:
        return 3.0 * self.input
