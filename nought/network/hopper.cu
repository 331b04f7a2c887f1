// What the kernels of a Hopper GPU are made of: barriers, copies by the copy engine, a ring of weights, tiles that are dealt
// out, and matrices in shared memory as the matrix unit wants them. Each kernel's text follows this one; STAGES, HEADS, ... are
// written before it.

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

constexpr int CORE = 128;                                   // bytes: 8 rows of 16 bytes, the part of a matrix that stands together
constexpr int TAPS = 9;                                     // cells that a convolution sees
constexpr int ALL_TAPS = TAPS * (1 + 2 * BLOCKS) + 1;       // of all layers; the heads' has one
constexpr int LINE = BOARDS * (WIDTH + 1);                  // cells from one line of the boards to the next
constexpr int CELLS = LINE * HEIGHT;                        // of them N are calculated, a multiple of 16
constexpr int EMPTY = BOARDS * HEIGHT;                      // of them are beside the boards
constexpr int MARGIN = LINE + 1;                            // as far as a tap reaches
constexpr int GROUPS = 2;                                   // of four warps that multiply, each with its own positions
constexpr int WARPS = 4 * GROUPS;
constexpr int PAIR = GROUPS * BOARDS;                       // positions of both groups' tiles

__device__ void set_up_barrier(u32 barrier, u32 count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

__device__ void wait(u32 barrier, u32 parity) {
    asm volatile(
        "{.reg .pred done;\n"
        "AGAIN: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        "@!done bra AGAIN;}" ::"r"(barrier), "r"(parity) : "memory");
}

__device__ void arrive(u32 barrier) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ void fetch(u32 target, const void *source, u32 bytes, u32 barrier) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(target),
        "l"(source), "r"(bytes), "r"(barrier) : "memory");
}

// What these threads have written is to be seen by the matrix unit, and by each other.
__device__ void all_written(int group) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
}

// The ring of weights: which part of it is next, and how often all were.
struct Turn {
    u32 stage = 0, parity = 0;
    __device__ void advance() {
        if (++stage == STAGES) stage = 0, parity ^= 1;
    }
};

// Pairs of tiles are dealt out while the kernel runs: not all blocks of threads find room at the same time, and who begins late
// takes fewer. `dealt` counts what was asked for; it is 0 again when each block has been told that none is left.
__device__ int next_pair(u32 *dealt, int pairs) { return atomicInc(dealt, pairs + gridDim.x - 1); }

// One thread fetches the weights for all. With the first ones for a pair of tiles it tells which pair that is.
__device__ void fetch_all(const char *weights, u32 tap, u32 stem_tap, u32 *dealt, int pairs, u32 ring, u32 full, u32 empty,
                          u32 note) {
    Turn turn;
    for (int pair = 0; pair < pairs;) {
        pair = next_pair(dealt, pairs);
        for (int i = 0; i < ALL_TAPS; i++) {
            wait(empty + 8 * turn.stage, turn.parity ^ 1);
            if (i == 0) asm volatile("st.shared.b32 [%0], %1;" ::"r"(note), "r"(pair) : "memory");
            if (pair >= pairs) return arrive(full + 8 * turn.stage);
            fetch(ring + turn.stage * tap, weights + (u64)i * tap, i < TAPS ? stem_tap : tap, full + 8 * turn.stage);
            turn.advance();
        }
    }
}

// Which pair of tiles is next for those who wait for its weights; none if it is no smaller than their number.
__device__ int told(u32 note, u32 full, const Turn &turn) {
    int pair;
    wait(full + 8 * turn.stage, turn.parity);
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(pair) : "r"(note) : "memory");
    return pair;
}

// Where a matrix stands: `across` bytes from 16 bytes of channels to the next 16, CORE bytes from 8 rows to the next 8.
__device__ u64 matrix(u32 address, u32 across) {
    return (u64)(address >> 4) | (u64)(across >> 4) << 16 | (u64)(CORE >> 4) << 32;
}

// Where a number of a position's heads goes: those of the policy stand first, of all positions, then those of the value.
__device__ u64 place_of(int position, int number, int positions) {
    constexpr int SIZE = HEADS * HEIGHT * WIDTH, CUT = POLICY * HEIGHT * WIDTH;
    return number < CUT ? (u64)position * CUT + number
                        : (u64)positions * CUT + (u64)position * (SIZE - CUT) + number - CUT;
}

__device__ void store(u32 address, u32 a, u32 b, u32 c, u32 d) {
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}
