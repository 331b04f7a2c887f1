"""Search and evaluation in turns without Python, where compiled code can call the evaluator by itself."""

import numpy as np

from nought.games.contract import ACTIONS, STATE, planes
from nought.search.kernels.advance import advance
from nought.search.kernels.record import ONE, STATE_WORDS, TWO
from nought.search.memory import BATCH_COUNT, LAYOUT, LOG_COUNT, MemoryLayout, U
from nought.search.pointers import call, pointer, read_tuple, view


def rounds(memory, room, answers, sizes, graphs, queue, count):
    """Search on and evaluate, `count` times. Ends sooner when all games are done or the log is half full. The arrays are
    those of nought.search.evaluator.Native; returns the code of what failed, or 0."""
    ints, floats, words = pointer(memory, np.int32), pointer(memory, np.float32), pointer(memory, np.uint64)
    layout = read_tuple(MemoryLayout, words, LAYOUT)
    stream, event, launch, record, wait = queue[0], queue[1], queue[2], queue[3], queue[4]
    for _ in range(count):
        advance(memory)
        batch = U(ints[BATCH_COUNT])
        if batch == U(0):
            break
        for i in range(batch):
            room[i] = np.float32(0)
            planes(view(words, (layout.batch >> ONE) + i * STATE_WORDS, STATE[0], STATE[1]), room[i])
        smallest = 0
        while U(sizes[smallest]) < batch:
            smallest += 1
        code = call(launch, (graphs[smallest], stream))
        if code == 0:
            code = call(record, (event, stream))
        if code == 0:
            code = call(wait, (event,))
        if code != 0:
            return code
        for i in range(batch):
            for a in range(U(ACTIONS)):
                floats[layout.policy + i * U(ACTIONS) + a] = answers[i, a]
            floats[layout.value + i] = answers[i, ACTIONS]
        if TWO * U(ints[LOG_COUNT]) > layout.log_rows:
            break
    return 0
