#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of apps (FSE'17 Tab. 1) into docs/apps.md, from their sources, and beside the paper's own into
docs/papers.md.

    scripts/app-table.py            writes it
    scripts/app-table.py --check    exits with 1 if a row of it is not up to date, and names the apps
                                    that have none yet: to add an app takes no other file than its own
    scripts/app-table.py --root DIR of another checkout
"""
import argparse
import pathlib
import re
import sys

BEGIN = "<!-- Tab. 1, by scripts/app-table.py -->\n"
BESIDE = "<!-- Tab. 1 beside the paper's, by scripts/app-table.py -->\n"
END = "<!-- end of Tab. 1 -->\n"
BYTES = {"uchar": 1, "ushort": 2, "int": 4, "uint": 4, "float": 4, "uint2": 8, "long": 8, "ulong": 8,
         "double": 8, "uint4": 16, "cb_u32": 4, "cb_u64": 8}
HEADS = ("app", "barriers / resizing", "offers", "requests", "transmitted", "lines", "inputs")

# FSE'17 Tab. 1: our name, its name, and the cells that come after
FSE17 = (("color", "color", ("2 / 2", 0, 0, 4, 55, 2)),
         ("mis", "mis", ("3 / 3", 0, 0, 0, 71, 2)),
         ("sssp_bellman", "p-sssp", ("3 / 3", 0, 0, 0, 42, 1)),
         ("bfs", "bfs", ("2 / 2", 0, 0, 4, 185, 2)),
         ("sssp_worklist", "l-sssp", ("2 / 2", 0, 0, 4, 196, 2)),
         ("octree", "octree", ("0 / 0", 1, 1, 0, 213, 1)),
         ("game", "game", ("0 / 0", 1, 1, 0, 308, 1)))


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def lines_of_code(text):
    return sum(1 for line in text.splitlines() if line.strip())


def number(text, code, path):
    """A number, or the macro that stands for one."""
    macro = re.search(rf"#define\s+{text}\s+(\d+)", code)
    text = macro.group(1) if macro else text.rstrip("u")
    if not text.isdigit():
        sys.exit(f"{path}: COOP_TRANSMIT: how many are \"{text}\"? Tell scripts/app-table.py")
    return int(text)


def transmitted(code, path):
    """Variables and bytes of the transmit state."""
    found = re.search(r"#define\s+COOP_TRANSMIT\b((?:[^\n]*\\\n)*[^\n]*)", code)
    body = found.group(1).replace("\\\n", " ") if found else ""
    variables = size = 0
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        kind, names = declaration.split(None, 1)
        if kind not in BYTES:
            sys.exit(f"{path}: COOP_TRANSMIT: how large is \"{kind}\"? Tell scripts/app-table.py")
        for name in names.split(","):
            elements = 1
            for length in re.findall(r"\[(\w+)\]", name):
                elements *= number(length, code, path)
            variables += 1
            size += elements * BYTES[kind]
    return variables, size


def count_inputs(host):
    """Elements of .inputs = {...}: names of macros, or braces. The last: variants come before."""
    begin = re.split(r"\.inputs\s*=\s*\{", without_comments(host))[1:]
    depth, elements = 1, 0
    for token in re.findall(r"[{}]|\w+", begin[-1]) if begin else []:
        elements += depth == 1 and token != "}"
        depth += (token == "{") - (token == "}")
        if depth == 0:
            break
    return elements


def sources_of(path, root, found):
    """The kernel and what it includes, without the runtime and what it shares with the host."""
    if path in found or path.suffix not in (".cl", ".clh") or root / "apps" not in path.parents:
        return found
    found.append(path)
    for name in re.findall(r'^#include "([^"]+)"', path.read_text(), flags=re.M):
        for included in (path.parent / name, root / name):
            if included.exists():
                sources_of(included.resolve(), root, found)
    return found


def with_barriers(code):
    """The barriers of the authors' apps by their names (apps/shared/paper_barrier.clh)."""
    meant = "global_barrier()" if "#define PAPER_ONCE" in code else "resizing_global_barrier()"
    return re.sub(r"#define paper_barrier\(\).*", "", code).replace("paper_barrier()", meant)


def row_of(folder, root, kernel=None):
    """The cells of an app, with another kernel of its folder than its own; None if it only measures the runtime."""
    host = folder / f"{folder.name}.c"
    if not host.exists():
        raise SystemExit(f"app-table.py: there is no {host.relative_to(root)}")
    host = host.read_text()
    if re.search(r"\.synthetic\s*=\s*true", host):
        return None
    sources = sources_of(folder / (kernel or f"{folder.name}.cl"), root, [])
    code = with_barriers("\n".join(without_comments(path.read_text()) for path in sources))
    resizing = len(re.findall(r"\bresizing_global_barrier\(\)", code))
    plain = len(re.findall(r"\bglobal_barrier\(\)", code))
    variables, size = transmitted(code, folder)
    return (f"`{folder.name}`", f"{resizing + plain} / {resizing}",
            len(re.findall(r"\boffer_kill\(\)", code)),
            len(re.findall(r"\brequest_fork\(\)", code)),
            f"{variables} ({size} bytes)", lines_of_code(code), count_inputs(host))


def lines_of(rows):
    return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in rows if row)


def heads(*names):
    return [names, ("---",) + ("---:",) * (len(names) - 1)]


def table(root):
    folders = (f for f in sorted((root / "apps").iterdir()) if (f / f"{f.name}.cl").exists())
    return lines_of(heads(*HEADS) + [row_of(folder, root) for folder in folders])


def table_beside(root):
    """Of the paper's apps: its row, that of its algorithm here, and ours."""
    rows = []
    for name, theirs, cells in FSE17:
        folder = root / "apps" / name
        if (folder / f"{name}.cl").exists():
            variants = [("`--variant paper`", "paper.cl"), ("`--variant paper-once`", "once.cl"), ("ours", None)]
            rows += [(theirs, "FSE'17", *cells)]
            rows += [(f"`{name}`", variant, *row_of(folder, root, kernel)[1:])
                     for variant, kernel in variants if not kernel or (folder / kernel).exists()]
    return lines_of(heads("app", "kernel", *HEADS[1:]) + rows)


def check(old, new, page):
    """Compares the rows that there are; says which are missing."""
    rows = set(old.splitlines())
    missing = [row.split("|")[1].strip() for row in new.splitlines() if row not in rows]
    named = {row.split("|")[1].strip() for row in old.splitlines()}
    if rows - set(new.splitlines()) or named & set(missing):
        sys.exit(f"{page}: the table is not up to date: run scripts/app-table.py")
    if missing:
        print(f"{page}: no row yet of {', '.join(missing)}: run scripts/app-table.py", file=sys.stderr)


def write(page, begin, make, root, checks):
    old = page.read_text()
    if begin not in old or END not in old:
        sys.exit(f"{page}: lacks the lines {begin.strip()} and {END.strip()}")
    before, rest = old.split(begin, 1)
    old_table, rest = rest.split(END, 1)
    new_table = make(root)
    if checks:
        check(old_table, new_table, page)
    elif new_table != old_table:
        page.write_text(before + begin + new_table + END + rest)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    root = options.root.resolve()
    write(root / "docs" / "apps.md", BEGIN, table, root, options.check)
    write(root / "docs" / "papers.md", BESIDE, table_beside, root, options.check)


if __name__ == "__main__":
    main()
