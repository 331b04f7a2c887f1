// A whole tower of 64 filters in one kernel, for Hopper GPUs: the positions of a tile stay in shared memory from the
// planes to the heads' 1x1 convolutions. What it is compiled with (BOARDS, N, ...) is written before it by tower.py.
//
// A tile is BOARDS positions. Its cells are numbered (y, position, x), with one empty column to the right of each line:
// a neighbour is then at a fixed distance, and beyond the edges there are zeros. In shared memory 8 channels of a cell
// are 16 bytes and all cells stand in a row, so that a convolution is nine products of matrices, for each of its taps
//     sums[64 filters][N cells] += weights[64 filters][64 channels] * cells[64 channels][N cells, moved by the tap],
// in which "moved" is another address. Each of two groups of four warps has a tile of its own and needs not wait for the
// other: while one rounds and stores its sums, the other multiplies. A ninth warp fetches the weights for both.

constexpr int CHUNK = (3 * MARGIN + 2 * N) * 16;            // bytes: 8 channels of two layers' cells, between margins
constexpr int LAYER = (MARGIN + N) * 16;                    // bytes from one layer's cells to the other's
constexpr int GROUP = FILTERS / 8 * CHUNK;                  // bytes of a tile
constexpr int TAP = FILTERS * FILTERS * 2;                  // bytes of a tap's weights
constexpr int STEM_STEPS = (PLANES + 15) / 16;              // of 16 channels
constexpr int STEPS = FILTERS / 16;

// ---- products ------------------------------------------------------------------------------------------------------
__device__ void multiply(float (&sums)[N / 2], u64 weights, u64 cells, int add) {
    asm volatile(
        "{.reg .pred add; setp.ne.b32 add, %" SUMS_2 ", 0;\n"
        "wgmma.mma_async.sync.aligned.m64n" TEXT_N "k16.f32.bf16.bf16 " SUMS_LIST
        ", %" SUMS_0 ", %" SUMS_1 ", add, 1, 1, 0, 0;}"
        : SUMS(sums) : "l"(weights), "l"(cells), "r"(add));
}

template <int PENDING> __device__ void await_products(float (&sums)[N / 2]) {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
    if (PENDING == 0)
#pragma unroll
        for (int i = 0; i < N / 2; i++) asm volatile("" : "+f"(sums[i])::"memory");
}

template <int STEPS_, int TAPS_>
__device__ void convolve(float (&sums)[N / 2], u32 cells, u32 ring, u32 full, u32 empty, Turn &turn) {
    u32 last = 0;
#pragma unroll 1
    for (int tap = 0; tap < TAPS_; tap++) {
        int moved = TAPS_ == 1 ? 0 : (tap / 3 - 1) * LINE + tap % 3 - 1;
        wait(full + 8 * turn.stage, turn.parity);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < STEPS_; step++)
            multiply(sums, matrix(ring + turn.stage * TAP + step * 16 * CORE, 8 * CORE),
                     matrix(cells + moved * 16 + 2 * step * CHUNK, CHUNK), tap + step > 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (tap > 0) {
            await_products<1>(sums);
            if (threadIdx.x % 32 == 0) arrive(empty + 8 * last);
        }
        last = turn.stage;
        turn.advance();
    }
    await_products<0>(sums);
    if (threadIdx.x % 32 == 0) arrive(empty + 8 * last);
}

// ---- from planes to cells, from sums to cells ----------------------------------------------------------------------
__device__ u32 rectified_pair(float low, float high) {
    u32 pair;
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

__device__ float first_of(u32 pair) { return __uint_as_float(pair << 16); }

__device__ float second_of(u32 pair) { return __uint_as_float(pair & 0xffff0000u); }

__device__ u32 rounded_pair(float low, float high) {
    u32 pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

__device__ void show(const float *planes, u32 cells, int first, int positions) {
    for (int cell = threadIdx.x % 128; cell < N; cell += 128) {
        int y = cell / LINE, board = first + cell % LINE / (WIDTH + 1), x = cell % (WIDTH + 1);
        bool there = x < WIDTH && y < HEIGHT && board < positions;
        const float *seen = planes + (u64)board * PLANES * HEIGHT * WIDTH + y * WIDTH + x;
#pragma unroll
        for (int chunk = 0; chunk < 2 * STEM_STEPS; chunk++) {
            float of[8];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                int plane = 8 * chunk + i;
                of[i] = plane < PLANES && there ? seen[plane * HEIGHT * WIDTH] : 0.0f;
            }
            store(cells + chunk * CHUNK + cell * 16, rounded_pair(of[0], of[1]), rounded_pair(of[2], of[3]),
                  rounded_pair(of[4], of[5]), rounded_pair(of[6], of[7]));
        }
    }
}

// A thread has the sums of two filters, 8 apart, for 2 cells of every 8; blocks of 8x8 are turned round to be stored.
template <bool ADDED> __device__ void finish(float (&sums)[N / 2], u32 cells, const float *biases) {
    int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    float bias[2] = {biases[16 * warp + lane / 4], biases[16 * warp + lane / 4 + 8]};
    u32 place = cells + (2 * warp + lane / 8 % 2) * CHUNK + (lane / 16 * 8 + lane % 8) * 16;
#pragma unroll
    for (int j = 0; j < N / 16; j++) {
        u32 pairs[4];
        if (ADDED)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(pairs[0]), "=r"(pairs[1]), "=r"(pairs[2]), "=r"(pairs[3])
                         : "r"(place + j * 256) : "memory");
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float low = sums[8 * j + 2 * i] + bias[i % 2], high = sums[8 * j + 2 * i + 1] + bias[i % 2];
            if (ADDED) {
                low += first_of(pairs[i]);
                high += second_of(pairs[i]);
            }
            pairs[i] = rectified_pair(low, high);
        }
        asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(place + j * 256),
                     "r"(pairs[0]), "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3]) : "memory");
    }
    __syncwarp();
    for (int i = lane; i < 2 * (EMPTY + N - CELLS); i += 32) {  // what is no cell of a board stays zero
        int cell = i / 2 < EMPTY ? i / 2 * (WIDTH + 1) + WIDTH : CELLS + i / 2 - EMPTY;
        store(cells + (2 * warp + i % 2) * CHUNK + cell * 16, 0, 0, 0, 0);
    }
}

__device__ void answer(u32 cells, u16 *out, int first, int positions) {
    constexpr int SIZE = HEADS * HEIGHT * WIDTH;
    int boards = min(BOARDS, positions - first);
    for (int i = threadIdx.x % 128; i < boards * SIZE; i += 128) {
        int filter = i % SIZE / (HEIGHT * WIDTH), y = i / WIDTH % HEIGHT;
        int cell = y * LINE + i / SIZE * (WIDTH + 1) + i % WIDTH;
        u16 number;
        asm volatile("ld.shared.u16 %0, [%1];" : "=h"(number)
                     : "r"(cells + filter / 8 * CHUNK + cell * 16 + filter % 8 * 2) : "memory");
        out[place_of(first + i / SIZE, i % SIZE, positions)] = number;
    }
}

// ---- the kernel ----------------------------------------------------------------------------------------------------
// planes [positions, PLANES, HEIGHT, WIDTH], weights [ALL_TAPS, 8, FILTERS, 8], biases [layers, FILTERS]
// -> out [positions, POLICY, HEIGHT, WIDTH] and [positions, HEADS - POLICY, HEIGHT, WIDTH]
extern "C" __global__ void __launch_bounds__(32 * WARPS + 32, 1)
tower(const float *planes, const char *weights, const float *biases, u16 *out, u32 *dealt, int positions) {
    extern __shared__ __align__(128) char memory[];
    u32 ring = (u32)__cvta_generic_to_shared(memory), full = ring + STAGES * TAP, empty = full + 8 * STAGES;
    u32 note = empty + 8 * STAGES, tiles = note + NOTE;
    int group = threadIdx.x / 128, pairs = (positions + PAIR - 1) / PAIR;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) set_up_barrier(full + 8 * i, 1), set_up_barrier(empty + 8 * i, WARPS);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    for (u32 at = tiles + threadIdx.x * 16; at < tiles + GROUPS * GROUP; at += blockDim.x * 16)
        store(at, 0, 0, 0, 0);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();

    if (group == GROUPS) {
        if (threadIdx.x % 32 == 0) fetch_all(weights, TAP, STEM_STEPS * 16 * CORE, dealt, pairs, ring, full, empty, note);
        return;
    }
    u32 one = tiles + group * GROUP + MARGIN * 16, other = one + LAYER;
    float sums[N / 2];
    Turn turn;
    for (int pair; (pair = told(note, full, turn)) < pairs;) {
        int first = pair * PAIR + group * BOARDS;
        const float *bias = biases;
        show(planes, one, first, positions);
        all_written(group);
        convolve<STEM_STEPS, TAPS>(sums, one, ring, full, empty, turn);
        finish<false>(sums, other, bias);
        all_written(group);
        for (int block = 0; block < BLOCKS; block++) {
            convolve<STEPS, TAPS>(sums, other, ring, full, empty, turn);
            finish<false>(sums, one, bias += FILTERS);
            all_written(group);
            convolve<STEPS, TAPS>(sums, one, ring, full, empty, turn);
            finish<true>(sums, other, bias += FILTERS);
            all_written(group);
        }
        convolve<STEPS, 1>(sums, other, ring, full, empty, turn);
        finish<false>(sums, one, bias + FILTERS);
        all_written(group);
        answer(one, out, first, positions);
        all_written(group);
    }
}
