"""Writes ops.txt, attention.txt, decoder.txt and step.txt: what PyTorch computes, for the tests to
compare with.

    python3 data/reference/make.py          (PyTorch 1.13 wrote the tables that are kept here)

Double precision, one thread, and each case draws from a seed made of its own name, so adding a case
changes no other. Inputs are multiples of 1/64: a float holds them exactly, too. On another machine
the last digit or two of a result may differ. On the way, PyTorch is held against finite differences
and against the formulas of attention, cross-entropy and the transformer written out.

A table is text. Lines that start with # are comments; the others are

    case NAME                                all lines up to the next case belong to it
    KEY VALUE...                             an attribute, as in `axes 0 2`
    tensor NAME SIZES... : VALUES...         row-major; a scalar has no sizes
    ids NAME SIZES... : INTEGERS...
    mask NAME SIZES... : 1 OR 0...           1 = keep, may attend

A case of ops.txt, attention.txt or decoder.txt holds its inputs, `out`, a random `weight` of the
same shape, and for each input the gradient `grad.INPUT` of sum(out * weight). A value has the
digits that it takes to read back the same double: at most 17.
"""

import sys

sys.dont_write_bytecode = True  # nothing is left here but the tables

import attention
import decoder
import ops
import step

ops.write()
attention.write()
decoder.write()
step.write()
