"""A neural network in NumPy: forward, loss, back-propagation, a step. tests/learn/test_network.py compares it with torch."""

import numpy as np

SLOPE = 0.01  # of the leaky rectifier for negative numbers
FUNCTIONS = {  # each with its derivative
    "tanh": (np.tanh, lambda a: 1 - np.tanh(a) ** 2),
    "relu": (lambda a: np.maximum(a, 0), lambda a: (a >= 0).astype(float)),
    "leaky": (lambda a: np.where(a >= 0, a, SLOPE * a), lambda a: np.where(a >= 0, 1.0, SLOPE)),
    "sigmoid": (lambda a: 1 / (1 + np.exp(-a)), lambda a: np.exp(-a) / (1 + np.exp(-a)) ** 2),
    "linear": (lambda a: a, np.ones_like),
}


class Layer:
    """Neurons side by side: a row of weights and a bias for each of them."""

    def __init__(self, inputs, outputs, activation, random):
        most = 1 / np.sqrt(inputs)
        self.w = random.uniform(-most, most, (outputs, inputs))
        self.b = random.uniform(-most, most, outputs)
        self.f, self.derivative = FUNCTIONS[activation]
        self.speed = [np.zeros_like(self.w), np.zeros_like(self.b)]  # for momentum

    def forward(self, x):
        """What comes out for a batch, [positions, inputs]."""
        self.x = x
        self.a = x @ self.w.T + self.b  # the sums (000, equation 21)
        return self.f(self.a)

    def backward(self, dy):
        """From the slopes of the loss by what came out to those by what went in."""
        da = self.derivative(self.a) * dy  # through the activation (equation 36)
        self.slopes = [da.T @ self.x, da.sum(axis=0)]  # of the weights (37) and biases (38)
        return da @ self.w  # of the layer before (39)

    def step(self, rate, momentum):
        """Downhill: against the slopes, and a little on where it was going."""
        for values, slope, speed in zip((self.w, self.b), self.slopes, self.speed, strict=True):
            speed *= momentum
            speed += slope
            values -= rate * speed


class Network:
    """Layers one after the other: sizes such as [2, 256, 16, 1], an activation for each layer but the inputs."""

    def __init__(self, sizes, activations, random):
        self.layers = [
            Layer(inputs, outputs, activation, random)
            for inputs, outputs, activation in zip(sizes[:-1], sizes[1:], activations, strict=True)
        ]

    def forward(self, x):
        """What the network says of a batch."""
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, dy):
        """Back-propagation: the slopes of the loss, from the last layer to the first."""
        for layer in reversed(self.layers):
            dy = layer.backward(dy)

    def learn(self, x, truth, rate, momentum=0.0):
        """One step of gradient descent; returns the loss before it, the mean squared error (equation 35)."""
        y = self.forward(x)
        self.backward(2 * (y - truth) / y.size)
        for layer in self.layers:
            layer.step(rate, momentum)
        return float(((y - truth) ** 2).mean())
