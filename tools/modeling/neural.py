"""A small neural network for mixed frames, in the manner of RealMLP."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
import pandas as pd

from autods.tools._checks import check_choice
from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, TabularEstimator, make
from autods.tools.modeling._design import DesignEncoder
from autods.tools.modeling._frames import category_codes, learn_columns
from autods.tools.modeling._network import Recipe, predict_network, single_thread, train_network
from autods.tools.modeling._splits import InnerSplit, inner_split

__all__ = ["NeuralNetwork", "neural_network"]

MOST_ONE_HOT_LEVELS = 8
LOSSES = ("squared", "absolute", "huber")


class NeuralNetwork(TabularEstimator):
    """An average of small multilayer perceptrons with embeddings for categories; see `neural_network`."""

    def __init__(
        self,
        kind: Kind = "regression",
        objective: Literal["squared", "absolute", "huber"] = "squared",
        width: int = 128,
        n_layers: int = 2,
        n_members: int | None = None,
        dropout: float = 0.1,
        learning_rate: float = 3e-3,
        weight_decay: float = 0.02,
        n_epochs: int | None = None,
        inner_split: InnerSplit = "auto",
        valid_share: float = 0.15,
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.objective = objective
        self.width = width
        self.n_layers = n_layers
        self.n_members = n_members
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.n_epochs = n_epochs
        self.inner_split = inner_split
        self.valid_share = valid_share
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        check_choice("objective", self.objective, LOSSES)
        if find_spec("torch") is None:
            raise ImportError(
                "neural_network needs torch, which is not installed; pip install 'autods[neural]' adds it."
            )
        self._learn_inputs(frame)
        numbers, codes = self._inputs(frame)
        if numbers.shape[1] + codes.shape[1] == 0:
            self.constant_ = self._constant(target, weight)
            return
        self.range_ = (float(target.min()), float(target.max()))
        self.recipe_ = self._recipe(len(target))
        wanted = target if self.kind in CLASSIFICATION else target.astype(np.float32)
        splits = [self._split(target, groups, member) for member in range(self.recipe_.n_members)]
        with single_thread(self.random_state):
            self.weights_ = train_network(numbers, codes, wanted, weight, splits, self.recipe_)

    def _learn_inputs(self, frame: pd.DataFrame) -> None:
        categories = learn_columns(frame).categories
        self.embedded_ = {name: levels for name, levels in categories.items() if len(levels) > MOST_ONE_HOT_LEVELS}
        self.encoder_ = DesignEncoder(frame[[name for name in frame.columns if name not in self.embedded_]])
        self.waved_ = [place for place, waved in enumerate(self.encoder_.curved) if waved]
        self.plain_ = [place for place in range(len(self.encoder_.sources)) if place not in self.waved_]

    def _inputs(self, frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        """Numbers (smoothly clipped) and indicators as float32; codes of embedded categories, 0 for missing or unseen."""
        design = self.encoder_.encode(frame)
        design = design.toarray() if self.encoder_.is_sparse else design
        waved = design[:, self.waved_]
        numbers = np.hstack([waved / np.sqrt(1 + (waved / 3) ** 2), design[:, self.plain_]]).astype(np.float32)
        codes = [category_codes(frame[name], levels) + 1 for name, levels in self.embedded_.items()]
        return numbers, np.column_stack(codes).astype(np.int64) if codes else np.empty((len(frame), 0), dtype=np.int64)

    def _recipe(self, n_rows: int) -> Recipe:
        batch = 64 if n_rows < 1500 else 128 if n_rows < 6000 else 256 if n_rows < 50_000 else 1024
        return Recipe(
            n_waved=len(self.waved_),
            n_plain=len(self.plain_),
            levels=tuple(len(levels) for levels in self.embedded_.values()),
            n_outputs=len(self.classes_) if self.kind in CLASSIFICATION else 1,
            width=self.width,
            n_layers=self.n_layers,
            n_members=self.n_members or (4 if n_rows < 3000 else 2),
            dropout=self.dropout,
            learning_rate=self.learning_rate,
            weight_decay=self.weight_decay,
            batch=batch,
            n_epochs=self.n_epochs or int(np.clip(1000 * batch // n_rows, 6, 60)),
            loss="classes" if self.kind in CLASSIFICATION else self.objective,
            seed=self.random_state,
        )

    def _split(self, target: np.ndarray, groups: np.ndarray | None, member: int) -> tuple[np.ndarray, np.ndarray]:
        known, watched = inner_split(
            self.inner_split,
            target,
            classification=self.kind in CLASSIFICATION,
            share=self.valid_share,
            groups=groups,
            random_state=self.random_state + 7919 * member,
        )
        # Members train in step on arrays of one length: whoever has more rows leaves a random few out.
        return np.random.default_rng(self.random_state + member).permutation(known), watched

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        numbers, codes = self._inputs(frame)
        with single_thread(self.random_state):
            outputs = predict_network(self.weights_, self.recipe_, numbers, codes)
        return outputs if self.kind in CLASSIFICATION else np.clip(outputs, *self.range_)


def neural_network(kind: Kind, **parameters: Any) -> NeuralNetwork:
    """Make an average of small neural networks trained side by side (needs torch: the extra `neural`).

    Numbers are standardised, smoothly clipped and also read through learnt waves; categories with many levels are
    embedded. Each member watches rows of its own, keeps its best epoch, and so stands for a bag.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        `objective` (regression: `squared`, `absolute`, `huber`), `width`, `n_layers`, `n_members` (None: 4, or 2 from 3,000 rows),
        `dropout`,
        `learning_rate`, `weight_decay`, `n_epochs` (None: about 1,000 steps), `inner_split`, `valid_share`,
        `class_weight`, `random_state`.

    Raises
    ------
    ImportError
        By `fit`, when torch is not installed.

    Notes
    -----
    A partner of the boosters in a blend from some thousand rows on. It runs in one thread on the CPU, the same bytes
    each time. The recipe is that of RealMLP (Holzmüller et al. 2024), made smaller.

    Examples
    --------
    >>> neural_network("binary", width=64).n_layers
    2
    """
    return make(NeuralNetwork, kind, **parameters)
