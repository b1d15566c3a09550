"""The network behind `neural_network`: several small ones trained side by side, each with its own watched rows."""

from __future__ import annotations

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
    return {name: tensor.requires_grad_() for name, tensor in weights.items()}


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
    weights = _initial(recipe)
    optimizer, schedule = _optimizer(weights, recipe, -(-fewest // recipe.batch) * recipe.n_epochs)
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
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            losses = _watched_losses(weights, recipe, data, watched, mass)
            better = losses < best_loss
            best_loss = torch.where(better, losses, best_loss)
            for name, tensor in weights.items():
                best[name][better] = tensor.detach()[better]
    return {name: tensor.numpy() for name, tensor in best.items()}


def _optimizer(weights: dict[str, Any], recipe: Recipe, n_steps: int) -> tuple[Any, Any]:
    import torch

    decayed = [tensor for name, tensor in weights.items() if name.startswith(("layer", "level"))]
    scales = [weights["scale"]]
    others = [tensor for name, tensor in weights.items() if not name.startswith(("layer", "level", "scale"))]
    optimizer = torch.optim.AdamW(
        [
            {"params": decayed, "weight_decay": recipe.weight_decay, "lr": recipe.learning_rate},
            {"params": scales, "weight_decay": 0.0, "lr": 5 * recipe.learning_rate},
            {"params": others, "weight_decay": 0.0, "lr": recipe.learning_rate},
        ],
        betas=(0.9, 0.95),
        fused=True,
    )
    warm = max(1, n_steps // 20)

    def share(step: int) -> float:
        if step < warm:
            return (step + 1) / warm
        return 0.02 + 0.98 * 0.5 * (1 + float(np.cos(np.pi * (step - warm) / max(1, n_steps - warm))))

    return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, share)


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
