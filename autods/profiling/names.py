"""What the words in a column's name suggest; never enough alone, only a hint beside the values."""

from __future__ import annotations

import re

__all__ = ["names_a_code", "names_a_grade", "names_a_group", "names_a_size", "names_an_id", "names_time", "words_of"]

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_TIME = frozenset(
    [
        "date",
        "time",
        "timestamp",
        "datetime",
        "year",
        "yr",
        "month",
        "week",
        "day",
        "hour",
        "quarter",
        "epoch",
        "dt",
        "ts",
        "period",
    ]
)
_CODE = frozenset(
    [
        "code",
        "type",
        "class",
        "category",
        "zip",
        "zipcode",
        "postal",
        "postcode",
        "region",
        "district",
        "zone",
        "cluster",
        "segment",
        "county",
        "country",
        "channel",
        "branch",
        "carrier",
        "store",
        "shop",
        "dept",
        "department",
        "brand",
        "sku",
        "item",
        "product",
        "state",
        "pclass",
        "subclass",
        "sector",
        "industry",
        "weekday",
        "dayofweek",
        "holiday",
        "season",
        "month",
        "mcc",
    ]
)
_KEY = frozenset(["id", "ids", "code", "key", "no", "nr", "nbr", "num", "number", "uuid", "guid", "index", "idx"])
_AMOUNT = frozenset(
    [
        "n",
        "num",
        "count",
        "cnt",
        "total",
        "sum",
        "avg",
        "mean",
        "number",
        "amount",
        "price",
        "rate",
        "ratio",
        "pct",
        "percent",
        "share",
        "size",
    ]
)
_GRADE = frozenset(["grade", "rating", "quality", "qual", "cond", "condition", "score", "rank", "level", "stars"])
_GROUP = frozenset(
    [
        "patient",
        "subject",
        "group",
        "user",
        "household",
        "customer",
        "client",
        "session",
        "family",
        "member",
        "person",
        "driver",
        "player",
        "team",
        "store",
        "shop",
        "machine",
        "device",
        "sensor",
        "site",
        "school",
        "hospital",
        "account",
        "visitor",
        "speaker",
        "author",
        "experiment",
        "batch",
    ]
)
_ID = frozenset(["id", "ids", "uuid", "guid", "key", "index", "idx", "rowid", "rownum", "row", "serial", "unnamed"])


def words_of(name: str) -> tuple[str, ...]:
    """Split a column name into lower-case words.

    Examples
    --------
    >>> words_of("MSSubClass"), words_of("store_id"), words_of("1stFlrSF")
    (('ms', 'sub', 'class'), ('store', 'id'), ('1', 'st', 'flr', 'sf'))
    """
    return tuple(word.lower() for word in _WORD.findall(name))


def names_a_code(name: str) -> bool:
    """Whether the name speaks of a code or class, and not of a count or amount of them.

    Examples
    --------
    >>> [names_a_code(name) for name in ("Pclass", "store_id", "n_stores", "product_price")]
    [True, True, False, False]
    """
    words = words_of(name)
    if not words or words[0] in ("n", "num", "count", "number", "total"):
        return False
    return words[-1] in _CODE or words[-1] in ("id", "code", "nbr", "key") or (len(words) > 1 and words[-1] in _KEY
        and words[-2] in _CODE)  # fmt: skip


def names_a_grade(name: str) -> bool:
    """Whether the name speaks of a grade: an amount, though its values are few."""
    return any(word in _GRADE for word in words_of(name))


def names_a_group(name: str) -> bool:
    """Whether the name speaks of what rows may belong to."""
    return any(word in _GROUP for word in words_of(name))


def names_a_size(name: str) -> bool:
    """Whether the name speaks of a size, so that S, M and L are sizes and not labels."""
    return "size" in words_of(name)


def names_an_id(name: str) -> bool:
    """Whether the name speaks of an identifier."""
    words = words_of(name)
    return bool(words) and (words[-1] in _ID or words[0] in ("unnamed", "rowid"))


def names_time(name: str) -> bool:
    """Whether the name speaks of a point in time."""
    words = words_of(name)
    return any(word in _TIME for word in words) and not any(word in _AMOUNT for word in words)
