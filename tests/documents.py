# SPDX-License-Identifier: Apache-2.0
"""Run documents that tests edit. A run whose numbers contradict each other is refused, so all of a metric change together."""

STATISTICS = ("mean", "stddev", "min", "q1", "median", "q3", "max", "mad", "p95", "p99", "ci95_low", "ci95_high")


def scale(metric, factor):
    """Multiplies what a metric says of all its samples, and leaves its rounds alone."""
    for name in STATISTICS:
        if metric.get(name) is not None:
            metric[name] *= factor


def set_all(metric, value):
    """As of samples that are all the same."""
    for name in STATISTICS:
        if metric.get(name) is not None:
            metric[name] = 0 if name in ("stddev", "mad") else value
