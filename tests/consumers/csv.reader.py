#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""csv.reader.py FILE: reads a CSV by its header, as pandas and spreadsheets do. Prints a line for each of its lines: case,
status, metric and median."""
import csv
import sys

with open(sys.argv[1], newline="", encoding="utf-8") as file:
    lines = list(csv.DictReader(file))
for line in lines:
    assert None not in line and None not in line.values(), f"more or fewer fields than columns: {line}"
    print(line["case_id"], line["status"], line["metric"], line["median"])
