"""Sets of whole numbers as bits: r is in the set if bit r % 64 of word r // 64 is set."""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

WORD = 64  # bits of a word


@intrinsic
def popcount(typingctx, word):
    """Number of bits that are set in a word."""
    if word != types.uint64:
        return None

    def codegen(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest_bit(typingctx, word):
    """Position of the lowest bit that is set in a word, 64 if none is."""
    if word != types.uint64:
        return None

    def codegen(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@njit(cache=True)
def n_words_of(n_rows):
    """Words of a set of rows."""
    return (n_rows + WORD - 1) // WORD


@njit(cache=True)
def add_row(rows, row):
    """Put a row into a set."""
    rows[row // WORD] |= np.uint64(1) << np.uint64(row % WORD)
