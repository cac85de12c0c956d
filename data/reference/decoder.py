"""decoder.txt: torch.nn.TransformerDecoderLayer, with the norms before its three parts or after."""

import torch
from torch.nn.utils.stateless import functional_call

import attention
from attention import B, C, H, PROJECTIONS, S, T, causal_mask
from step import EPS, HIDDEN, inside, plain_norm
from table import Table, check, normal

NORMS = ("attention_norm", "cross_attention_norm", "feed_forward_norm")  # norm1, norm2, norm3


def shapes():
    def linear(n, m): return {"weight": (n, m), "bias": (m,)}
    layers = {norm: {"gain": (C,), "bias": (C,)} for norm in NORMS}
    layers |= {f"{part}.{n}": linear(C, C) for part in ("attention", "cross_attention")
               for n in PROJECTIONS}
    layers |= {"feed_forward.up": linear(C, HIDDEN), "feed_forward.down": linear(HIDDEN, C)}
    return {f"{layer}.{n}": shape for layer, part in layers.items() for n, shape in part.items()}


def torch_block(p, padding, pre):
    layer = torch.nn.TransformerDecoderLayer(C, H, HIDDEN, dropout=0.0, activation="gelu",
                                             layer_norm_eps=EPS, batch_first=True, norm_first=pre)
    weights = {}
    for theirs, ours in {"self_attn": "attention", "multihead_attn": "cross_attention"}.items():
        weights |= {f"{theirs}.{n}": w
                    for n, w in attention.torch_weights(inside(p, f"{ours}.")).items()}
    for i, norm in enumerate(NORMS, 1):
        weights |= {f"norm{i}.weight": p[f"{norm}.gain"], f"norm{i}.bias": p[f"{norm}.bias"]}
    for theirs, ours in {"linear1": "feed_forward.up", "linear2": "feed_forward.down"}.items():
        weights |= {f"{theirs}.weight": p[f"{ours}.weight"].T, f"{theirs}.bias": p[f"{ours}.bias"]}
    assert weights.keys() == dict(layer.named_parameters()).keys()
    return functional_call(layer.train(), weights, (p["x"], p["memory"]), {
        "tgt_mask": ~causal_mask(T), "memory_key_padding_mask": ~padding})


def plain_block(p, padding, pre):
    """The same from the formulas."""
    def linear(name, x): return x @ p[f"{name}.weight"] + p[f"{name}.bias"]
    def think(x): return linear("feed_forward.down",
                                torch.nn.functional.gelu(linear("feed_forward.up", x)))
    def attend(x): return attention.plain(inside(p, "attention."), x, x, causal_mask(T))
    def look(x): return attention.plain(inside(p, "cross_attention."), x, p["memory"],
                                        padding[:, None, None])
    x = p["x"]
    for norm, part in zip(NORMS, (attend, look, think)):
        def normed(x): return plain_norm(inside(p, f"{norm}."), x)
        x = x + part(normed(x)) if pre else normed(x + part(x))
    return x


def case(table, name, pre):
    padding = torch.arange(S) < torch.tensor((5, 3))[:, None]
    inputs = {"x": (B, T, C), "memory": (B, S, C), **shapes()}

    def block(*values):
        p = dict(zip(inputs, values))
        out = torch_block(p, padding, pre)
        check(out, plain_block(p, padding, pre), "decoder block")
        return out

    def draw(*shape): return normal(*shape, deviation=1.0 if len(shape) == 3 else 0.5)
    table.record(name, block, inputs, draw=draw, masks={"padding": padding[:, None, None]},
                 heads=H, hidden=HIDDEN, norm=name.split("_")[0], eps=EPS)


def write():
    table = Table(
        "decoder.txt",
        "A block of a decoder: x (B, T, C) attends to itself, up to the same place, then to the",
        "memory (B, S, C), of which `padding` (B, 1, 1, S) lets some be seen, then feed-forward.",
        "`norm` is pre (before each part) or post (after it). Gradients of keys' biases are 0 but",
        "for rounding.")
    case(table, "pre_norm", True)
    case(table, "post_norm", False)
    table.write()
