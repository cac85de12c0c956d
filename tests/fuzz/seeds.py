#!/usr/bin/env python3
"""Writes the seeds in corpus/safetensors and corpus/text: one of each kind that the readers know.
Those in corpus/run_json are what `attention train` has written."""
import pathlib
import struct

corpus = pathlib.Path(__file__).parent / "corpus"


def entry(dtype, shape, begin, end):
    return f'{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{begin},{end}]}}'


def checkpoint(name, members, data, padding=""):
    header = ("{" + ",".join(f'"{key}":{value}' for key, value in members) + "}" + padding).encode()
    (corpus / "safetensors" / name).write_bytes(struct.pack("<Q", len(header)) + header + data)


def text(name, data):
    (corpus / "text" / name).write_bytes(data)


f32, f64 = struct.pack("<4f", 1, -2, 0.5, 3), struct.pack("<2d", 1 / 3, -1e9)
metadata = ("__metadata__", '{"step":"7","名":"值"}')

checkpoint("empty", [], b"", padding=" " * 6)
checkpoint("one", [("w", entry("F32", [2, 2], 0, 16))], f32)
checkpoint("metadata", [metadata, ("b", entry("F32", [], 0, 4))], f32[:4])
checkpoint("both_kinds", [("a", entry("F64", [2], 4, 20)), ("b", entry("F32", [1, 1], 0, 4))],
           f32[:4] + f64)
checkpoint("no_numbers", [("e", entry("F32", [0, 4], 0, 0)), ("w", entry("F64", [1, 2], 0, 16))], f64)
checkpoint("escaped", [(r"\u0061\n\"", entry("F32", [4], 0, 16))], f32)
checkpoint("infinite", [("x", entry("F32", [4], 0, 16))],
           struct.pack("<4f", float("inf"), float("-inf"), float("nan"), 1e-45))
checkpoint("too_large", [("x", entry("F64", [1], 0, 8))], struct.pack("<d", 1e300))
checkpoint("twice", [("w", entry("F32", [1], 0, 4))] * 2, f32[:4])
checkpoint("overlap", [("a", entry("F32", [2], 0, 8)), ("b", entry("F32", [2], 4, 12))], f32[:12])
checkpoint("gap", [("a", entry("F32", [1], 0, 4)), ("b", entry("F32", [1], 8, 12))], f32[:12])
checkpoint("overflow", [("w", entry("F32", [2**62 + 2], 0, 8))], f32[:8])
checkpoint("deep", [("w", "[" * 20 + "]" * 20)], b"")
checkpoint("half", [("w", entry("BF16", [4], 0, 8))], f32[:8])
checkpoint("cut_short", [("w", entry("F32", [4], 0, 16))], f32[:12])

text("english", b"to be or not to be, that is the question\n")
text("chinese", "小明喜欢吃苹果，因为苹果很甜。".encode())
text("lines", b"one\r\ntwo\rthree\n\r\n\n")
text("marked", b"\xef\xbb\xbfbyte order mark\xef\xbb\xbf")
text("widths", "a¢€𐍈 a\u0301 \u200b\u2028\ufffd\U0010ffff\u0085".encode())
text("surrogate", b"ab\xed\xa0\x80cd")
text("overlong", b"\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf")
text("beyond", b"\xf4\x90\x80\x80\xf8\x88\x80\x80\x80")
text("cut_short", "apples 苹果".encode()[:-1])
text("zero", b"a\0b\x7f\x1b[31m")
text("sum", b"12+34=046")
