// A whole tower of 64 or 128 filters in one kernel, for Hopper GPUs, in integers of 8 bits, whose matrix rate is twice that of
// bfloat16. tower.cu says how cells are numbered and who does what; what differs here:
//
// An integer q stands for step * q; the weights of a filter have a step of their own, what a layer stores has one, and the
// sums are exact. 16 channels of a cell are 16 bytes, and a layer's cells are written over those of the layer before, when
// all products are done. What blocks add to stays bfloat16, in a place that only the thread that wrote it reads again.
// A thread has filters f and f + 8: these stand side by side, and tower_int8.py orders the weights so.

constexpr int PART = 64;                                    // filters of one product
constexpr int PARTS = FILTERS / PART;
constexpr int CHUNK = (2 * MARGIN + N) * 16;                // bytes: 16 channels of all cells, between margins
constexpr int LAYER = FILTERS / 16 * CHUNK;
constexpr int GROUP = LAYER + N * FILTERS * 2;              // bytes of a tile: a layer, and what blocks add to
constexpr int ACROSS = FILTERS * 16;                        // bytes: 16 channels of a tap's weights
constexpr int TAP = FILTERS * FILTERS;                      // bytes of a tap's weights
constexpr int STEM_STEPS = (PLANES + 31) / 32;              // of 32 channels
constexpr int STEPS = FILTERS / 32;

typedef int Sums[N / 2];                                    // of a thread, for one part of the filters

// ---- products ------------------------------------------------------------------------------------------------------
__device__ void multiply(Sums &sums, u64 weights, u64 cells, int add) {
    asm volatile(
        "{.reg .pred add; setp.ne.b32 add, %" SUMS_2 ", 0;\n"
        "wgmma.mma_async.sync.aligned.m64n" TEXT_N "k32.s32.s8.u8 " SUMS_LIST ", %" SUMS_0 ", %" SUMS_1 ", add;}"
        : SUMS(sums) : "l"(weights), "l"(cells), "r"(add));
}

template <int PENDING> __device__ void await_products(Sums (&sums)[PARTS]) {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
    if (PENDING == 0)
#pragma unroll
        for (int i = 0; i < PARTS * N / 2; i++) asm volatile("" : "+r"(sums[i / (N / 2)][i % (N / 2)])::"memory");
}

// The heads have one part of the filters.
template <int STEPS_, int TAPS_>
__device__ void convolve(Sums (&sums)[PARTS], u32 cells, u32 ring, u32 full, u32 empty, Turn &turn, int group) {
    constexpr int PARTS_ = TAPS_ == 1 ? 1 : PARTS;
    u32 last = 0;
#pragma unroll 1
    for (int tap = 0; tap < TAPS_; tap++) {
        int moved = TAPS_ == 1 ? 0 : (tap / 3 - 1) * LINE + tap % 3 - 1;
        wait(full + 8 * turn.stage, turn.parity);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < STEPS_; step++)
#pragma unroll
            for (int part = 0; part < PARTS_; part++)
                multiply(sums[part], matrix(ring + turn.stage * TAP + 2 * step * ACROSS + part * PART * 16, ACROSS),
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
    all_written(group);  // nobody reads these cells any more
}

// ---- from planes to cells, from sums to cells ----------------------------------------------------------------------
// Four numbers as integers from 0 to 255; what is below 0 becomes 0, which rectifies.
__device__ u32 integers(float a, float b, float c, float d) {
    u32 four;
    asm("{.reg .u32 upper;\n"
        "cvt.pack.sat.u8.s32.b32 upper, %4, %3, 0;\n"
        "cvt.pack.sat.u8.s32.b32 %0, %2, %1, upper;}"
        : "=r"(four)
        : "r"(__float2int_rn(a)), "r"(__float2int_rn(b)), "r"(__float2int_rn(c)), "r"(__float2int_rn(d)));
    return four;
}

__device__ u32 rectified_pair(float low, float high) {
    u32 pair;
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

__device__ float first_of(u32 pair) { return __uint_as_float(pair << 16); }

__device__ float second_of(u32 pair) { return __uint_as_float(pair & 0xffff0000u); }

__device__ void show(const float *planes, float per_step, u32 cells, int first, int positions) {
    for (int cell = threadIdx.x % 128; cell < N; cell += 128) {
        int y = cell / LINE, board = first + cell % LINE / (WIDTH + 1), x = cell % (WIDTH + 1);
        bool there = x < WIDTH && y < HEIGHT && board < positions;
        const float *seen = planes + (u64)board * PLANES * HEIGHT * WIDTH + y * WIDTH + x;
#pragma unroll
        for (int chunk = 0; chunk < 2 * STEM_STEPS; chunk++) {
            float of[16];
#pragma unroll
            for (int i = 0; i < 16; i++) {
                int plane = 16 * chunk + i;
                of[i] = plane < PLANES && there ? per_step * seen[plane * HEIGHT * WIDTH] : 0.0f;
            }
            store(cells + chunk * CHUNK + cell * 16, integers(of[0], of[1], of[2], of[3]),
                  integers(of[4], of[5], of[6], of[7]), integers(of[8], of[9], of[10], of[11]),
                  integers(of[12], of[13], of[14], of[15]));
        }
    }
}

// What a layer does with its sums: a block's first one only hands them on, the second adds what was there before the
// block, and the stem begins with that.
enum Kind { FIRST, SECOND, STEM };

// A thread has the sums of filters f and f + 8 for 2 cells of every 8. `numbers` are a factor and a bias for each filter.
template <Kind KIND>
__device__ void finish(Sums (&sums)[PARTS], u32 cells, u32 stream, const float2 *numbers, float per_step) {
    int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
        float2 low = numbers[PART * part + 16 * warp + lane / 4], high = numbers[PART * part + 16 * warp + lane / 4 + 8];
        u32 place = cells + (4 * part + warp) * CHUNK + lane % 16 * 16;
        u32 own = stream + part * N * PART * 2 + threadIdx.x % 128 * 16;
#pragma unroll
        for (int j = 0; j < N / 16; j++) {
            u32 pairs[4], stored[2];
            if (KIND == SECOND)
                asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(pairs[0]), "=r"(pairs[1]), "=r"(pairs[2]), "=r"(pairs[3])
                             : "r"(own + j * 2048) : "memory");
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const int *of = sums[part] + 8 * j + 4 * i;
                float a = of[0] * low.x + low.y, b = of[1] * low.x + low.y;
                float c = of[2] * high.x + high.y, d = of[3] * high.x + high.y;
                if (KIND == SECOND) {
                    a += first_of(pairs[2 * i]), b += second_of(pairs[2 * i]);
                    c += first_of(pairs[2 * i + 1]), d += second_of(pairs[2 * i + 1]);
                }
                if (KIND != FIRST) {
                    pairs[2 * i] = rectified_pair(a, b), pairs[2 * i + 1] = rectified_pair(c, d);
                    a *= per_step, b *= per_step, c *= per_step, d *= per_step;
                }
                stored[i] = integers(a, c, b, d);
            }
            if (KIND != FIRST) store(own + j * 2048, pairs[0], pairs[1], pairs[2], pairs[3]);
            asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(place + j * 256),
                         "r"(stored[0]), "r"(stored[1]) : "memory");
        }
    }
    __syncwarp();
    for (int i = lane; i < PARTS * (EMPTY + N - CELLS); i += 32) {  // what is no cell of a board stays zero
        int number = i / PARTS, cell = number < EMPTY ? number * (WIDTH + 1) + WIDTH : CELLS + number - EMPTY;
        store(cells + (4 * (i % PARTS) + warp) * CHUNK + cell * 16, 0, 0, 0, 0);
    }
}

// The heads' numbers, [filters][cells], where blocks no longer add to anything; and from there to the GPU's memory.
__device__ void finish_heads(Sums &sums, u32 stream, const float2 *numbers) {
    int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < N / 4; i++) {
        int filter = 16 * warp + lane / 4 + 8 * (i % 2), cell = i / 2 * 8 + 2 * (lane % 4);
        float2 number = numbers[filter];
        u32 pair = rectified_pair(sums[2 * i] * number.x + number.y, sums[2 * i + 1] * number.x + number.y);
        asm volatile("st.shared.b32 [%0], %1;" ::"r"(stream + (filter * N + cell) * 2), "r"(pair) : "memory");
    }
}

__device__ void answer(u32 stream, u16 *out, int first, int positions) {
    constexpr int SIZE = HEADS * HEIGHT * WIDTH;
    int boards = min(BOARDS, positions - first);
    for (int i = threadIdx.x % 128; i < boards * SIZE; i += 128) {
        int filter = i % SIZE / (HEIGHT * WIDTH), y = i / WIDTH % HEIGHT;
        int cell = y * LINE + i / SIZE * (WIDTH + 1) + i % WIDTH;
        u16 number;
        asm volatile("ld.shared.u16 %0, [%1];" : "=h"(number) : "r"(stream + (filter * N + cell) * 2) : "memory");
        out[place_of(first + i / SIZE, i % SIZE, positions)] = number;
    }
}

__device__ void evaluate(const float *planes, const float2 *numbers, const float *per_step, u16 *out, int positions,
                         int pairs, int group, u32 cells, u32 stream, u32 ring, u32 full, u32 empty, u32 note) {
    Turn turn;
    Sums sums[PARTS];
    for (int pair; (pair = told(note, full, turn)) < pairs;) {
        int first = pair * PAIR + group * BOARDS;
        const float2 *factors = numbers;
        show(planes, per_step[0], cells, first, positions);
        all_written(group);
        convolve<STEM_STEPS, TAPS>(sums, cells, ring, full, empty, turn, group);
        finish<STEM>(sums, cells, stream, factors, per_step[1]);
        all_written(group);
        for (int block = 0; block < BLOCKS; block++) {
            convolve<STEPS, TAPS>(sums, cells, ring, full, empty, turn, group);
            finish<FIRST>(sums, cells, stream, factors += FILTERS, 1.0f);
            all_written(group);
            convolve<STEPS, TAPS>(sums, cells, ring, full, empty, turn, group);
            finish<SECOND>(sums, cells, stream, factors += FILTERS, per_step[2 + block]);
            all_written(group);
        }
        convolve<STEPS, 1>(sums, cells, ring, full, empty, turn, group);
        finish_heads(sums[0], stream, factors + FILTERS);
        all_written(group);
        answer(stream, out, first, positions);
        all_written(group);
    }
}

// ---- the kernel ----------------------------------------------------------------------------------------------------
// planes [positions, PLANES, HEIGHT, WIDTH], weights [ALL_TAPS, 8, FILTERS, 16], numbers [layers, FILTERS],
// per_step [2 + BLOCKS]: of the planes, and of what the stem and each block store
// -> out [positions, POLICY, HEIGHT, WIDTH] and [positions, HEADS - POLICY, HEIGHT, WIDTH]
extern "C" __global__ void __launch_bounds__(128 * (GROUPS + 1), 1)
tower(const float *planes, const char *weights, const float2 *numbers, const float *per_step, u16 *out, u32 *dealt,
      int positions) {
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

    if (group == GROUPS) {  // a thread of these fetches the weights; the others' registers are for the sums
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x % 128 == 0) fetch_all(weights, TAP, 2 * STEM_STEPS * ACROSS, dealt, pairs, ring, full, empty, note);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        u32 tile = tiles + group * GROUP;
        evaluate(planes, numbers, per_step, out, positions, pairs, group, tile + MARGIN * 16, tile + LAYER, ring, full,
                 empty, note);
    }
}
