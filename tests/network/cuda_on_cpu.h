// As much of CUDA as norm.cu needs, on a CPU: blocks one after the other, the threads of a block as threads.
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(threads)

struct Place {
  unsigned x;
};
static thread_local Place threadIdx, blockIdx;
static Place blockDim, gridDim;
static std::unique_ptr<std::barrier<>> everybody;

static void __syncthreads() { everybody->arrive_and_wait(); }
static void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
static unsigned atomicAdd(unsigned* number, unsigned more) { return std::atomic_ref<unsigned>(*number).fetch_add(more); }

static float __uint_as_float(unsigned bits) {
  float number;
  std::memcpy(&number, &bits, 4);
  return number;
}

static unsigned __float_as_uint(float number) {
  unsigned bits;
  std::memcpy(&bits, &number, 4);
  return bits;
}

template <typename Kernel>
static void in_blocks(unsigned blocks, unsigned threads, Kernel kernel) {
  gridDim.x = blocks;
  blockDim.x = threads;
  for (unsigned block = 0; block < blocks; block++) {
    everybody = std::make_unique<std::barrier<>>(threads);
    std::vector<std::jthread> running;
    for (unsigned thread = 0; thread < threads; thread++)
      running.emplace_back([=] {
        blockIdx.x = block;
        threadIdx.x = thread;
        kernel();
        everybody->arrive_and_drop();
      });
  }
}

// A function `run_NAME` that takes the arguments of a kernel from numbers of 64 bits, as CUDA's driver does.
template <typename... Given, size_t... I>
static void called(void (*kernel)(Given...), const uint64_t* given, std::index_sequence<I...>) {
  kernel((Given)given[I]...);
}

template <typename... Given>
static void run(void (*kernel)(Given...), unsigned blocks, unsigned threads, const uint64_t* given) {
  in_blocks(blocks, threads, [=] { called(kernel, given, std::index_sequence_for<Given...>()); });
}

#define RUN(name) \
  extern "C" void run_##name(unsigned blocks, unsigned threads, const uint64_t* given) { run(name, blocks, threads, given); }
