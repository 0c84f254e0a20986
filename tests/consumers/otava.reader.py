#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""otava.reader.py FILE: reads a CSV by the rules of Apache Otava's CsvImporter, with all columns as metrics but the
attributes that docs/results.md names. Prints a line for each point: its time in seconds since 1970, the attributes, and the numbers."""
import csv
import datetime
import math
import sys

attributes = ("commit", "run_id", "host")
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    head, *rows = csv.reader(file, delimiter=",", quotechar='"')
assert len(set(head)) == len(head), "a column is there twice: Otava would take the first"
assert "branch" not in head, "Otava would want --branch"
metrics = [name for name in head if name not in ("time", *attributes)]
assert metrics and all(metrics), "no metric, or one without a name"
before = 0
for row in rows:
    assert len(row) == len(head), f"{len(row)} fields, and {len(head)} columns"
    fields = dict(zip(head, row))
    time = datetime.datetime.strptime(fields["time"], "%Y-%m-%dT%H:%M:%S%z").timestamp()
    assert time >= before, "points are in the order of the lines: this one is older than the one before"
    before = time
    values = [float(fields[name]) for name in metrics]  # what is empty is an error of Otava's
    assert all(math.isfinite(value) for value in values), row
    print(int(time), *[fields[name] for name in attributes], *values)
