# SPDX-License-Identifier: Apache-2.0
"""Numbers within prose, from runs in results/reference, on one line, not at its beginning:

    after <!-- value: FOLDER; CASES; METRIC; OF -->17 to 40.3 ms<!-- end -->
    or <!-- value: FOLDER; CASES; METRIC; OF; VARIANTS -->...

FOLDER is below results/reference, CASES a pattern of case ids (* and [abc], as in a shell), METRIC a metric's name
and, after a space, its statistic (else the median; sum: of all samples), and OF what to tell of all these cases: min,
max, spread (the least to the most), median, geometric mean, count, or how many meet a bound: count >= 0.95, count < 2.
VARIANTS, such as "ours" or "ours, paper", are those of apps that count; where CASES has more than one and none is
named, nothing is filled.
"""
import fnmatch
import operator
import re
import statistics
import sys

from tables.common import duration, joined, number, scaled, variant_of

MARK = "<!-- value:"
BLOCK = re.compile(r"<!-- value: ([^\n]*?) -->[^\n]*?<!-- end -->")
MARKS = re.compile(r"<!-- value: ([^\n]*?) -->")
SHARES = ("deadlines_met", "recall", "waited", "over_cap", "missed_with", "missed_alone", "out_of_order")
RATE = re.compile(r"(\w+/\w+|W|J)$")
BOUNDS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


def form(value, name, unit):
    """A number as the tables have it: by its unit, and by its name if it has none."""
    if unit == "ns":
        return duration(value)
    if name in SHARES:
        return f"{100 * value:.{4 if value > 0.99 else 3}g} %"  # 99.75 % is not all
    if RATE.match(unit):
        return scaled(value, unit)
    return f"{value:g}" if unit != "1" or float(value).is_integer() else number(value)


def of_cases(values, what, shown):
    if what == "spread":
        return joined(shown(min(values)), shown(max(values)))
    if what in ("min", "max"):
        return shown(min(values) if what == "min" else max(values))
    if what in ("median", "geometric mean"):
        return shown(statistics.median(values) if what == "median" else statistics.geometric_mean(values))
    word, *bound = what.split()
    if word != "count" or bound and (len(bound) != 2 or bound[0] not in BOUNDS):
        raise ValueError(f"there is no \"{what}\" of values")
    if not bound:
        return str(len(values))
    met = sum(BOUNDS[bound[0]](value, float(bound[1])) for value in values)
    return f"{met} of {len(values)}"


def of_variants(measured, wanted):
    """Metrics of (variant, metric) pairs, of the wanted variants, all of which are there; of a single one, if wanted is
    empty."""
    known = {variant for variant, _ in measured}
    if not wanted and len(known) > 1:
        raise ValueError(f"mixes the variants {', '.join(sorted(known))} of apps: name those that are meant, as a fifth part")
    if set(wanted) - known:
        raise ValueError(f"there is no such value of the variant {', '.join(sorted(set(wanted) - known))}")
    return [m for variant, m in measured if not wanted or variant in wanted]


def found(run, cases, metric, variants=()):
    """Values of a metric's statistic in the cases that are ok, and its unit."""
    name, _, statistic = metric.partition(" ")
    key = {"": "median", "sum": "mean"}.get(statistic, statistic)
    metrics = of_variants([(variant_of(c), m) for c in run["cases"]
                           if c["status"] == "ok" and fnmatch.fnmatchcase(c["id"], cases)
                           for m in c["metrics"] if m["name"] == name and key in m], variants)
    return [m[key] * (m["n"] if statistic == "sum" else 1) for m in metrics], metrics[0]["unit"] if metrics else ""


def value(spec, load):
    """The text of a block; load gives the run of a folder."""
    try:
        folder, cases, metric, what, *variants = spec.split("; ")
        if len(variants) > 1:
            raise ValueError("has more than five parts")
        values, unit = found(load(folder) or {"cases": []}, cases, metric, variants[0].split(", ") if variants else ())
        if not values:
            raise ValueError("there is no such value")
        return of_cases(values, what, lambda v: form(v, metric.split()[0], unit))
    except ValueError as error:
        sys.exit(f"value: {spec}: {error}")


def fill(text, load):
    if len(BLOCK.findall(text)) != text.count(MARK):
        sys.exit("value: a block is not on one line, or has no end")
    if re.search(r"^ *<!-- (?:value:|paper)", text, re.M):
        sys.exit("value: a line that begins with a comment is HTML, not a part of the paragraph")
    return BLOCK.sub(lambda m: f"<!-- value: {m.group(1)} -->{value(m.group(1), load)}<!-- end -->", text)
