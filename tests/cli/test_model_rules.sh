#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The check of traces and the models have the same rules, and the models name a trace's events. Nothing here needs SPIN.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

# compare_rules CHECKOUT: prints what one of them has and the other does not.
compare_rules() { python3 - "$1" <<'PYTHON'; }
import pathlib, re, sys

root, wrong = pathlib.Path(sys.argv[1]), []
# Of the runtime; the others have no trace.
models = "any early limits members packets places together whole withdraw".split()
unseen = {"PHASE"}  # events of what kernels do between scheduling points, of which no model knows


def references(text):
    """(model, rule) of each 'models/NAME.pml: RULE, RULE' in comments."""
    text = re.sub(r"\s*\n \*\s*", " ", text)
    found = re.findall(r"models/(\w+)\.pml: ([A-Z]+(?:, [A-Z]+)*)", text)
    return {(model, rule) for model, rules in found for rule in rules.split(", ")}


asserted, events = set(), set()
for model in models:
    lines = (root / f"models/{model}.pml").read_text().splitlines()
    for i, line in enumerate(lines):
        asserted |= {(model, rule) for rule in re.findall(r"rule ([A-Z]+)", line)}
        events |= set(re.findall(r"event ([A-Z_]+)", line))
        said = lines[i - 1] + line
        if "assert(" in line and not re.search(r"rule [A-Z]+|no trace: ", said):
            wrong.append(f"models/{model}.pml:{i + 1}: an assertion without 'rule NAME' or 'no trace: WHY'")

referred = set()
for path in sorted((root / "runtime/trace").glob("*.c")):
    text = path.read_text()
    mine = references(text)
    referred |= mine
    used = set(re.findall(r'"([A-Z]{3,})(?:"|: )', text))
    for rule in sorted(used - {rule for _, rule in mine}):
        if f"No model: {rule}" not in text:
            wrong.append(f"{path.name}: rule {rule} names no model")
for model, rule in sorted(referred - asserted):
    wrong.append(f"runtime/trace: models/{model}.pml has no rule {rule}")
for model, rule in sorted(asserted - referred):
    wrong.append(f"models/{model}.pml: no check of a trace refers to rule {rule}")

kinds = set(re.findall(r"^    COOP_EVENT_(\w+),", (root / "kernels/coop_abi.h").read_text(), flags=re.M))
for name in sorted(kinds - events - unseen - {"NONE"}):
    wrong.append(f"models: none has event {name}")
for name in sorted(events - kinds):
    wrong.append(f"models: there is no event {name}")
if not asserted or not kinds:
    wrong.append("nothing was compared")
print("\n".join(wrong))
sys.exit(bool(wrong))
PYTHON

check_exit 0 compare_rules "$SOURCE_DIR"

# What is missing on either side is found.
mkdir -p copy/runtime copy/kernels
cp -r "$SOURCE_DIR/models" copy
cp -r "$SOURCE_DIR/runtime/trace" copy/runtime
cp "$SOURCE_DIR/kernels/coop_abi.h" copy/kernels
sed -i 's/rule LIMIT/rule KILL/' copy/models/limits.pml
sed -i 's/event OFFER//' copy/models/members.pml
check_exit 1 compare_rules copy
check_stdout '^runtime/trace: models/limits.pml has no rule LIMIT$'
check_stdout '^models/limits.pml: no check of a trace refers to rule KILL$'
check_stdout '^models: none has event OFFER$'
sed -i 's/No model: TRACE//' copy/runtime/trace/kernel.c
check_exit 1 compare_rules copy
check_stdout '^kernel.c: rule TRACE names no model$'
