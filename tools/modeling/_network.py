"""The network behind `neural_network`: several small ones trained side by side, each with its own watched rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Recipe", "predict_network", "single_thread", "train_network"]

EMBEDDED = 8
WAVES = 16
WAVE_OUTPUTS = 3
PARALLEL_ROWS = 8192
BETAS = (0.9, 0.95)
SCALE_RATE = 5.0

Weights = dict[str, np.ndarray]


@dataclass(frozen=True)
class Recipe:
    """The shape of the networks and how they are trained."""

    n_waved: int
    n_plain: int
    levels: tuple[int, ...]
    n_outputs: int
    width: int
    n_layers: int
    n_members: int
    dropout: float
    learning_rate: float
    weight_decay: float
    batch: int
    n_epochs: int
    loss: str
    seed: int


@contextmanager
def single_thread(seed: int) -> Iterator[None]:
    """Give torch one thread and a seed of its own, and leave both as they were."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)


def _initial(recipe: Recipe) -> dict[str, Any]:
    """Weights with the member as their first axis: waves for numbers, embeddings, an input scale and the layers."""
    import torch

    members = recipe.n_members
    weights = {
        "wave": 0.3 * torch.randn(members, 1, recipe.n_waved, WAVES),
        "phase": 2 * torch.pi * (torch.rand(members, 1, recipe.n_waved, WAVES) - 0.5),
        "blend": torch.randn(members, recipe.n_waved, WAVES, WAVE_OUTPUTS) / WAVES**0.5,
        "shift": torch.zeros(members, 1, recipe.n_waved, WAVE_OUTPUTS),
    }
    for place, n_levels in enumerate(recipe.levels):
        weights[f"level{place}"] = 0.3 * torch.randn(members, n_levels + 1, EMBEDDED)
    before = recipe.n_plain + recipe.n_waved * (WAVE_OUTPUTS + 1) + EMBEDDED * len(recipe.levels)
    weights["scale"] = torch.ones(members, 1, before)
    for layer in range(recipe.n_layers + 1):
        after = recipe.n_outputs if layer == recipe.n_layers else recipe.width
        gain = 0.1 if layer == recipe.n_layers else 1.4
        weights[f"layer{layer}"] = gain * torch.randn(members, before, after) / before**0.5
        weights[f"bias{layer}"] = 0.1 * torch.randn(members, 1, after)
        before = after
    return weights


def _forward(
    weights: dict[str, Any], recipe: Recipe, numbers: Any, codes: Any, dropping: np.random.Generator | None = None
) -> Any:
    """Members × rows × outputs from members × rows × columns; with `dropping`, some hidden values are dropped."""
    import torch

    waved = numbers[..., : recipe.n_waved]
    waves = torch.cos(waved.unsqueeze(-1) * weights["wave"] * (2 * torch.pi) + weights["phase"])
    mixed = torch.einsum("mrcw,mcwo->mrco", waves, weights["blend"]) + weights["shift"]
    parts = [numbers, torch.nn.functional.silu(mixed).flatten(2)]
    member = torch.arange(recipe.n_members).unsqueeze(1)
    parts += [weights[f"level{place}"][member, codes[..., place]] for place in range(len(recipe.levels))]
    hidden = torch.cat(parts, dim=2) * weights["scale"]
    for layer in range(recipe.n_layers):
        hidden = torch.baddbmm(weights[f"bias{layer}"], hidden, weights[f"layer{layer}"])
        hidden = torch.nn.functional.silu(hidden)
        hidden = hidden if dropping is None else _drop(hidden, recipe.dropout, dropping)
    return torch.baddbmm(weights[f"bias{recipe.n_layers}"], hidden, weights[f"layer{recipe.n_layers}"])


def _drop(hidden: Any, share: float, generator: np.random.Generator) -> Any:
    """Drop a share of the values; bytes of numpy are many times faster than torch's own dropout on a CPU."""
    import torch

    limit = round(256 * share)
    kept = torch.from_numpy(generator.integers(0, 256, tuple(hidden.shape), dtype=np.uint8) >= limit)
    return hidden * kept * (256 / (256 - limit))


def _losses(outputs: Any, target: Any, loss: str) -> Any:
    """Members × rows losses."""
    import torch

    if loss == "classes":
        return torch.nn.functional.cross_entropy(outputs.flatten(0, 1), target.flatten(), reduction="none").view(
            target.shape
        )
    error = outputs[..., 0] - target
    if loss == "absolute":
        return error.abs()
    if loss == "huber":
        return torch.nn.functional.huber_loss(outputs[..., 0], target, reduction="none")
    return error**2


def train_network(
    numbers: np.ndarray,
    codes: np.ndarray,
    target: np.ndarray,
    weight: np.ndarray | None,
    splits: list[tuple[np.ndarray, np.ndarray]],
    recipe: Recipe,
) -> Weights:
    """Train all members together; keep each one's weights of the epoch that predicted its watched rows best."""
    import torch

    data = [torch.from_numpy(numbers), torch.from_numpy(codes), torch.from_numpy(target)]
    mass = torch.ones(len(target)) if weight is None else torch.from_numpy((weight / weight.mean()).astype(np.float32))
    fewest = min(len(known) for known, _ in splits)
    known = torch.stack([torch.from_numpy(rows[:fewest]) for rows, _ in splits])
    fewest_watched = min(len(watched) for _, watched in splits)
    watched = torch.stack([torch.from_numpy(rows[:fewest_watched]) for _, rows in splits])
    optimizer = AdamW(_initial(recipe), recipe, -(-fewest // recipe.batch) * recipe.n_epochs)
    weights = optimizer.weights
    dropping = np.random.default_rng(recipe.seed)
    best_loss = torch.full((recipe.n_members,), torch.inf)
    best = {name: tensor.detach().clone() for name, tensor in weights.items()}
    for _ in range(recipe.n_epochs):
        order = torch.argsort(torch.rand(known.shape), dim=1)
        shuffled = torch.gather(known, 1, order)
        for start in range(0, fewest, recipe.batch):
            rows = shuffled[:, start : start + recipe.batch]
            outputs = _forward(weights, recipe, data[0][rows], data[1][rows], dropping)
            loss = (_losses(outputs, data[2][rows], recipe.loss) * mass[rows]).mean(dim=1).sum()
            optimizer.step(loss)
        with torch.no_grad():
            losses = _watched_losses(weights, recipe, data, watched, mass)
            better = losses < best_loss
            best_loss = torch.where(better, losses, best_loss)
            for name, tensor in weights.items():
                best[name][better] = tensor.detach()[better]
    return {name: tensor.numpy() for name, tensor in best.items()}


class AdamW:
    """Adam with decoupled decay on all weights as one vector, the rate warmed up and let down along a cosine.

    It is torch's own in a few operations a step; torch's costs two seconds of imports and a millisecond each step.
    """

    def __init__(self, weights: dict[str, Any], recipe: Recipe, n_steps: int) -> None:
        import torch

        self.recipe, self.n_steps, self.step_number = recipe, n_steps, 0
        self.values = torch.cat([tensor.detach().flatten() for tensor in weights.values()])
        self.gradient, self.mean, self.square = (torch.zeros_like(self.values) for _ in range(3))
        self.rate, self.decay = torch.ones_like(self.values), torch.zeros_like(self.values)
        self.weights: dict[str, Any] = {}
        start = 0
        for name, tensor in weights.items():
            part = slice(start, start + tensor.numel())
            self.weights[name] = self.values[part].view(tensor.shape).requires_grad_()
            self.weights[name].grad = self.gradient[part].view(tensor.shape)
            self.rate[part] = SCALE_RATE if name == "scale" else 1.0
            self.decay[part] = recipe.weight_decay if name.startswith(("layer", "level")) else 0.0
            start = part.stop

    def step(self, loss: Any) -> None:
        """Move the weights against the gradient of the loss."""
        import torch

        self.gradient.zero_()
        loss.backward()
        with torch.no_grad():
            rate = self.recipe.learning_rate * self._share()
            self.step_number += 1
            self.mean.lerp_(self.gradient, 1 - BETAS[0])
            self.square.mul_(BETAS[1]).addcmul_(self.gradient, self.gradient, value=1 - BETAS[1])
            size = (self.square / (1 - BETAS[1] ** self.step_number)).sqrt_().add_(1e-8)
            self.values.addcmul_(self.values, self.decay, value=-rate)
            self.values.addcdiv_(self.mean * self.rate, size, value=-rate / (1 - BETAS[0] ** self.step_number))

    def _share(self) -> float:
        warm = max(1, self.n_steps // 20)
        if self.step_number < warm:
            return (self.step_number + 1) / warm
        done = (self.step_number - warm) / max(1, self.n_steps - warm)
        return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done))


def _watched_losses(weights: dict[str, Any], recipe: Recipe, data: list[Any], watched: Any, mass: Any) -> Any:
    total, count = 0.0, 0.0
    for start in range(0, watched.shape[1], PARALLEL_ROWS):
        rows = watched[:, start : start + PARALLEL_ROWS]
        outputs = _forward(weights, recipe, data[0][rows], data[1][rows])
        total = total + (_losses(outputs, data[2][rows], recipe.loss) * mass[rows]).sum(dim=1)
        count = count + mass[rows].sum(dim=1)
    return total / count


def predict_network(weights: Weights, recipe: Recipe, numbers: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Give rows × outputs: the members' mean of probabilities or values."""
    import torch

    tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
    found = []
    with torch.no_grad():
        for start in range(0, len(numbers), PARALLEL_ROWS):
            block = torch.from_numpy(numbers[start : start + PARALLEL_ROWS]).expand(recipe.n_members, -1, -1)
            levels = torch.from_numpy(codes[start : start + PARALLEL_ROWS]).expand(recipe.n_members, -1, -1)
            outputs = _forward(tensors, recipe, block, levels)
            outputs = outputs.softmax(dim=2) if recipe.loss == "classes" else outputs
            found.append(outputs.mean(dim=0).numpy())
    return np.concatenate(found) if found else np.empty((0, recipe.n_outputs))
