#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""md.reader.py FILE: reads a table by the rules of GitHub's Markdown, which shows no table where the second line is not one
of dashes of as many cells, and cuts off what a row has beyond the header. Prints the cells of each row."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = [line.strip() for line in file if line.startswith("|")]
rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
head, dashes, *body = rows
assert all(re.fullmatch(":?-+:?", cell) for cell in dashes), dashes
assert body and all(len(row) == len(head) for row in rows), "rows of different lengths"
for row in body:
    print(*row, sep="\t")
