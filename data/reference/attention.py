"""attention.txt: torch.nn.MultiheadAttention, with its weights laid out as ours are.

Our linear layers compute x W + b with W (in, out). PyTorch's W is (out, in), and it keeps those of
query, key and value stacked in one.
"""

import math

import torch
from torch.nn.utils.stateless import functional_call

from table import Table, check, normal

B, T, S, C, H = 2, 4, 5, 6, 2  # batch, positions of x and of the memory, channels, heads
PROJECTIONS = ("query", "key", "value", "output")


def torch_weights(p):
    return {"in_proj_weight": torch.cat([p[f"{n}.weight"].T for n in PROJECTIONS[:3]]),
            "in_proj_bias": torch.cat([p[f"{n}.bias"] for n in PROJECTIONS[:3]]),
            "out_proj.weight": p["output.weight"].T, "out_proj.bias": p["output.bias"]}


def plain(p, x, memory, mask):
    """The same from the formula, softmax(Q K^T / sqrt(D)) V in each head."""
    def project(name, x): return x @ p[f"{name}.weight"] + p[f"{name}.bias"]
    def heads(x): return x.reshape(len(x), -1, H, C // H).transpose(1, 2)

    q, k, v = (heads(project(*pair)) for pair in zip(PROJECTIONS, (x, memory, memory)))
    scores = q @ k.transpose(-1, -2) / math.sqrt(C // H)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return project("output", (scores.softmax(-1) @ v).transpose(1, 2).reshape(x.shape))


def causal_mask(positions): return torch.ones(positions, positions).tril().bool()


def case(table, name, causal=None, lengths=None, memory={}):
    """`lengths` of the sequences that are attended to: x, or the memory where there is one."""
    padding = None
    mask = causal
    if lengths:
        padding = torch.arange(S if memory else T) < torch.tensor(lengths)[:, None]
        mask = padding[:, None, None] if causal is None else padding[:, None, None] & causal

    inputs = {"x": (B, T, C), **memory}
    for n in PROJECTIONS:
        inputs |= {f"{n}.weight": (C, C), f"{n}.bias": (C,)}
    module = torch.nn.MultiheadAttention(C, H, batch_first=True).train()

    def attend(*values):
        p = dict(zip(inputs, values))
        x, keys = p["x"], p["memory" if memory else "x"]
        out, _ = functional_call(module, torch_weights(p), (x, keys, keys), {
            "attn_mask": None if causal is None else ~causal,  # there, true means: not
            "key_padding_mask": None if padding is None else ~padding})
        formula = plain(p, x, keys, mask)
        check(out, formula, "attention")
        for a, b in zip(*(torch.autograd.grad(y.square().sum(), values, retain_graph=True)
                          for y in (out, formula))):
            check(a, b, "gradient of attention")
        return out

    def draw(*shape): return normal(*shape, deviation=1.0 if len(shape) == 3 else 0.5)
    table.record(name, attend, inputs, draw=draw, masks={} if mask is None else {"mask": mask},
                 heads=H)


def write():
    table = Table(
        "attention.txt",
        "Multi-head attention of x (B, T, C) to itself, or to `memory` (B, S, C). Where there is a",
        "mask, it is (T, T), (B, 1, 1, S) or (B, 1, T, S). grad.key.bias is 0 but for rounding.")
    case(table, "no_mask")
    case(table, "causal", causal=causal_mask(T))
    case(table, "padding", lengths=(3, 4))
    case(table, "causal_padding", causal=causal_mask(T), lengths=(3, 4))
    case(table, "cross", lengths=(5, 3), memory={"memory": (B, S, C)})
    table.write()
