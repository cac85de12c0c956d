"""Our files in other hands. numpy reads a model by the format's published layout, computes what it
answers, and writes the same weights in another way; the program must say the same of both."""
import json
import math
import pathlib
import struct
import subprocess
import sys

import numpy as np

program, work = sys.argv[1], pathlib.Path(sys.argv[2])
types = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8")}


def run(*arguments):
    result = subprocess.run([program, *arguments], cwd=work, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def read(path):
    """The layout: 8 bytes with the header's length, lowest first; JSON; then the numbers, which the
    tensors cover without a gap."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length].decode("utf-8", errors="strict"))
    numbers, tensors, end = data[8 + length :], {}, 0
    metadata = header.pop("__metadata__", {})
    assert all(isinstance(value, str) for value in metadata.values())
    for name, entry in header.items():  # in the order of the file
        assert set(entry) == {"dtype", "shape", "data_offsets"}, name
        begin, stop = entry["data_offsets"]
        values = np.frombuffer(numbers[begin:stop], types[entry["dtype"]])
        assert begin == end and values.size == math.prod(entry["shape"]), name
        tensors[name], end = values.reshape(entry["shape"]), stop
    assert end == len(numbers), "bytes are left over"
    assert length % 8 == 0, "the numbers begin at a multiple of 8"
    return metadata, tensors


def write_otherwise(path, metadata, tensors):
    """The last name first, every other tensor as F64, the names in JSON sorted, so that none has its
    place; and a header of odd length, so that no number is aligned."""
    header, numbers = {"__metadata__": metadata}, b""
    for i, name in enumerate(sorted(tensors, reverse=True)):
        dtype = "F64" if i % 2 else "F32"
        piece = tensors[name].astype(types[dtype]).tobytes()
        header[name] = {"shape": list(tensors[name].shape), "dtype": dtype,
                        "data_offsets": [len(numbers), len(numbers) + len(piece)]}
        numbers += piece
    text = json.dumps(header, sort_keys=True, indent=1).encode("ascii")
    text += b" " * (1 - len(text) % 2)
    path.write_bytes(struct.pack("<Q", len(text)) + text + numbers)


def expected_shapes(settings, symbols):
    channels, hidden = settings["channels"], settings["hidden"]
    shapes = {"embedding.weight": (symbols, channels), "output.weight": (channels, symbols),
              "output.bias": (symbols,), "norm.gain": (channels,), "norm.bias": (channels,)}
    for layer in range(settings["layers"]):
        block = f"blocks.{layer}."
        for part in "query", "key", "value", "output":
            shapes[f"{block}attention.{part}.weight"] = (channels, channels)
            shapes[f"{block}attention.{part}.bias"] = (channels,)
        for part in "attention_norm", "feed_forward_norm":
            shapes[f"{block}{part}.gain"] = shapes[f"{block}{part}.bias"] = (channels,)
        shapes[block + "feed_forward.up.weight"] = (channels, hidden)
        shapes[block + "feed_forward.up.bias"] = (hidden,)
        shapes[block + "feed_forward.down.weight"] = (hidden, channels)
        shapes[block + "feed_forward.down.bias"] = (channels,)
    return shapes


def logits(tensors, settings, ids):
    """The whole model, in double: pre-norm, sinusoidal positions, exact GELU."""
    w = {name: values.astype(np.float64) for name, values in tensors.items()}

    def linear(x, name):
        return x @ w[name + ".weight"] + w[name + ".bias"]

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return centred / spread * w[name + ".gain"] + w[name + ".bias"]

    def attention(x, name):
        heads, (time, channels) = settings["heads"], x.shape
        split = lambda part: linear(x, f"{name}.{part}").reshape(time, heads, -1).swapaxes(0, 1)
        scores = split("query") @ split("key").swapaxes(1, 2) / math.sqrt(channels / heads)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        mixed = (weights @ split("value")).swapaxes(0, 1).reshape(time, channels)
        return linear(mixed, name + ".output")

    time, channels = len(ids), settings["channels"]
    angles = np.arange(time)[:, None] / 10000 ** (np.arange(0, channels, 2) / channels)
    positions = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(time, channels)
    gelu = np.vectorize(lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2))))
    x = w["embedding.weight"][ids] * math.sqrt(channels) + positions
    for layer in range(settings["layers"]):
        block = f"blocks.{layer}."
        x = x + attention(norm(x, block + "attention_norm"), block + "attention")
        up = linear(norm(x, block + "feed_forward_norm"), block + "feed_forward.up")
        x = x + linear(gelu(up), block + "feed_forward.down")
    return linear(norm(x, "norm"), "output")


def check_model(folder):
    about = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    settings, symbols = about["settings"], about["symbols"]
    metadata, tensors = read(folder / "model.safetensors")
    kept = json.loads(metadata["settings"])
    assert kept == {name: settings[name] for name in kept}, "the settings are kept with the weights"
    assert metadata["step"] == str(settings["steps"])
    shapes = {name: values.shape for name, values in tensors.items()}
    assert shapes == expected_shapes(settings, len(symbols)), shapes
    assert all(values.dtype == "<f4" and np.isfinite(values).all() for values in tensors.values())
    assert (tensors["blocks.1.feed_forward_norm.gain"] != 1).any(), "it has learned"

    random, compared = np.random.default_rng(1), 0
    for _ in range(4):
        ids = random.integers(len(symbols), size=settings["context"])
        prompt = "".join(symbols[i] for i in ids)
        answer = run("generate", folder.name, "--prompt", prompt).strip()
        ours = np.sort(logits(tensors, settings, ids), axis=-1)
        best = logits(tensors, settings, ids).argmax(-1)
        for place in np.flatnonzero(ours[:, -1] - ours[:, -2] > 1e-3):  # where rounding decides not
            assert answer[place] == symbols[best[place]], (prompt, answer, place)
            compared += 1
    assert compared > 40, f"only {compared} of 64 answers are clear enough to be compared"
    return metadata, tensors, compared


run("train", "reverse", "--steps", "30", "--layers", "2", "--heads", "2", "--channels", "12",
    "--batch", "8", "--samples", "50", "--threads", "1", "--out", "run")
metadata, tensors, compared = check_model(work / "run")
before = run("eval", "run", "--json")
write_otherwise(work / "run/model.safetensors", metadata, tensors)
assert run("eval", "run", "--json") == before, "the same weights, written otherwise, judge the same"
print(f"numpy {np.__version__}: {len(tensors)} tensors read, {compared} answers are the same, and so "
      "is what is read of numpy's file")
