"""step.txt: training steps of a causal transformer of torch.nn.TransformerEncoderLayer, pre-norm.

The optimizers step tensors in our layout; the layers see them transposed where PyTorch wants that.
"""

import math

import torch
import torch.nn.functional as F
from torch.nn.utils.stateless import functional_call

import attention
from attention import C, H, PROJECTIONS, causal_mask
from table import Table, check, normal, seed

V, HIDDEN, BLOCKS, EPS = 7, 10, 2, 1e-5
IDS = torch.tensor([[1, 4, 4, 0, 2], [6, 2, 5, 4, 1]])       # no 3: a row without gradient
TARGETS = torch.tensor([[4, 4, 0, 2, 5], [2, 5, 4, 1, -1]])  # -1: not scored


def parameters():
    def linear(n, m): return {"weight": (n, m), "bias": (m,)}
    norm = {"gain": (C,), "bias": (C,)}
    block = {"attention_norm": norm, **{f"attention.{n}": linear(C, C) for n in PROJECTIONS},
             "feed_forward_norm": norm, "feed_forward.up": linear(C, HIDDEN),
             "feed_forward.down": linear(HIDDEN, C)}
    layers = {"embedding": {"weight": (V, C)}}
    for i in range(BLOCKS):
        layers |= {f"blocks.{i}.{n}": shapes for n, shapes in block.items()}
    layers |= {"norm": norm, "output": linear(C, V)}

    seed("step")
    return {f"{layer}.{n}": normal(*shape, mean=float(n == "gain"), deviation=0.4).requires_grad_()
            for layer, shapes in layers.items() for n, shape in shapes.items()}


def inside(p, prefix): return {n[len(prefix):]: x for n, x in p.items() if n.startswith(prefix)}


def torch_block(p, x):
    layer = torch.nn.TransformerEncoderLayer(C, H, HIDDEN, dropout=0.0, activation="gelu",
                                             layer_norm_eps=EPS, batch_first=True, norm_first=True)
    weights = {f"self_attn.{n}": w
               for n, w in attention.torch_weights(inside(p, "attention.")).items()}
    for theirs, ours in {"norm1": "attention_norm", "norm2": "feed_forward_norm"}.items():
        weights |= {f"{theirs}.weight": p[f"{ours}.gain"], f"{theirs}.bias": p[f"{ours}.bias"]}
    for theirs, ours in {"linear1": "feed_forward.up", "linear2": "feed_forward.down"}.items():
        weights |= {f"{theirs}.weight": p[f"{ours}.weight"].T, f"{theirs}.bias": p[f"{ours}.bias"]}
    assert weights.keys() == dict(layer.named_parameters()).keys()
    return functional_call(layer.train(), weights, (x,), {"src_mask": ~causal_mask(x.shape[1])})


def plain_norm(p, x):
    y = x - x.mean(-1, keepdim=True)
    return y / torch.sqrt(y.square().mean(-1, keepdim=True) + EPS) * p["gain"] + p["bias"]


def plain_block(p, x):
    """The same from the formulas."""
    def linear(name, x): return x @ p[f"{name}.weight"] + p[f"{name}.bias"]
    y = plain_norm(inside(p, "attention_norm."), x)
    x = x + attention.plain(inside(p, "attention."), y, y, causal_mask(x.shape[1]))
    y = linear("feed_forward.up", plain_norm(inside(p, "feed_forward_norm."), x))
    return x + linear("feed_forward.down", y * (1 + torch.erf(y / math.sqrt(2))) / 2)


def sinusoids(positions):
    angle = torch.arange(positions)[:, None] / 10000 ** (torch.arange(0, C, 2) / C)
    return torch.stack([angle.sin(), angle.cos()], -1).reshape(positions, C)


def logits_and_loss(p, block=torch_block):
    x = F.embedding(IDS, p["embedding.weight"]) * math.sqrt(C) + sinusoids(IDS.shape[1])
    for i in range(BLOCKS):
        x = block(inside(p, f"blocks.{i}."), x)
    x = F.layer_norm(x, (C,), p["norm.gain"], p["norm.bias"], EPS)
    logits = x @ p["output.weight"] + p["output.bias"]
    return logits, F.cross_entropy(logits.reshape(-1, V), TARGETS.reshape(-1), ignore_index=-1)


def model(table):
    p = parameters()
    logits, loss = logits_and_loss(p)
    plain_logits, plain_loss = logits_and_loss(p, plain_block)
    check(logits, plain_logits, "logits")
    gradients = torch.autograd.grad(loss, list(p.values()))
    for n, a, b in zip(p, gradients, torch.autograd.grad(plain_loss, list(p.values()))):
        check(a, b, f"gradient of {n}")

    table.case("model", heads=H, hidden=HIDDEN, blocks=BLOCKS, eps=EPS, ignore=-1)
    table.put("ids", "ids", IDS)
    table.put("ids", "targets", TARGETS)
    table.tensors({**p, "logits": logits, "loss": loss})
    table.tensors(dict(zip(p, gradients)), "grad.")


def train(table, name, make, steps, weight_decay=0.0, **settings):
    p = parameters()
    optimizer = make([
        {"params": [x for x in p.values() if x.ndim >= 2], "weight_decay": weight_decay},
        {"params": [x for x in p.values() if x.ndim < 2], "weight_decay": 0.0}], **settings)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        losses.append(logits_and_loss(p)[1])
        losses[-1].backward()
        optimizer.step()
    table.case(name, steps=steps, weight_decay=weight_decay, **settings)
    table.tensors({"losses": torch.stack(losses), **p})


def write():
    table = Table(
        "step.txt",
        "The case `model` holds a batch, the parameters, logits, loss and gradients. The others",
        "hold the parameters after some steps on that batch from the same start, and the loss",
        "before each step. Weight decay is for tensors of rank 2 or more. The gradient of a key's",
        "bias is 0 but for rounding, which Adam makes large in float: compare those in double.")
    model(table)
    adam = {"lr": 0.01, "betas": (0.9, 0.999), "eps": 1e-8}
    train(table, "adam_1", torch.optim.Adam, 1, **adam)
    train(table, "adam_2", torch.optim.Adam, 2, **adam)
    train(table, "adamw_2", torch.optim.AdamW, 2, weight_decay=0.1, **adam)
    train(table, "sgd_2", torch.optim.SGD, 2, lr=0.1, momentum=0.9)
    table.write()
