"""Drawing inputs, and writing them down with what PyTorch makes of them. make.py has the format."""

import pathlib
import zlib

import torch

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


def seed(name): torch.manual_seed(zlib.crc32(name.encode()))


def normal(*shape, mean=0.0, deviation=1.0):
    return torch.round(64 * (mean + deviation * torch.randn(shape))) / 64


def positive(*shape): return normal(*shape).abs() + 0.5
def nonzero(*shape): return torch.sign(torch.randn(shape)) * positive(*shape)
def large(*shape): return 256 * normal(*shape)
def repeated(*shape): return torch.randint(0, 3, shape).double()  # so that a maximum is tied


def check(a, b, what):
    assert torch.allclose(a, b, rtol=1e-12, atol=1e-12), f"{what}: PyTorch and the formula differ"


class Table:
    def __init__(self, name, *about):
        self.name = name
        self.lines = [f"# {name}: what PyTorch computes, written by make.py, which has the format."]
        self.lines += ["# " + line for line in about]

    def case(self, name, **attributes):
        assert f"case {name}" not in self.lines, f"two cases are called {name}"
        self.lines += ["", f"case {name}"]
        for key, value in attributes.items():
            values = value if isinstance(value, tuple) else (value,)
            self.lines.append(" ".join(map(str, (key, *values))))

    def put(self, kind, name, x):
        assert torch.isfinite(x).all(), f"{name} is not finite"
        values = [repr(v + 0).removesuffix(".0") for v in x.flatten().tolist()]  # + 0: -0 becomes 0
        self.lines.append(" ".join([kind, name, *map(str, x.shape), ":", *values]))

    def tensors(self, named, prefix=""):
        for name, x in named.items():
            self.put("tensor", prefix + name, x.detach())

    def record(self, name, f, inputs, ids={}, masks={}, draw=normal, smooth=True, **attributes):
        """The case of f applied to `inputs`, shapes that are drawn here; not smooth: at a kink."""
        seed(name)
        inputs = {k: draw(*shape).requires_grad_() for k, shape in inputs.items()}
        out = f(*inputs.values())
        weight = normal(*out.shape)
        gradients = torch.autograd.grad((out * weight).sum(), list(inputs.values()))
        if smooth:
            torch.autograd.gradcheck(f, tuple(inputs.values()))  # against finite differences

        self.case(name, **attributes)
        self.tensors(inputs)
        for k, x in ids.items():
            self.put("ids", k, x)
        for k, x in masks.items():
            self.put("mask", k, x.int())
        self.tensors({"out": out, "weight": weight})
        self.tensors(dict(zip(inputs, gradients)), "grad.")

    def write(self):
        path = pathlib.Path(__file__).with_name(self.name)
        path.write_text("\n".join(self.lines) + "\n")
        print(f"{path}: {path.stat().st_size} bytes")
