"""Levels whose words have an order: known ladders (`low` < `high`), ranges (`< 100`, `1 - 4 yrs`), numbered words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autods.profiling.names import names_a_grade, names_a_size

__all__ = ["UNKNOWN_WORDS", "ordinal_levels"]

UNKNOWN_WORDS = frozenset(
    [
        "unknown",
        "other",
        "others",
        "missing",
        "na",
        "n/a",
        "nan",
        "null",
        "unspecified",
        "undefined",
        "unclear",
        "undisclosed",
    ]
) | {"", "?", "-", "not available", "not known", "not stated", "prefer not to say", "no answer", "don't know"}

_LOWEST = frozenset(["none", "no", "never", "nothing", "nil", "zero", "absent", "unemployed", "nobody"]) | {
    "not at all"
}

# A ladder a line, lowest first; rungs are parted by commas, synonyms of one rung by a stroke.
_LADDERS = tuple(
    [rung.strip().split("|") for rung in line.split(",")]
    for line in """
very low|lowest, low|lower, medium low|mid low, medium|med|mid|middle|moderate|normal|average, medium high|mid high, high|higher, very high|highest, extreme
very poor|terrible|awful|worst, poor|po|bad|below average, fair|fa|mediocre, average|typical|ta|okay|ok|normal|acceptable|regular, good|gd|above average, very good|vgood|v good|vg, excellent|ex|great, outstanding|best|perfect
fair, good, very good, premium, ideal
no, mn, av, gd
unacceptable|unacc|unacc., acceptable|acc|acc., good, vgood|very good
unf|unfinished, rfn|rough finished|partly finished, fin|finished
none|absent|no|healthy, minimal|trace|trivial, mild|slight|minor, moderate|medium, severe|major|strong, very severe|critical|extreme|fatal
tiny, very small, small|little, medium|mid|midsize|mid size|average|normal, large|big, very large|huge|extra large|giant
xxs, xs, s, m, l, xl, xxl|2xl, xxxl|3xl
never|no|not at all, almost never|hardly ever, rarely|seldom, occasionally|sometimes, often|frequently, usually|mostly, almost always, always
never|no, yearly|annually|annual, half yearly|semi annual|semi annually, quarterly, monthly, biweekly|fortnightly|semi monthly, weekly, daily, hourly
strongly disagree, disagree|somewhat disagree, neutral|neither agree nor disagree|undecided|neither, agree|somewhat agree, strongly agree
very dissatisfied|very unsatisfied, dissatisfied|unsatisfied, neutral|neither, satisfied, very satisfied
very unlikely, unlikely, neutral|possible, likely, very likely
very negative, negative, neutral, positive, very positive
freezing|very cold, cold, cool, mild|moderate, warm, hot, very hot
very slow, slow, medium|moderate|average, fast, very fast
very short, short, medium|average, long|tall, very long|very tall
very light, light, medium|moderate, dark|heavy, very dark|very heavy
very weak, weak, medium|moderate|average, strong, very strong
narrow, medium|regular, wide
thin, medium|normal|average, thick
baby|infant|newborn, toddler, child|kid|children, teen|teenager|adolescent|youth, young|young adult, adult|middle aged|middle age|middle, senior|old|elderly
underweight|insufficient weight, normal|normal weight|healthy weight, overweight, obese|obesity
intern|trainee, junior|entry|entry level|entry-level, mid|middle|mid level|intermediate, senior, lead|staff, principal, director, executive
novice|beginner|basic, intermediate|medium, advanced, expert|professional, master
basic|free, standard|regular|plus, premium|pro, enterprise|ultimate|vip
bronze, silver, gold, platinum, diamond
no schooling|no education|illiterate|uneducated, preschool, primary|elementary|primary school|elementary school|primary education, middle school|lower secondary, some high school, secondary|high school|highschool|secondary school|upper secondary|high school graduate|hs-grad|secondary education, vocational|some college|post secondary|diploma, associate|associates|associate degree|associate's degree, bachelor|bachelors|bachelor's|graduate|graduation|undergraduate|university|college|degree|bachelor's degree|tertiary, post graduate|postgraduate, master|masters|master's|master's degree, phd|doctorate|doctoral|ph.d.|doctor
strongly negative, trivial|negligible, minor|low, moderate|medium, major|high, critical|blocker|urgent|catastrophic
zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve
once, twice, thrice
first|1st, second|2nd, third|3rd, fourth|4th, fifth|5th, sixth|6th, seventh|7th, eighth|8th
single, double, triple, quadruple
i, ii, iii, iv, v, vi, vii, viii, ix, x
monday|mon, tuesday|tue|tues, wednesday|wed, thursday|thu|thur|thurs, friday|fri, saturday|sat, sunday|sun
january|jan, february|feb, march|mar, april|apr, may, june|jun, july|jul, august|aug, september|sep|sept, october|oct, november|nov, december|dec
dawn|early morning, morning, noon|midday, afternoon, evening, night
early, middle|mid, late
i1, si2, si1, vs2, vs1, vvs2, vvs1, if
""".strip().splitlines()
)
_RUNGS = tuple({word: rank for rank, rung in enumerate(ladder) for word in rung} for ladder in _LADDERS)

_NUMBER = r"[-+]?\d+(?:[.,]\d+)*\s*[km]?"
_UNIT = r"(?:\s*[a-z%€$£]{1,10}\.?)?"
_BELOW = re.compile(
    rf"(?:<=?|less than|under|below|up to|at most)\s*({_NUMBER}){_UNIT}|({_NUMBER}){_UNIT}\s*(?:or less|and under|or fewer)"
)
_BETWEEN = re.compile(
    rf"[\[(]?\s*({_NUMBER}){_UNIT}\s*(?:-|–|—|to|\.\.|,|<=?\s*[a-z]*\s*<=?)\s*({_NUMBER}){_UNIT}\s*[\])]?"
)
_ABOVE = re.compile(
    rf"(?:>=?|more than|over|above|at least)\s*({_NUMBER}){_UNIT}|({_NUMBER})\s*\+{_UNIT}|({_NUMBER}){_UNIT}\s*(?:\+|or more|and over|and above|and older|plus)"
)
_EXACT = re.compile(rf"({_NUMBER}){_UNIT}")
_NUMBERED = re.compile(r"\(?(\d{1,2})\)?\s*[-.:)=]\s*[^\d\s].*")
_GRADED = re.compile(r"(?:stage|level|grade|tier|phase|class|rank|step|degree|type|group|band)\s*([ivx]+|\d{1,2})")
_ROMAN = {word: rank for rank, word in enumerate(["0", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])}


def ordinal_levels(levels: Sequence[str], name: str = "") -> tuple[str, ...]:
    """Put levels in ascending order if their words have one; empty when they have none.

    Levels that only mean `unknown` are left out; one level such as `none` may stand below a ladder.

    Examples
    --------
    >>> ordinal_levels(["Gd", "TA", "Ex", "Fa"])
    ('Fa', 'TA', 'Gd', 'Ex')
    >>> ordinal_levels(["> 7 yrs", "unemployed", "1 - 4 yrs", "0 - 1 yrs"])
    ('unemployed', '0 - 1 yrs', '1 - 4 yrs', '> 7 yrs')
    >>> ordinal_levels(["red", "green"])
    ()
    """
    known = {level: word for level in levels if (word := _plain(level)) not in UNKNOWN_WORDS}
    if not 2 <= len(known) <= 40:
        return ()
    for keys in (_on_a_ladder(known, name), _as_ranges(known), _as_numbered(known), _as_letters(known, name)):
        if keys and len(set(keys.values())) >= 2:
            return tuple(sorted(keys, key=lambda level: (keys[level], level)))
    return ()


def _plain(level: str) -> str:
    return re.sub(r"[\s_]+|(?<=[a-z])-(?=[a-z])", " ", level.strip().lower()).strip()


def _on_a_ladder(known: dict[str, str], name: str) -> dict[str, tuple[float, ...]]:
    words = set(known.values())
    if words <= {"s", "m", "l"} and not (len(words) == 3 or names_a_size(name)):
        return {}
    if words <= {"i", "v", "x"} or words <= {"yes", "no"}:
        return {}
    for rungs in _RUNGS:
        beside = words - rungs.keys()
        if len(words) - len(beside) >= 2 and (not beside or (len(beside) == 1 and beside <= _LOWEST)):
            return {level: (float(rungs.get(word, -1)),) for level, word in known.items()}
    return {}


def _as_ranges(known: dict[str, str]) -> dict[str, tuple[float, ...]]:
    keys = {level: _range_key(word) for level, word in known.items()}
    beside = [known[level] for level, key in keys.items() if key is None]
    if len(beside) > 1 or not set(beside) <= _LOWEST:
        return {}
    found = {level: key if key is not None else (-1.0,) for level, key in keys.items()}
    open_or_wide = sum(len(key) > 1 and (key[0] != 1 or key[2] > key[1]) for key in found.values())
    return found if open_or_wide >= 1 and open_or_wide >= len(found) / 3 else {}


def _range_key(word: str) -> tuple[float, ...] | None:
    word = re.sub(r"[$€£¥₹]", "", word)
    if match := _BELOW.fullmatch(word):
        return (0.0, _number(match[1] or match[2]))
    if match := _ABOVE.fullmatch(word):
        return (2.0, _number(match[1] or match[2] or match[3]))
    if match := _BETWEEN.fullmatch(word):
        low, high = _number(match[1]), _number(match[2])
        return (1.0, low, high) if low <= high else None
    if match := _EXACT.fullmatch(word):
        return (1.0, _number(match[1]), _number(match[1]))
    return None


def _number(text: str) -> float:
    text = text.strip()
    scale = {"k": 1e3, "m": 1e6}.get(text[-1], 1.0)
    digits = text.rstrip("km ")
    digits = re.sub(r"[.,](?=\d{3}(\D|$))", "", digits).replace(",", ".")
    return float(digits) * scale if digits.count(".") <= 1 else float("inf")


def _as_numbered(known: dict[str, str]) -> dict[str, tuple[float, ...]]:
    keys: dict[str, tuple[float, ...]] = {}
    for level, word in known.items():
        numbered, graded = _NUMBERED.fullmatch(word), _GRADED.fullmatch(word)
        if numbered:
            keys[level] = (float(numbered[1]),)
        elif graded and (graded[1].isdigit() or graded[1] in _ROMAN):
            keys[level] = (float(graded[1]) if graded[1].isdigit() else float(_ROMAN[graded[1]]),)
        else:
            return {}
    return keys


def _as_letters(known: dict[str, str], name: str) -> dict[str, tuple[float, ...]]:
    """Letter grades ascend from the worst, so that G comes first and A last."""
    shape = re.compile(r"([a-g])([1-5+-]?)")
    matches = {level: shape.fullmatch(word) for level, word in known.items()}
    if not names_a_grade(name) or not all(matches.values()) or len(known) < 3:
        return {}
    signs = {"-": 1.5, "": 0.0, "+": -1.5}
    return {
        level: (-float(ord(match[1])), -(signs[match[2]] if match[2] in signs else float(match[2])))
        for level, match in matches.items()
        if match
    }
