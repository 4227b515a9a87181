"""torch's own operators on the emulated device, each compared with the same on the CPU.

Runs under `kbuild shell --emulate`. Prints a line of JSON for each operation: its name, `works`, or `refused` with the text
of the refusal. Any other outcome (another result than the CPU's, an error that names nothing) is `wrong`.

With --markdown it prints the table of docs/emulated-tests.md instead.
"""

import io
import json
import sys

import torch
import torch.nn.functional as F

@torch.jit.script
def SCRIPT(x):
    return x * 2 + 1


OPERATIONS = {}
REFUSED = {}  # name: what the refusal names


def operation(name, refused=None):
    def add(function):
        OPERATIONS[name] = function
        if refused is not None:
            REFUSED[name] = refused
        return function

    return add


def inputs(device):
    """Numbers from the CPU's generator, so that they are the same on both devices."""
    generator = torch.Generator().manual_seed(7)

    def make(*shape, dtype=torch.float32):
        return torch.randn(shape, generator=generator).to(dtype).to(device)

    return make


def simple(name, function, *shapes, dtype=torch.float32):
    """An operation whose arguments are tensors of these shapes."""
    @operation(name)
    def run(device):
        make = inputs(device)
        return function(*(make(*shape, dtype=dtype) for shape in shapes))


M = (5, 7)
for name in ("abs neg exp log1p sqrt rsqrt sin cos tan tanh sigmoid relu gelu silu floor ceil round trunc sign square "
             "reciprocal erf isnan isfinite").split():
    function = getattr(torch, name, None) or getattr(F, name)
    simple(name, lambda x, function=function: function(x.abs() + 0.5), M)
for name in "add sub mul div maximum minimum atan2 fmod remainder eq ne lt le gt ge logaddexp hypot".split():
    simple(name, getattr(torch, name), M, M)
for name in "sum mean std var amax amin prod norm logsumexp argmax argmin cumsum cumprod median sort topk any all".split():
    if name in ("any", "all"):
        simple(name, lambda x, name=name: getattr(x > 0, name)(), M)
    elif name == "topk":
        simple(name, lambda x: x.topk(3), M)
    elif name in ("logsumexp", "cumsum", "cumprod"):
        simple(name, lambda x, name=name: getattr(x, name)(1), M)
    else:
        simple(name, lambda x, name=name: getattr(x, name)(), M)

simple("mm", torch.mm, (4, 6), (6, 3))
simple("bmm", torch.bmm, (2, 4, 6), (2, 6, 3))
simple("addmm", torch.addmm, (4, 3), (4, 6), (6, 3))
simple("baddbmm", torch.baddbmm, (2, 4, 3), (2, 4, 6), (2, 6, 3))
simple("matmul of a transpose", lambda a, b: a.t() @ b, (6, 4), (6, 3))
simple("einsum", lambda a, b: torch.einsum("ij,jk->ik", a, b), (4, 6), (6, 3))
simple("linalg.svd", lambda a: torch.linalg.svd(a).S, (4, 4))
simple("linalg.solve", lambda a, b: torch.linalg.solve(a, b), (4, 4), (4, 2))
simple("linalg.qr", lambda a: torch.linalg.qr(a).R.abs(), (4, 4))
simple("fft", torch.fft.fft, M)
simple("softmax", lambda x: x.softmax(-1), M)
simple("log_softmax", lambda x: x.log_softmax(-1), M)
simple("layer_norm", lambda x: F.layer_norm(x, (7,)), M)
simple("rms_norm", lambda x: F.rms_norm(x, (7,)), M)
simple("group_norm", lambda x: F.group_norm(x, 2), (2, 4, 3))
simple("batch_norm", lambda x: F.batch_norm(x, None, None, training=True), (4, 3))
simple("linear", F.linear, (2, 4), (3, 4))
simple("conv1d", F.conv1d, (1, 2, 9), (3, 2, 3))
simple("conv2d", F.conv2d, (1, 2, 6, 6), (3, 2, 3, 3))
simple("max_pool2d", lambda x: F.max_pool2d(x, 2), (1, 2, 6, 6))
simple("scaled_dot_product_attention", F.scaled_dot_product_attention, (1, 2, 4, 8), (1, 2, 4, 8), (1, 2, 4, 8))
simple("cross_entropy", lambda x: F.cross_entropy(x, torch.arange(5, device=x.device)), M)
simple("mse_loss", F.mse_loss, M, M)
simple("cat", lambda a, b: torch.cat([a, b]), M, M)
simple("stack", lambda a, b: torch.stack([a, b]), M, M)
simple("chunk and add", lambda x: x.chunk(2, 1)[0] + 1, M)
simple("where", lambda a, b: torch.where(a > 0, a, b), M, M)
simple("clamp", lambda x: x.clamp(-0.5, 0.5), M)
simple("lerp", lambda a, b: torch.lerp(a, b, 0.3), M, M)
simple("gather", lambda x: x.gather(1, torch.zeros(5, 2, dtype=torch.int64, device=x.device)), M)
simple("scatter_add", lambda x: torch.zeros_like(x).scatter_add(1, torch.zeros(5, 7, dtype=torch.int64, device=x.device), x),
       M)
simple("index_select", lambda x: x.index_select(0, torch.tensor([3, 1], device=x.device)), M)
simple("masked_select", lambda x: x[x > 0], M)
simple("nonzero", lambda x: (x > 0).nonzero(), M)
simple("unique", lambda x: x.round().unique(), M)
simple("flip", lambda x: x.flip(1), M)
simple("roll", lambda x: x.roll(2, 1), M)
simple("repeat_interleave", lambda x: x.repeat_interleave(2, 0), M)
simple("triu", lambda x: x.triu(), (4, 4))
simple("one_hot", lambda x: F.one_hot(x.argmax(1), 7), M)
simple("embedding", lambda w: F.embedding(torch.tensor([2, 0], device=w.device), w), M)
simple("contiguous of a transpose", lambda x: x.t().contiguous(), M)
simple("strided copy", lambda x: x[:, ::2].clone(), M)
simple("expand and add", lambda x: x.expand(4, 7) + 1, (1, 7))
simple("view of complex numbers", lambda x: torch.view_as_complex(x).conj() * 2, (5, 2))
simple("allclose", lambda x: torch.tensor(torch.allclose(x, x + 0)), M)
simple("bfloat16 arithmetic", lambda a, b: a * b + 1, M, M, dtype=torch.bfloat16)
simple("float16 matmul", torch.mm, (4, 6), (6, 3), dtype=torch.float16)
simple("to float8_e4m3fnuz and back", lambda x: x.to(torch.float8_e4m3fnuz).float(), M)
simple("to float8_e4m3fn and back", lambda x: x.to(torch.float8_e4m3fn).float(), M)
simple("to float8_e5m2fnuz and back", lambda x: x.to(torch.float8_e5m2fnuz).float(), M)
simple("to int8", lambda x: (x * 10).to(torch.int8), M)
simple("assert_close", lambda x: torch.testing.assert_close(x, x.clone()), M)


@operation("zeros, ones, full, arange, eye")
def factories(device):
    return (torch.zeros(3, device=device), torch.ones(3, device=device), torch.full((2,), 3.0, device=device),
            torch.arange(4, device=device), torch.eye(3, device=device), torch.linspace(0, 1, 5, device=device))


@operation("randn after manual_seed")
def seeded(device):
    torch.manual_seed(3)
    first = torch.randn(4, device=device)
    torch.manual_seed(3)
    assert torch.equal(first, torch.randn(4, device=device))
    return first


@operation("randn after cuda.manual_seed")
def seeded_on_the_device(device):
    if device == "cuda":
        torch.cuda.manual_seed(4)
        first = torch.randn(4, device=device)
        torch.cuda.manual_seed(4)
        assert torch.equal(first, torch.randn(4, device=device))
    return torch.zeros(1)


@operation("randn with a generator")
def generator(device):
    made = torch.Generator(device).manual_seed(5)
    first, second = torch.randn(4, device=device, generator=made), torch.randn(4, device=device, generator=made)
    assert not torch.equal(first, second)
    assert torch.equal(first, torch.randn(4, device=device, generator=made.manual_seed(5)))
    return first


@operation("in place on strides")
def in_place(device):
    x = torch.zeros(3, 3, device=device)
    x[:, 1].add_(5)
    return x


@operation("index_put")
def index_put(device):
    x = torch.arange(4.0, device=device)
    x[x > 1] = 7
    return x


@operation("out=")
def out(device):
    x = inputs(device)(5)
    return torch.add(x, x, out=torch.empty_like(x))


@operation("out= of another size")
def resized(device):
    x = inputs(device)(5)
    return torch.add(x, x, out=torch.empty(0, device=device))


@operation("out= that has to grow")
def grown(device):
    x = inputs(device)(2, 3)
    values, indices = torch.empty(2, device=device), torch.empty(1, dtype=torch.int64, device=device)
    torch.max(x, 1, out=(values, indices))
    return torch.add(x, 1, out=torch.empty(3, device=device)), values, indices


@operation("out= that overlaps an input", refused="single memory location")
def overlapping(device):
    x = inputs(device)(6)
    return torch.add(x[1:], 1, out=x[:-1]) if device == "cuda" else torch.zeros(1)


def refused_with_the_cpu(name, function):
    """An operation on a tensor of the device and one of the CPU, which a GPU refuses."""
    @operation(f"{name} with a CPU tensor", refused="Expected all tensors to be on the same device")
    def run(device):
        return function(inputs(device)(4, 4), inputs("cpu")(4, 4)) if device == "cuda" else torch.zeros(1)


refused_with_the_cpu("add", torch.add)
refused_with_the_cpu("mm", torch.mm)
refused_with_the_cpu("cat", lambda a, b: torch.cat([a, b]))
refused_with_the_cpu("out=", lambda a, b: torch.add(a, 1, out=b))
refused_with_the_cpu("embedding", lambda a, b: F.embedding(b.long(), a))


@operation("numbers and indices on the CPU")
def from_the_cpu(device):
    x = inputs(device)(4)
    return x + torch.tensor(2.0), x[torch.tensor([2, 0])], x.masked_fill(x > 0, torch.tensor(1.0))


@operation("dropout after cuda.manual_seed")
def dropout(device):
    if device == "cuda":
        of_the_cpu = torch.get_rng_state()
        made = [F.dropout(torch.ones(64, device=device)) for _ in range(2) if torch.cuda.manual_seed_all(3) is None]
        assert torch.equal(*made) and not torch.equal(made[0], F.dropout(torch.ones(64, device=device)))
        assert torch.equal(of_the_cpu, torch.get_rng_state())
    return torch.zeros(1)


@operation("autograd")
def autograd(device):
    w = inputs(device)(3, 3).requires_grad_()
    (w.relu() * 2).sum().backward()
    return w.grad


@operation("nn.Linear, Adam")
def training(device):
    torch.manual_seed(0)
    layer = torch.nn.Linear(4, 3).to(device)
    optimizer = torch.optim.Adam(layer.parameters())
    layer(inputs(device)(2, 4)).square().sum().backward()
    optimizer.step()
    return layer.weight.detach()


@operation("autocast")
def autocast(device):
    with torch.autocast(device, dtype=torch.bfloat16):
        return inputs(device)(4, 6) @ inputs(device)(6, 3)


@operation("print")
def printed(device):
    text = repr(inputs(device)(3))
    return torch.tensor(list(text.replace(", device='cuda:0'", "").encode()))


@operation("save and load")
def saved(device):
    file = io.BytesIO()
    torch.save(inputs(device)(3), file)
    file.seek(0)
    return torch.load(file)


@operation("item, tolist")
def item(device):
    x = inputs(device)(3)
    return torch.tensor([x[0].item(), *x.tolist()])


@operation("dlpack")
def dlpack(device):
    return torch.from_dlpack(inputs(device)(3))


@operation("pin_memory")
def pinned(device):
    x = torch.arange(4.0)
    return x.pin_memory().to(device, non_blocking=True) if device == "cuda" else x


@operation("foreach")
def foreach(device):
    return torch._foreach_add([inputs(device)(3), inputs(device)(2)], 1.0)


@operation("torch.compile, backend eager")
def compiled(device):
    return torch.compile(lambda x: (x * 2).relu(), backend="eager")(inputs(device)(5))


@operation("torch.jit.script")
def scripted(device):
    # Its fuser sets in after some calls.
    return [SCRIPT(inputs(device)(3)) for _ in range(4)]


@operation("torch.profiler")
def profiled(device):
    with torch.profiler.profile() as profile:
        x = inputs(device)(3) + 1
    assert "aten::add" in {event.key for event in profile.key_averages()}
    return x


@operation("checkpoint")
def checkpointed(device):
    x = inputs(device)(3).requires_grad_()
    torch.utils.checkpoint.checkpoint(lambda v: v.sin().sum(), x, use_reentrant=False).backward()
    return x.grad


@operation("vmap")
def vmapped(device):
    return torch.vmap(torch.dot)(inputs(device)(4, 3), inputs(device)(4, 3))


@operation("a stream with a priority")
def priority(device):
    if device == "cuda":
        assert torch.cuda.Stream.priority_range() == (0, -1)
        stream = torch.cuda.Stream(priority=-1)
        with torch.cuda.stream(stream):
            result = inputs(device)(3) + 1
        stream.synchronize()
        return result
    return inputs(device)(3) + 1


@operation("out of memory", refused="out of memory")
def too_much(device):
    return torch.empty(1 << 40, device=device) if device == "cuda" else torch.zeros(1)


@operation("graph capture", refused="cudaStreamBeginCapture")
def graph(device):
    if device == "cpu":
        return torch.zeros(1)
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        return torch.zeros(1, device=device) + 1


@operation("sdpa, flash kernel only", refused="flash")
def flash(device):
    if device == "cpu":
        return torch.zeros(1)
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        q = torch.randn(1, 2, 4, 8, device=device, dtype=torch.bfloat16)
        return F.scaled_dot_product_attention(q, q, q)


@operation("conv2d with cudnn", refused="cudnn")
def cudnn(device):
    if device == "cpu":
        return torch.zeros(1)
    with torch.backends.cudnn.flags(enabled=True):
        return F.conv2d(inputs(device)(1, 2, 6, 6), inputs(device)(3, 2, 3, 3))


@operation("torch.compile, default backend", refused="riton")
def inductor(device):
    return torch.compile(lambda x: x + 1)(inputs(device)(5)) if device == "cuda" else torch.zeros(1)


@operation("sparse tensors", refused="sparse")
def sparse(device):
    return (inputs(device)(3, 3).to_sparse() * 2).to_dense()


def flat(result):
    if isinstance(result, torch.Tensor):
        return [result.detach().cpu()]
    if isinstance(result, (tuple, list)):
        return [tensor for part in result for tensor in flat(part)]
    return []


def attempt(name):
    expected = flat(OPERATIONS[name]("cpu"))
    try:
        got = flat(OPERATIONS[name]("cuda"))
    except Exception as error:
        text = " ".join(str(error).split())
        is_refusal = name in REFUSED and REFUSED[name] in text
        return ("refused" if is_refusal else "wrong"), text[:300]
    if name in REFUSED:
        return "wrong", "was expected to be refused"
    for one, other in zip(got, expected, strict=True):
        if one.shape != other.shape or one.dtype != other.dtype:
            return "wrong", f"{one.shape} {one.dtype} instead of {other.shape} {other.dtype}"
        if not torch.equal(torch.nan_to_num(one) if one.is_floating_point() else one,
                           torch.nan_to_num(other) if other.is_floating_point() else other):
            return "wrong", "another result than the CPU's"
    return "works", ""


def main():
    rows = [(name, *attempt(name)) for name in sorted(OPERATIONS, key=str.lower)]
    if "--markdown" in sys.argv:
        works = ", ".join(f"`{name}`" for name, state, _ in rows if state == "works")
        print(f"Works, with the CPU's bits: {works}.\n\n| refused | with |\n|---|---|")
        for name, state, text in rows:
            if state != "works":
                print(f"| {name} | {text.split(' Search for')[0][:120]} |")
        return
    for name, state, text in rows:
        print(json.dumps({"operation": name, "state": state, "text": text}))


main()
