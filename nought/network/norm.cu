// Batch norm, what is added to it and the rectifier, as a network learns: forwards and backwards two passes over the layer
// each, one for the sums of every channel and one that uses them.
//
// A layer is [rows, channels] numbers of bfloat16, a row for each cell of each position. A thread has eight channels, in
// which it goes through rows, several at once: memory is far away. Threads of a block beside each other have the channels
// beside each other. Defined before this text: THREADS of a block and MOST_CHANNELS, neither of which may be exceeded,
// EPSILON and MOMENTUM of the norm.
//
// Sums are added in the same order every time, whichever block comes first: the last one to arrive adds what all have left.

typedef unsigned short Half;
typedef unsigned int Word;
typedef unsigned long long Long;

constexpr int AHEAD = 4;   // rows of a layer that a thread reads at once
constexpr int ADDED = 32;  // numbers that it adds at once

struct alignas(16) Eight {
  Half at[8];
};

// Which rows a thread has, `step` apart, and where its channels stand in them.
struct Share {
  Long rows, lanes, lane, first, step;
  __device__ Share(Long rows, Long lanes) : rows(rows), lanes(lanes), lane(threadIdx.x % lanes) {
    const Long at_once = blockDim.x / lanes;
    first = blockIdx.x * at_once + threadIdx.x / lanes;
    step = gridDim.x * at_once;
  }
  __device__ bool has(Long row) const { return row < rows; }
  __device__ Eight read(const Eight *layer, Long row) const { return has(row) ? layer[row * lanes + lane] : Eight{}; }
  __device__ void write(Eight *layer, Long row, const Eight &numbers) const {
    if (has(row)) layer[row * lanes + lane] = numbers;
  }
};

__device__ inline float wide(Half number) { return __uint_as_float((Word)number << 16); }

__device__ inline Half narrow(float number) {
  Word bits = __float_as_uint(number);
  if (number != number) return 0x7fff;
  return (Half)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);  // to the nearest, of two to the even one
}

// Sums of rows of numbers, column by column, by all threads of a block: each group of threads has some of the rows, and
// `parts` has what each group found, [groups, columns]. The number of groups.
__device__ inline Word add_up(const float *numbers, Word rows, Word columns, float *parts) {
  const Word groups = columns < blockDim.x ? blockDim.x / columns : 1, group = threadIdx.x / columns;
  if (group < groups)
    for (Word column = threadIdx.x % columns; column < columns; column += blockDim.x) {
      float sum = 0;
      for (Word first = group; first < rows; first += ADDED * groups)
#pragma unroll
        for (int i = 0; i < ADDED; i++) {
          const Word row = first + i * groups;
          sum += row < rows ? numbers[row * columns + column] : 0.0f;
        }
      parts[group * columns + column] = sum;
    }
  __syncthreads();
  return groups;
}

// Adds two sums of each of this thread's channels to those of all others, by way of `left`, [blocks, 2, channels]. The last
// block to come has them in `sums`, [2, channels], and is told so.
__device__ inline bool gather(const float (&own)[2][8], Word channels, float *left, Word *arrived, double *sums) {
  alignas(16) __shared__ float shared[THREADS * 16];
  __shared__ float parts[2 * MOST_CHANNELS > THREADS ? 2 * MOST_CHANNELS : THREADS];
  __shared__ bool last;
  const Word columns = 2 * channels, lanes = channels / 8, lane = threadIdx.x % lanes, row = threadIdx.x / lanes;
  for (int which = 0; which < 2; which++)
    for (int i = 0; i < 8; i++) shared[row * columns + which * channels + 8 * lane + i] = own[which][i];
  __syncthreads();
  Word groups = add_up(shared, blockDim.x / lanes, columns, parts);
  for (Word column = threadIdx.x; column < columns; column += blockDim.x) {
    float sum = 0;
    for (Word group = 0; group < groups; group++) sum += parts[group * columns + column];
    left[blockIdx.x * columns + column] = sum;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    if (last) *arrived = 0;  // for the next layer
  }
  __syncthreads();
  if (!last) return false;
  __threadfence();
  groups = add_up(left, gridDim.x, columns, parts);
  for (Word column = threadIdx.x; column < columns; column += blockDim.x) {
    double sum = 0;
    for (Word group = 0; group < groups; group++) sum += parts[group * columns + column];
    sums[column] = sum;
  }
  __syncthreads();
  return true;
}

// The mean and the deviation of every channel, from which `line` follows: a number's weight and what is added, [2, channels].
// `kept`: the mean and one over the deviation, [2, channels], for the way back.
extern "C" __global__ void __launch_bounds__(THREADS)
norm_sums(const Eight *layer, Long rows, Long lanes, float *left, Word *arrived, const float *weight, const float *bias,
          float *line, float *kept, float *mean_so_far, float *variance_so_far, Long *batches_so_far) {
  const Share share(rows, lanes);
  float sums[2][8] = {};
  for (Long first = share.first; first < rows; first += AHEAD * share.step) {
    Eight numbers[AHEAD];
#pragma unroll
    for (int n = 0; n < AHEAD; n++) numbers[n] = share.read(layer, first + n * share.step);
#pragma unroll
    for (int n = 0; n < AHEAD; n++)
#pragma unroll
      for (int i = 0; i < 8; i++) {
        const float number = wide(numbers[n].at[i]);
        sums[0][i] += number;
        sums[1][i] += number * number;
      }
  }
  const Word channels = 8 * lanes;
  __shared__ double found[2 * MOST_CHANNELS];
  if (!gather(sums, channels, left, arrived, found)) return;
  for (Word channel = threadIdx.x; channel < channels; channel += blockDim.x) {
    const double mean = found[channel] / rows, square = found[channels + channel] / rows - mean * mean;
    const double variance = square > 0 ? square : (square == square ? 0 : square);  // what is no number is to be seen
    const float over = (float)(1 / sqrt(variance + EPSILON));
    const float slope = weight[channel] * over;
    line[channel] = slope;
    line[channels + channel] = bias[channel] - (float)mean * slope;
    kept[channel] = (float)mean;
    kept[channels + channel] = over;
    const double sampled = variance * rows / (rows - 1);
    mean_so_far[channel] += (float)(MOMENTUM * (mean - mean_so_far[channel]));
    variance_so_far[channel] += (float)(MOMENTUM * (sampled - variance_so_far[channel]));
  }
  if (threadIdx.x == 0) *batches_so_far += 1;
}

// What the norm makes of the layer, with `added` to it if that is not null, rectified.
extern "C" __global__ void __launch_bounds__(THREADS)
norm_apply(const Eight *layer, const Eight *added, Long rows, Long lanes, const float *line, Eight *result) {
  const Share share(rows, lanes);
  float slope[8], shift[8];
  for (int i = 0; i < 8; i++) {
    slope[i] = line[8 * share.lane + i];
    shift[i] = line[8 * (lanes + share.lane) + i];
  }
  for (Long row = share.first; row < rows; row += share.step) {
    const Eight numbers = share.read(layer, row);
    Eight more = {}, found;
    if (added) more = share.read(added, row);
#pragma unroll
    for (int i = 0; i < 8; i++) {
      const float number = wide(numbers.at[i]) * slope[i] + shift[i] + wide(more.at[i]);
      found.at[i] = narrow(number < 0 ? 0 : number);
    }
    share.write(result, row, found);
  }
}

// The gradients of weight and bias, [2, channels], and from them the line by which `norm_back` finds the layer's:
// [3, channels], what the result's gradient, the layer itself and 1 count for.
extern "C" __global__ void __launch_bounds__(THREADS)
norm_back_sums(const Eight *layer, const Eight *result, const Eight *gradient, Long rows, Long lanes, float *left,
               Word *arrived, const float *weight, const float *kept, float *found_gradients, float *line) {
  const Share share(rows, lanes);
  float sums[2][8] = {}, mean[8];
  for (int i = 0; i < 8; i++) mean[i] = kept[8 * share.lane + i];
  for (Long first = share.first; first < rows; first += AHEAD * share.step) {
    Eight numbers[AHEAD], results[AHEAD], gradients[AHEAD];
#pragma unroll
    for (int n = 0; n < AHEAD; n++) {
      const Long row = first + n * share.step;
      numbers[n] = share.read(layer, row);
      results[n] = share.read(result, row);  // 0 behind the last row, where then nothing is added
      gradients[n] = share.read(gradient, row);
    }
#pragma unroll
    for (int n = 0; n < AHEAD; n++)
#pragma unroll
      for (int i = 0; i < 8; i++) {
        const float one = wide(results[n].at[i]) > 0 ? wide(gradients[n].at[i]) : 0;
        sums[0][i] += one * (wide(numbers[n].at[i]) - mean[i]);
        sums[1][i] += one;
      }
  }
  const Word channels = 8 * lanes;
  __shared__ double found[2 * MOST_CHANNELS];
  if (!gather(sums, channels, left, arrived, found)) return;
  for (Word channel = threadIdx.x; channel < channels; channel += blockDim.x) {
    const double over = kept[channels + channel], tilted = found[channel] * over, slope = weight[channel] * over;
    found_gradients[channel] = (float)tilted;
    found_gradients[channels + channel] = (float)found[channels + channel];
    const double tilt = -slope * over * tilted / rows;
    line[channel] = (float)slope;
    line[channels + channel] = (float)tilt;
    line[2 * channels + channel] = (float)(-slope * found[channels + channel] / rows - tilt * kept[channel]);
  }
}

// The gradient of the layer, and that of what was added to it if `added_gradient` is not null.
extern "C" __global__ void __launch_bounds__(THREADS)
norm_back(const Eight *layer, const Eight *result, const Eight *gradient, Long rows, Long lanes, const float *line,
          Eight *layer_gradient, Eight *added_gradient) {
  const Share share(rows, lanes);
  float slope[8], tilt[8], shift[8];
  for (int i = 0; i < 8; i++) {
    slope[i] = line[8 * share.lane + i];
    tilt[i] = line[8 * (lanes + share.lane) + i];
    shift[i] = line[8 * (2 * lanes + share.lane) + i];
  }
  for (Long row = share.first; row < rows; row += share.step) {
    const Eight numbers = share.read(layer, row), results = share.read(result, row), gradients = share.read(gradient, row);
    Eight found, passed;
#pragma unroll
    for (int i = 0; i < 8; i++) {
      passed.at[i] = wide(results.at[i]) > 0 ? gradients.at[i] : (Half)0;
      found.at[i] = narrow(slope[i] * wide(passed.at[i]) + tilt[i] * wide(numbers.at[i]) + shift[i]);
    }
    share.write(layer_gradient, row, found);
    if (added_gradient) share.write(added_gradient, row, passed);
  }
}
