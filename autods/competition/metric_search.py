"""Find the metric in an overview as competitions write it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["find_metric"]

_RMSE = r"(?:root[- ]+mean[- ]+squared?[- ]+(?:error|deviation)s?|\brmse\b)"
_ROC = (
    r"(?:roc[-_ ]?auc|auc[-_ ]?roc|au-?roc|\bauc\b|area under (?:the )?"
    r"(?:receiver operating characteristics?|roc|curve)(?: \(?roc\)?)?(?: curve)?)"
)
_F1 = r"f[-_ ]?1(?:[-_ ]?(?:scores?|measure))?"
_LOG_LOSS = r"(?:log(?:arithmic)?[-_ ]?loss|cross[- ]entropy(?: loss)?)"
_COLUMN = r"(?:mean|average)(?:,? of)?(?: the)? columns?[- ]?(?:wise)?(?: of)?(?: the)?"

# (metric, pattern, whether the words alone say so without a sentence about scoring)
_PATTERNS: tuple[tuple[str, str, bool], ...] = (
    ("rmse_log", _RMSE + r"[^.]{0,90}?\blog(?:arithm)?s?\b(?!\s*\(\s*1\s*\+)", True),
    ("rmse_log", r"\b(?:rmse of (?:the )?log\w*|log[- ]rmse|" + _RMSE + r" on (?:the )?log[- ]\w+)", True),
    ("rmsle", _RMSE + r"[^.]{0,90}?\blog(?:1p\b|\s*\(\s*1\s*\+|\s*\([^)]{1,20}\+\s*1\s*\))", True),
    ("rmsle", r"root[- ]+mean[- ]+squared?[- ]+log(?:arithmic)?[- ]+errors?|\bm?c?rmsle\b", True),
    ("mcrmse", _COLUMN + r"[- ]*" + _RMSE + r"|\bmcrmse\b", True),
    ("mcrmse", r"(?:average|mean) of (?:the )?" + _RMSE + r"[^.]{0,40}?(?:columns|targets)", True),
    ("rmspe", r"root[- ]+mean[- ]+squared?[- ]+percentage[- ]+error|\brmspe\b", True),
    ("rmse", _RMSE, True),
    ("mse", r"mean[- ]+squared?[- ]+error|\bmse\b", True),
    ("smape", r"symmetric mean absolute (?:percentage|percent) error|\bs-?mape\b", True),
    ("mape", r"mean absolute (?:percentage|percent) error|\bmape\b", True),
    ("medae", r"median[- ]+absolute[- ]+(?:error|deviation)|\bmedae\b", True),
    ("mae", r"mean[- ]+absolute[- ]+(?:error|deviation)|\bmae\b", True),
    ("r2", r"\br(?:2|\^2|²|\^\{2\})(?:[- ]?scores?)?(?![a-z0-9])|\br[- ]squared\b|coefficient of determination", True),
    ("mean_column_auroc", _COLUMN + r"[- ]*" + _ROC, True),
    ("mean_column_auroc", r"(?:average|mean) of (?:the )?(?:individual |column )?" + _ROC
     + r"s?[^.]{0,40}?(?:column|label|target)", True),
    ("auroc_macro", r"macro[- ](?:averaged?[- ])?" + _ROC, True),
    ("auroc", _ROC, True),
    ("average_precision", r"area under (?:the )?(?:precision[-/– ]+recall|pr)(?: curve)?", True),
    ("average_precision", r"\b(?:pr[- ]?auc|auc[- ]?pr|auprc)\b", True),
    ("average_precision", r"average precision(?: score)?", True),
    ("map@", r"(?:mean average precision|\bmap\b|map)\s*(?:@|at)\s*(?:the )?(?:top )?\(?[{]?(?:\d+|k)\b[}]?", True),
    ("f1_macro", r"macro[-_ ]?(?:averaged?)?[-_ ]?" + _F1 + "|" + _F1 + r",?[-_ ]*\(?macro(?:[- ]averaged?)?\)?", True),
    ("f1_micro", r"micro[-_ ]?(?:averaged?)?[-_ ]?" + _F1 + "|" + _F1 + r",?[-_ ]*\(?micro(?:[- ]averaged?)?\)?", True),
    ("f1_weighted", r"weighted[-_ ]?(?:averaged?)?[-_ ]?" + _F1 + "|" + _F1
     + r",?[-_ ]*\(?weighted(?:[- ]averaged?)?\)?", True),
    ("f1", r"(?:mean |average )?\b" + _F1 + r"\b|mean f-?scores?", True),
    ("mcc", r"matthews?'?s?'? correlation(?: coefficient)?|\bmcc\b", True),
    ("qwk", r"quadratic(?:ally)?[- ](?:weighted[- ])?(?:cohen'?s )?kappa|\bqwk\b", True),
    ("kappa", r"cohen'?s?'? kappa|kappa (?:score|statistic|coefficient)", True),
    ("log_loss", r"(?:multi-?(?:class|label)? |multi-?class |binary |categorical |negative )?" + _LOG_LOSS, True),
    ("brier", r"brier(?: score| loss)?", True),
    ("gini", r"(?:normali[sz]ed )?gini(?: coefficient| index)?", False),
    ("spearman", r"spearman'?s?'?(?: rank)?(?: correlation)?(?: coefficient)?", False),
    ("pearson", r"pearson'?s?'?(?: correlation)?(?: coefficient)?", False),
    ("balanced_accuracy", r"balanced[- ]accuracy(?: score)?", True),
    ("accuracy", r"(?:classification |categori[sz]ation |prediction )?accuracy(?: score)?", False),
    ("accuracy", r"(?:percentage|proportion|fraction|percent|share|number) of [^.]{0,60}?correct(?:ly)?", False),
    ("accuracy", r"(?:mis-?classification|classification) (?:error|rate)", False),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(pattern, re.IGNORECASE), alone) for name, pattern, alone in _PATTERNS)
_CUE = re.compile(
    r"evaluat|\bscor(?:e[ds]?|ing)\b|\bmetrics?\b|\bjudged|\bassess|\bgraded"
    r"|\b(?:measured|ranked) (?:by|on|using|with)",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:instead of|rather than|unlike|not)\b[^.,;:]*", re.IGNORECASE)
_HEADING = re.compile(r"^\s*(?:#+\s*|\*\*)?(evaluation|metrics?|scoring|goal and metric)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Mention:
    metric: str
    sentence: str
    confidence: float
    order: int


def find_metric(text: str) -> tuple[str, str, float] | None:
    """Find the metric that an overview names.

    Parameters
    ----------
    text
        Plain text, Markdown or HTML.

    Returns
    -------
    tuple of (str, str, float), or None
        The metric's name, the sentence that says so, and how sure: 0.95 for a sentence about scoring, 0.85 for a name
        under such a heading, less where it is only mentioned or several compete. None when none is named.

    Examples
    --------
    >>> find_metric("Submissions are scored on the area under the ROC curve. Good luck!")
    ('auroc', 'Submissions are scored on the area under the ROC curve.', 0.95)
    >>> find_metric("RMSE between the logarithm of the predicted value and the logarithm of the observed price.")[0]
    'rmse_log'
    """
    mentions = list(_mentions(text))
    if not mentions:
        return None
    best = max(mentions, key=lambda mention: (mention.confidence, -mention.order))
    rivals = {m.metric for m in mentions if m.confidence == best.confidence and m.sentence == best.sentence}
    confidence = min(best.confidence, 0.6) if len(rivals) > 1 else best.confidence
    return best.metric, best.sentence[:400], confidence


def _mentions(text: str) -> Iterator[_Mention]:
    order, section = 0, False
    for block in _blocks(text):
        if _HEADING.match(block):
            section = True
        elif re.match(r"^\s*#+\s", block):
            section = False
        for sentence in _sentences(block):
            cue = bool(_CUE.search(sentence))
            for name, alone in _named(sentence):
                confidence = 0.95 if cue else 0.85 if section else 0.6 if alone else 0.4
                yield _Mention(name, sentence, confidence, order)
                order += 1


def _named(sentence: str) -> list[tuple[str, bool]]:
    """Return the metrics named in a sentence, the longest of overlapping names, in order, an abbreviation not twice."""
    said = _DENIED.sub(lambda match: " " * len(match[0]), sentence)
    found = [(m.start(), m.end(), name, alone) for name, rule, alone in _COMPILED for m in rule.finditer(said)]
    found.sort(key=lambda item: (item[0] - item[1], item[0]))
    kept: list[tuple[int, int, str, bool]] = []
    for start, end, name, alone in found:
        if all(end <= other[0] or start >= other[1] for other in kept):
            kept.append((start, end, name, alone))
    kept.sort()
    names = [(_with_k(name, said[start:end], said), alone) for start, end, name, alone in kept]
    return [pair for i, pair in enumerate(names) if not any(_refines(other, pair[0]) for other, _ in names[:i])]


def _with_k(name: str, words: str, sentence: str) -> str:
    if name != "map@":
        return name
    number = re.search(r"(\d+)", words) or re.search(r"\b(?:k\s*=\s*|top[- ]|@\s*)(\d+)", sentence)
    return f"map@{number[1] if number else 5}"


def _refines(said: str, later: str) -> bool:
    """Whether `later` only abbreviates or explains what was said: MCRMSE (… RMSE), mean column-wise AUC (AUC)."""
    family = {
        "mcrmse": ("rmse", "mse"), "rmse_log": ("rmse", "rmsle"), "rmsle": ("rmse", "rmse_log"), "rmspe": ("rmse",),
        "rmse": ("mse",), "smape": ("mape",), "mean_column_auroc": ("auroc",), "auroc_macro": ("auroc",),
        "qwk": ("kappa",), "f1_macro": ("f1",), "f1_micro": ("f1",), "f1_weighted": ("f1",), "gini": ("auroc",),
        "balanced_accuracy": ("accuracy",),
    }  # fmt: skip
    return later == said or later in family.get(said, ()) or (said.startswith("map@") and later == "average_precision")


# --- text ------------------------------------------------------------------------------------------------------------
def _blocks(text: str) -> Iterator[str]:
    """Yield paragraphs, list items and headings without markup; lines of one paragraph are joined."""
    text = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", text)
    text = re.sub(r"(?i)<h[1-6][^>]*>", "\n\n# ", text)
    text = re.sub(r"(?i)<br\s*/?>|</?(?:p|div|li|ul|ol|tr|td|th|table|h[1-6]|section)\b[^>]*>", "\n\n", text)
    text = html.unescape(re.sub(r"(?s)<[a-zA-Z/!][^<>]*>", "", text))
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = text.replace("’", "'").replace("‘", "'").replace("\u2011", "-").replace("\u00a0", " ")
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:#|[-*+]\s|\d+[.)]\s))|(?<=\n)(?=#)", text):
        lines = paragraph.strip().splitlines()
        if lines and (lines[0].lstrip().startswith("#") or (len(lines[0]) < 40 and _HEADING.match(lines[0]))):
            yield lines[0].strip()
            lines = lines[1:]
        joined = " ".join(" ".join(lines).split())
        if joined:
            yield re.sub(r"[*`]|(?<!\w)_+|_+(?!\w)", "", joined)


def _sentences(block: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\"'(])", block.lstrip("# ")) if part.strip()]
