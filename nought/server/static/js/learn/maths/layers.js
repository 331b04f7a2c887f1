// What networks are made of, on plain numbers and lists. No elements.

const dot = (a, b) => a.reduce((sum, one, i) => sum + one * b[i], 0);

/** A neuron's sum (002, figure 4.1.1): every input times its weight, and the bias. */
export const neuron = (inputs, weights, bias = 0) => dot(inputs, weights) + bias;

/** A fully connected layer (000, equation 21): a neuron for each row of `weights`. */
export const dense = (inputs, weights, biases) => weights.map((row, i) => neuron(inputs, row, biases[i]));

/** Activation functions with their derivatives (000, equations 26–34). `c` is the slope of a leaky rectifier. */
export const ACTIVATIONS = {
  tanh: { of: Math.tanh, slope: (x) => 1 - Math.tanh(x) ** 2 },
  relu: { of: (x) => Math.max(0, x), slope: (x) => Number(x >= 0) },
  leaky: { of: (x, c) => (x >= 0 ? x : c * x), slope: (x, c) => (x >= 0 ? 1 : c) },
  sigmoid: { of: (x) => 1 / (1 + Math.exp(-x)), slope: (x) => Math.exp(-x) / (1 + Math.exp(-x)) ** 2 },
};

/** 002's example of an output function (section 4.2): what is not greater than a half is lost. */
export const threshold = (x) => (x > 0.5 ? x : 0);

/** Softmax (000, equation 28): any numbers as shares of 1, the greatest of them most. */
export function softmax(numbers) {
  const most = Math.max(...numbers); // taken from all, which changes nothing but keeps the powers small
  const powers = numbers.map((number) => Math.exp(number - most));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}

/** How much output i of a softmax changes with input j (000, equation 31): rows are outputs. */
export function softmaxSlopes(numbers) {
  const shares = softmax(numbers);
  return shares.map((one, i) => shares.map((other, j) => one * (Number(i === j) - other)));
}

/**
 * A convolution (000, equations 22 and 23) of an image of so many `columns` with a square filter: the sum of products at
 * every place where the filter fits; with `padding` zeros around the image first. Gives { values, rows, columns }.
 */
export function convolve(image, columns, filter, bias = 0, padding = 0) {
  const size = Math.sqrt(filter.length);
  const rows = image.length / columns;
  const [high, wide] = [rows + 2 * padding - size + 1, columns + 2 * padding - size + 1];
  const values = Array.from({ length: high * wide }, (_, i) =>
    neuron(patch(image, columns, Math.floor(i / wide) - padding, (i % wide) - padding, size), filter, bias),
  );
  return { values, rows: high, columns: wide };
}

/** The numbers of an image under a filter whose upper left corner is here; zeros beyond the edge. */
export function patch(image, columns, row, column, size) {
  const rows = image.length / columns;
  return Array.from({ length: size * size }, (_, i) => {
    const [r, c] = [row + Math.floor(i / size), column + (i % size)];
    return r >= 0 && r < rows && c >= 0 && c < columns ? image[r * columns + c] : 0;
  });
}

/** Batch normalisation: the mean is taken off, and what is left is divided by its spread. */
export function batchNorm(numbers, epsilon = 1e-5) {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const variance = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length;
  return { mean, variance, values: numbers.map((number) => (number - mean) / Math.sqrt(variance + epsilon)) };
}
