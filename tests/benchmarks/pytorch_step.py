"""A training step in PyTorch of the model that `attention bench --config NAME` trains: a causal
transformer, normalized before each part, GELU, sinusoidal positions, cross entropy, Adam, float32.

    pytorch_step.py CONFIG THREADS STEPS

prints a JSON line like that of `attention bench --json`. compare_pytorch.sh starts it with the BLAS
that is quickest for PyTorch.
"""
import json
import math
import resource
import statistics
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

CONFIGS = {  # C, H, layers, T, B, V
    "tiny": (64, 4, 2, 16, 32, 16),
    "small": (128, 4, 4, 64, 32, 64),
    "baby": (128, 4, 4, 64, 12, 65),
    "babybig": (384, 6, 6, 256, 4, 65),
}
WARM_UP_STEPS = 5


class Attention(nn.Module):
    """One product makes query, key and value of all heads, which is how PyTorch is quickest."""

    def __init__(self, channels, heads, context):
        super().__init__()
        self.heads = heads
        self.query_key_value = nn.Linear(channels, 3 * channels)
        self.output = nn.Linear(channels, channels)
        later = torch.ones(context, context, dtype=torch.bool).triu(1)
        self.register_buffer("later", later)

    def forward(self, x):  # (B, T, C)
        batch, length, channels = x.shape
        split = self.query_key_value(x).view(batch, length, 3, self.heads, -1)
        q, k, v = split.permute(2, 0, 3, 1, 4)  # (B, H, T, D) each
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(self.later, -math.inf).softmax(-1)
        return self.output((weights @ v).transpose(1, 2).reshape(batch, length, channels))


class Block(nn.Module):
    def __init__(self, channels, heads, context):
        super().__init__()
        self.attention_norm = nn.LayerNorm(channels)
        self.attention = Attention(channels, heads, context)
        self.feed_forward_norm = nn.LayerNorm(channels)
        self.up = nn.Linear(channels, 4 * channels)
        self.down = nn.Linear(4 * channels, channels)

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.down(F.gelu(self.up(self.feed_forward_norm(x))))


class Transformer(nn.Module):
    def __init__(self, channels, heads, layers, context, vocabulary):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, channels)
        rates = 10000.0 ** (-torch.arange(0, channels, 2) / channels)
        angles = torch.arange(context)[:, None] * rates
        positions = torch.stack((angles.sin(), angles.cos()), -1).flatten(1)  # (T, C)
        self.register_buffer("positions", positions)
        self.blocks = nn.Sequential(*[Block(channels, heads, context) for _ in range(layers)])
        self.norm = nn.LayerNorm(channels)
        self.output = nn.Linear(channels, vocabulary)

    def forward(self, ids):
        x = self.embedding(ids) * math.sqrt(self.embedding.embedding_dim) + self.positions
        return self.output(self.norm(self.blocks(x)))


def blas_in_use():
    """Where the OpenBLAS that was loaded comes from: its file's name says which threads it uses."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        loaded = {line.split("/")[-1].strip() for line in maps if "openblas" in line}
    return " ".join(sorted(name for name in loaded if "openblas" in name)) or "none of OpenBLAS"


def main():
    config, threads, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    channels, heads, layers, context, batch, vocabulary = CONFIGS[config]
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    model = Transformer(channels, heads, layers, context, vocabulary)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3)
    times = []
    for _ in range(WARM_UP_STEPS + steps):
        ids, targets = torch.randint(vocabulary, (2, batch, context))
        start = time.perf_counter()
        F.cross_entropy(model(ids).flatten(0, 1), targets.flatten()).backward()
        adam.step()
        adam.zero_grad(set_to_none=True)
        times.append(1000 * (time.perf_counter() - start))
    print(json.dumps({
        "threads": torch.get_num_threads(),
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "steps": steps,
        "ms_per_step": statistics.median(times[WARM_UP_STEPS:]),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "version": torch.__version__,
        "blas": blas_in_use(),
    }))


main()
