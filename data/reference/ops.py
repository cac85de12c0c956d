"""ops.txt: each op of tensor/ops.hpp that PyTorch has, too, on axes of pairwise different sizes."""

import math

import torch
import torch.nn.functional as F

from table import Table, check, large, nonzero, positive, repeated

X = (2, 3, 5)
table = Table("ops.txt", "`op` names the operation; the rest of a case's name says which variant.")


def case(op, variant, f, inputs, **rest):
    if not isinstance(inputs, dict):
        inputs = {"x": inputs}
    table.record(f"{op}.{variant}", f, inputs, op=op, **rest)


def label(*shape): return "x".join(map(str, shape)) or "scalar"


def arithmetic():
    for op in ("add", "sub", "mul", "div"):
        for a, b in [(X, X), (X, (3, 1)), (X, (5,)), (X, (2, 1, 5)), (X, ()),
                     ((3, 1), X), ((), X), ((2, 1, 5), (3, 1))]:
            case(op, f"{label(*a)}_{label(*b)}", getattr(torch, op), {"a": a, "b": b}, draw=nonzero)
    case("neg", "normal", torch.neg, X)
    for exponent in (2.5, 3, -1.5):
        case("pow", exponent, lambda x: torch.pow(x, exponent), X, draw=positive, exponent=exponent)
    for mask, a, b in [(X, X, X), ((3, 5), X, ()), ((2, 1, 5), (3, 1), X),
                       ((3, 1), (5,), (2, 1, 1))]:
        keep = (torch.arange(math.prod(mask)) % 3 != 1).reshape(mask)
        case("where", f"{label(*mask)}_{label(*a)}_{label(*b)}",
             lambda x, y: torch.where(keep, x, y), {"a": a, "b": b}, masks={"mask": keep})


def functions():
    for op in ("exp", "tanh", "sigmoid", "erf"):
        case(op, "normal", getattr(torch, op), X)
    for op in ("log", "sqrt"):
        case(op, "positive", getattr(torch, op), X, draw=positive)
    case("relu", "nonzero", torch.relu, X, draw=nonzero)
    case("gelu", "normal", F.gelu, X)
    case("gelu_tanh", "normal", lambda x: F.gelu(x, approximate="tanh"), X)


def matmul():
    # `transpose 0 1`: the second operand is stored with its last two axes the other way round.
    def stored(shape, turned): return (*shape[:-2], shape[-1], shape[-2]) if turned else shape

    for a, b in [((3, 5), (5, 7)), ((2, 3, 4), (2, 4, 5)), ((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)),
                 ((2, 1, 3, 4), (5, 4, 6))]:
        for turn_a, turn_b in [(0, 0), (0, 1), (1, 0), (1, 1)]:
            case("matmul", f"{label(*a)}_{label(*b)}_{turn_a}{turn_b}",
                 lambda x, y: torch.matmul(x.mT if turn_a else x, y.mT if turn_b else y),
                 {"a": stored(a, turn_a), "b": stored(b, turn_b)}, transpose=(turn_a, turn_b))


def layout():
    for axes in [(1, 0, 2), (2, 0, 1), (1, 2, 0), (0, 2, 1)]:
        case("permute", label(*axes), lambda x: x.permute(axes), X, axes=axes)
    case("permute", "heads", lambda x: x.permute(0, 2, 1, 3), (2, 3, 4, 5), axes=(0, 2, 1, 3))
    case("transpose", "0_-1", lambda x: x.transpose(0, -1), X, axes=(0, -1))
    for shape in [(6, 5), (5, 3, 2), (30,), (2, 1, 15)]:
        case("reshape", label(*shape), lambda x: x.reshape(shape), X, shape=shape)
    for old, new in [((3, 1), X), ((), X), (X, (4, *X))]:
        case("broadcast_to", f"{label(*old)}_{label(*new)}", lambda x: x.expand(new), old,
             shape=new)
    for axis, begin, end in [(0, 1, 2), (1, 0, 2), (2, 1, 4), (-1, 0, 5)]:
        case("slice", f"axis{axis}_{begin}_{end}", lambda x: x.narrow(axis, begin, end - begin), X,
             axis=axis, begin=begin, end=end)
    for axis in (0, 1, 2):
        pieces = {n: (*X[:axis], size, *X[axis + 1:]) for n, size in zip("abc", (2, 1, 4))}
        case("concat", f"axis{axis}", lambda *x: torch.cat(x, axis), pieces, axis=axis)
        case("stack", f"axis{axis}", lambda *x: torch.stack(x, axis), dict.fromkeys("abc", (2, 5)),
             axis=axis)
    ids = torch.tensor([[1, 4, 1], [6, 0, 1]])  # 1 three times: its gradients add up
    case("gather_rows", "repeated", lambda x: F.embedding(ids, x), {"table": (7, 5)},
         ids={"ids": ids})


def reductions():
    def variance(x, axes, keepdim): return torch.var(x, axes, unbiased=False, keepdim=keepdim)

    for op, f in {"sum": torch.sum, "mean": torch.mean, "max": torch.amax,
                  "variance": variance}.items():
        for axes in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]:
            for keep in (0, 1):
                case(op, f"axes{label(*axes)}_{'keep' if keep else 'drop'}",
                     lambda x: f(x, axes, keepdim=bool(keep)), X, axes=axes, keep=keep)
    for axes in [(0,), (1,), (2,), (0, 2), (0, 1, 2)]:  # the largest share the gradient equally
        case("max", f"axes{label(*axes)}_tied", lambda x: torch.amax(x, axes), X,
             draw=repeated, smooth=False, axes=axes, keep=0)


def softmax():
    for op in ("softmax", "log_softmax"):
        for axis in (0, 1, 2):
            case(op, f"axis{axis}", lambda x: getattr(torch, op)(x, axis), X, axis=axis)
        case(op, "large", lambda x: getattr(torch, op)(x, -1), X, draw=large, axis=-1)

    # What the mask refuses gets 0, and so does a slice that it refuses completely: that one never
    # meets -inf, but is replaced before and after, so that its gradient is 0 and not NaN.
    def masked(x, axis, mask):
        mask = mask.expand(x.shape)
        y = x.masked_fill(~mask, -math.inf).masked_fill(~mask.any(axis, keepdim=True), 0.0)
        y = y.softmax(axis).masked_fill(~mask, 0.0)
        admitted = mask * x.exp()
        check(y, admitted / admitted.sum(axis, keepdim=True).clamp(min=1e-99), "masked softmax")
        return y

    full = torch.tensor([[[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 0]],
                         [[1, 1, 1, 1, 1], [0, 1, 0, 0, 1], [0, 0, 0, 0, 0]]]).bool()
    for axis, mask in [(-1, full), (-1, full[0]), (-1, full[:, 1:2]), (-1, full[1, 1]),
                       (1, full[0]), (0, full)]:
        case("masked_softmax", f"axis{axis}_{label(*mask.shape)}", lambda x: masked(x, axis, mask),
             X, masks={"mask": mask}, axis=axis)


def cross_entropy():
    def loss(logits, targets, smoothing, over):
        loss = F.cross_entropy(logits.reshape(-1, 7), targets.reshape(-1), ignore_index=-1,
                               label_smoothing=smoothing, reduction="sum" if over else "mean")
        loss = loss / over if over else loss
        scored = targets >= 0  # the mean is over these, with smoothing as without
        goal = F.one_hot(targets[scored], 7) * (1 - smoothing) + smoothing / 7
        plain = -(goal * torch.log_softmax(logits, -1)[scored]).sum() / (over or scored.sum())
        check(loss, plain, "cross-entropy")
        return loss

    plain, ignored = torch.tensor([[[3, 0, 6], [2, 3, 5]], [[3, -1, 6], [-1, 3, -1]]])
    for name, targets, smoothing, over in [
            ("plain", plain, 0, 0), ("smoothed", plain, 0.1, 0), ("ignored", ignored, 0, 0),
            ("ignored_smoothed", ignored, 0.1, 0), ("ignored_smoothed_over", ignored, 0.1, 10)]:
        case("cross_entropy", name, lambda x: loss(x, targets, smoothing, over),
             {"logits": (2, 3, 7)}, ids={"targets": targets}, ignore=-1, smoothing=smoothing,
             over=over)


def normalize():
    case("normalize", "last", lambda x: F.layer_norm(x, (5,), eps=1e-5), X, eps=1e-5)
    case("layer_norm", "last", lambda x, gain, bias: F.layer_norm(x, (5,), gain, bias, 1e-5),
         {"x": X, "gain": (5,), "bias": (5,)}, eps=1e-5)


def write():
    for family in (arithmetic, functions, matmul, layout, reductions, softmax, cross_entropy,
                   normalize):
        family()
    table.write()
