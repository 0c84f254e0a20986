#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""openmetrics.py FILE: reads a file of metrics by the rules that OpenMetrics and Prometheus' text format have in common,
and by those of the node exporter's textfile collector. Prints the samples: "NAME {LABELS as JSON} VALUE"."""
import json
import math
import re
import sys

NAME = r"[a-zA-Z_][a-zA-Z0-9_]*"
TEXT = r'(?:[^"\\\n]|\\["\\n])*'  # all that both may escape
LABEL = re.compile(rf'({NAME})="({TEXT})"')
SAMPLE = re.compile(rf'({NAME})\{{((?:{NAME}="{TEXT}"(?:,(?!}}))?)*)\}} (\S+)')
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}
RESERVED = ("_total", "_created", "_bucket", "_count", "_sum")  # of types that no family has


def read(text):
    assert text.endswith("\n# EOF\n"), "no # EOF at the end"
    family, known, seen, samples, finished = None, {}, set(), [], set()
    for line in text.split("\n")[:-2]:
        if line.startswith("# "):
            _, kind, name, rest = line.split(" ", 3)
            if name != family:
                assert name not in finished, f"{name} is in two places"
                finished.add(family)
                family, known = name, {}
            assert kind in ("HELP", "TYPE", "UNIT") and kind not in known, line
            assert "sample" not in known, f"{line}: after a sample"
            assert kind != "TYPE" or rest == "gauge", line
            assert kind != "UNIT" or name.endswith("_" + rest), line
            assert "\\" not in rest and '"' not in rest, f"{line}: would be escaped in two ways"
            known[kind] = rest
            continue
        match = SAMPLE.fullmatch(line)
        assert match, f"no sample, or one with a time: {line}"
        name, labels, value = match.groups()
        assert name == family and "HELP" in known and "TYPE" in known, line
        assert not name.endswith(RESERVED), name
        labels = {k: re.sub(r"\\.", lambda m: ESCAPES[m[0]], v) for k, v in LABEL.findall(labels)}
        assert all(k == "UUID" or k == "Hostname" or k == k.lower() for k in labels), line
        assert "" not in labels.values(), f"an empty label is none: {line}"
        key = (name, json.dumps(labels, sort_keys=True))
        assert key not in seen, f"twice: {line}"
        assert math.isfinite(float(value)), line
        seen.add(key)
        known["sample"] = True
        samples.append((name, labels, float(value)))
    return samples


for name, labels, value in read(open(sys.argv[1], encoding="utf-8", newline="").read()):
    print(name, json.dumps(labels, sort_keys=True, ensure_ascii=False), value)
