#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# fences.py [--check] [--root FOLDER] WEAK_PROGRAM...
#
# Lists each fence and each access with an order of memory in all .cl and .clh files that Git does not ignore, and what
# fails without it: a program of tests/weak (build-test/tests/weak/weak_kernels and the others, a few executions of which
# are run here to see what they reach), another test, or nothing, with the reason (tests/weak/fences.txt).
#
# --check: prints what is wrong, and exits with 1 if a place has neither a test nor a reason, or a line of fences.txt or
# reasons.h names a place that is not there.
import argparse
import collections
import pathlib
import re
import subprocess
import sys

TABLE = "tests/weak/fences.txt"
REASONS = "tests/weak/reasons.h"
DEFINITIONS = ("kernels/atomics.clh", "kernels/coop/host_words.clh")
KINDS = {
    "run": "a program of tests/weak fails without it",
    "reason": "a program of tests/weak runs it and does not need it: a reason",
    "name": "defines an operation, and has the order that its name says",
    "test": "another test fails without it",
    "argued": "nothing runs it: argued",
    "unshown": "not shown to be needed, or not to be",
    "none": "NONE",
}

CALL = re.compile(
    r"(?<!\w)(cb_(?:host_)?(?:load|store|add|or|and|exchange|swap|fetch_\w+?)(?:64)?_(?:acquire|release|acq_rel)"
    r"|cb_fence_\w+|cb_load(?:64)?_poll|cb_wait_(?:equal|reached)"
    r"|(?:read_|write_)?mem_fence|atomic_work_item_fence|atomic_thread_fence"
    r"|(?:work_group_)?barrier(?=\([^;]*GLOBAL_MEM_FENCE)|add_release)\("
    r"|(?<!\w)(FENCE_RELEASE|FENCE_ACQUIRE|CB_CL12_FENCE);")
ORDERED = re.compile(r"memory_order_(?:acquire|release|acq_rel|seq_cst)\b")
ASSEMBLY = re.compile(r"\.(?:acquire|release|acq_rel)\.|membar\.|\bfence\.|bar\.warp\.sync")
DEFINED = re.compile(r"^(?:static|CB_OUT_OF_LINE|COOP_\w+|TASK_\w+) [^;=(]*?\b(\w+)\(")

Site = collections.namedtuple("Site", "file line function operation")


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)


def operations(line):
    """The names of what orders memory in a line."""
    found = [m[1] or m[2] for m in CALL.finditer(line)]
    if ASSEMBLY.search(line):
        found.append("asm")
    elif not found and ORDERED.search(line):
        found.append("atomic_explicit")
    return found


def function_begins(line):
    """The name of the function or macro that begins in a line, or None."""
    macro = re.match(r"#\s*define (\w+)", line)
    if macro:
        return macro[1]
    line = re.sub(r"__attribute__\(\(.*?\)\)+ ?", "", line)
    if re.match(r"[A-Za-z_]", line) and not line.rstrip().endswith(";"):
        called = re.search(r"(\w+)\(", line)
        return called[1] if called else None
    return None


def sites_of(name, text):
    function = "-"
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        begun = function_begins(line)
        function = begun or function
        if begun and line.startswith("CB_PTX_R"):
            function = re.search(r"\((\w+)", line)[1]
        for operation in operations(line):
            if not (operation == function and DEFINED.match(line)):
                yield Site(name, number, function, operation)


# ---- Definitions of the operations -----------------------------------------------------------------------------------


def orders_named(name):
    """Those that a name promises."""
    if name.endswith("_acq_rel"):
        return {"acquire", "release"}
    if name.endswith("_acquire") or name == "cb_fence_polled":
        return {"acquire"}
    return {"release"} if name.endswith("_release") else set()


def orders_given(body, functions, macro):
    """Those that the text of an operation has."""
    given = set()
    for order in re.findall(r"memory_order_(\w+)|[. \"](acq_rel|acquire|release)\.", body):
        order = order[0] or order[1]
        given |= {"acquire", "release"} if order == "acq_rel" else {order}
    if "membar" in body:
        given = {"acquire", "release"}
    before, fence, after = body.partition("CB_CL12_FENCE;")
    if fence:  # after an access it acquires, before one it releases, alone it does both
        access = re.compile(r"\*p\b|\bp, ")
        first, last = access.search(before), access.search(after)
        given |= {"acquire"} if first or not last or "CB_CL12_FENCE;" in after else set()
        given |= {"release"} if last or not first else set()
    for called in re.findall(r"\b(cb_\w+)\(", body):
        given |= orders_given(functions[called], functions, macro) if called in functions else set()
    return given & {"acquire", "release"}


def weaker_definitions(text):
    """Operations that lack an order of their name."""
    text = without_comments(text)
    macro = re.search(r"#define CB_CL12_RMW\(name, operation\)(.*?)\n\s*CB_CL12_RMW", text, re.S)
    found = []
    for block in re.split(r"(?<=\n)#(?:if|elif|else|endif)[^\n]*", text):
        functions = {m[1]: m[2] for m in re.finditer(r"static inline \w+ (\w+)\([^)]*\)\n\{(.*?)\}\n", block, re.S)}
        functions.update((m[1], m[2]) for m in re.finditer(r"CB_PTX_R\w+\((cb_\w+), (\"[^\"]*\")", block))
        functions.update((m[1], macro[1]) for m in re.finditer(r"\nCB_CL12_RMW\((cb_\w+),", block) if macro)
        for name, body in functions.items():
            if name == "cb_fence_polled" and not body.strip():  # then the polls acquire
                body = functions["cb_load_poll"]
            if orders_named(name) - orders_given(body, functions, macro):
                found.append(name)
    return found


# ---- What holds them -------------------------------------------------------------------------------------------------


def read_table(path):
    """(file, function, operation): (kind, text)."""
    rows, families = {}, {}
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        head, _, text = line.partition(": ")
        words = head.split()
        if words[0] == "family" and len(words) == 2:
            families[words[1]] = text
        elif words[0] in ("test", "argued", "unshown") and len(words) == 4 and text:
            rows[tuple(words[1:])] = (words[0], families.get(text[1:], text) if text.startswith("@") else text)
        else:
            sys.exit(f"{path}:{number}: no line of a fence: {line}")
    return rows


def read_reasons(path):
    """(file, function, operation): {order: reason}."""
    text = path.read_text()
    named = dict(re.findall(r"#define (\w+)\s+(?:\\\n\s*)?\"(.*?)\"", text))
    rows = collections.defaultdict(dict)
    for file, function, operation, order, reason in re.findall(
            r"\{\"([^\"]+)\",\s*\"(\w+)\",\s*\"(\w+)\",\s*WEAK_(\w+),\s*(\"[^\"]*\"|\w+)", text):
        rows[file, function, operation][order.lower()] = named.get(reason, reason.strip('"'))
    return rows


def as_run(operation):
    """Its name in tests/weak, where words of the host are as others."""
    return operation.replace("cb_host_", "cb_")


def run_programs(programs):
    """(file, line, operation): (function, program), as a few executions reach them."""
    reached = {}
    for program in programs:
        ran = subprocess.run([program, "--quick", "--right", "--sites"], capture_output=True, text=True, check=False)
        if ran.returncode:
            sys.exit(ran.stdout + ran.stderr + f"{program}: fails as it is")
        for file, line, operation, function, by in re.findall(r"^site (\S+):(\d+) (\S+) (\S+) (.*)$", ran.stdout, re.M):
            reached.setdefault((file, int(line), operation), (function, f"{pathlib.Path(program).name}, {by}"))
    return reached


def held_by(site, reached, reasons, table):
    """(kind, text) of a site."""
    operation = as_run(site.operation)
    ran = reached.get((site.file, site.line, operation))
    row = table.get((site.file, site.function, site.operation))
    if ran:
        why = reasons.get((site.file, ran[0], operation), {})
        needed = (orders_named(site.operation) or {"acquire"}) - set(why)
        text = "; ".join([ran[1]] + [f"{order}: {reason}" for order, reason in sorted(why.items())])
        return "run" if needed else "reason", text
    if site.file in DEFINITIONS:
        return "name", "the order that its name says"
    return row or ("none", "NONE")


def wrong_lines(sites, reached, reasons, table, root):
    places = {(s.file, s.function, s.operation) for s in sites}
    ran = {(file, function, operation) for (file, _, operation), (function, _) in reached.items()}
    not_run = {(s.file, s.function, s.operation) for s in sites if (s.file, s.line, as_run(s.operation)) not in reached}
    for key, (kind, text) in table.items():
        if key not in places:
            yield f"{TABLE}: {' '.join(key)}: there is no such place"
        elif key not in not_run:
            yield f"{TABLE}: {' '.join(key)}: a program of tests/weak runs it: delete the line"
        elif kind == "test" and not (root / text.partition(":")[0]).exists():
            yield f"{TABLE}: {' '.join(key)}: there is no test {text.partition(':')[0]}"
    for key in reasons:
        if key not in ran | places:
            yield f"{REASONS}: {' '.join(key)}: there is no such place"


def main():
    parser = argparse.ArgumentParser(description="Fences and orders of memory, and what fails without them.")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    parser.add_argument("programs", nargs="+", metavar="WEAK_PROGRAM")
    args = parser.parse_args()
    listed = subprocess.run(["git", "ls-files", "-zco", "--exclude-standard", "*.cl", "*.clh"],
                            cwd=args.root, capture_output=True, check=False)
    files = [f for f in listed.stdout.decode().split("\0") if f] or sorted(
        str(p.relative_to(args.root)) for p in args.root.rglob("*.cl*") if p.suffix in (".cl", ".clh"))
    sites = [s for f in files if (args.root / f).exists() for s in sites_of(f, (args.root / f).read_text())]
    reached, reasons = run_programs(args.programs), read_reasons(args.root / REASONS)
    table = read_table(args.root / TABLE)
    wrong = list(wrong_lines(sites, reached, reasons, table, args.root))
    for name in DEFINITIONS:
        if (args.root / name).exists():
            wrong += [f"{name}: {f}: lacks the order that its name says"
                      for f in weaker_definitions((args.root / name).read_text())]
    counts = collections.Counter()
    for site in sites:
        kind, text = held_by(site, reached, reasons, table)
        counts[kind] += 1
        place = f"{site.file}:{site.line} {site.function}() {site.operation}"
        if kind == "none":
            wrong.append(f"{place}: no test fails without it, and {TABLE} has no reason")
        if not args.check:
            print(f"{place}: {kind}: {text}")
    print(f"{len(sites)} fences and orders:")
    for kind, what in KINDS.items():
        print(f"{counts[kind]:5} {what}")
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
