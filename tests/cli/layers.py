#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rooms of the house are one chain, and everything goes down it.

    layers.py FOLDER    the root of a checkout

Prints each include that goes up the chain of CONTRIBUTING.md ("cli > plots > ..."), or out of it, and each circle of C files
that call each other. A table that names functions, as of commands, does not call them. Exit status: 1 if there is any."""
import pathlib
import re
import sys

SOURCES = {".c", ".h", ".cl", ".clh"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
PUBLIC = r"(?:cb|coopbench)_\w+"
DEFINITION = re.compile(rf"^(?!static|typedef)\w[\w \*]*?\b({PUBLIC})\([^;{{}}]*\)\s*\{{", re.MULTILINE)
CALL = re.compile(rf"\b({PUBLIC})\(")


def chain_of(root):
    """The rooms from the top, as CONTRIBUTING.md has them."""
    line = re.search(r"^ {4}(\w+(?: > \w+)+)$", (root / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    if not line:
        sys.exit("layers.py: CONTRIBUTING.md has no line of rooms, as \"    cli > plots > ...\"")
    return line[1].split(" > ")


def sources_of(root, rooms):
    """{file of a room: its text}"""
    return {path.relative_to(root).as_posix(): path.read_text() for room in rooms
            for path in sorted((root / room).rglob("*")) if path.suffix in SOURCES}


def find(root, source, target):
    """The file that an include means, from the root; None: it is generated, or a user's."""
    for folder in ((root / source).parent, root, root / "kernels"):
        if (folder / target).is_file():
            return (folder / target).resolve().relative_to(root).as_posix()
    return None


def includes_up(root, rooms, sources):
    for source, text in sources.items():
        for target in filter(None, (find(root, source, name) for name in INCLUDE.findall(text))):
            here, there = source.split("/")[0], target.split("/")[0]
            if there not in rooms:
                yield f"{source} includes {target}: {there}/ is no room of the chain"
            elif rooms.index(there) < rooms.index(here):
                yield f"{source} includes {target}: {there}/ is above {here}/"


def calls_of(sources):
    """{C file: {C file whose public functions it calls: one of these}}"""
    codes = {name: NO_CODE.sub(" ", text) for name, text in sources.items() if name.endswith(".c")}
    home = {function: name for name, code in codes.items() for function in DEFINITION.findall(code)}
    return {name: {home[called]: called for called in CALL.findall(code) if home.get(called, name) != name}
            for name, code in codes.items()}


def circles(graph):
    """The strongly connected components of more than one file (Tarjan's algorithm)."""
    order, low, stack, found = {}, {}, [], []

    def visit(file):
        order[file] = low[file] = len(order)
        stack.append(file)
        for other in graph[file]:
            if other not in order:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == order[file]:
            circle = []
            while not circle or circle[-1] != file:
                circle.append(stack.pop())
            if len(circle) > 1:
                found.append(sorted(circle))

    sys.setrecursionlimit(10000)
    for file in graph:
        if file not in order:
            visit(file)
    return found


def main(folder):
    root = pathlib.Path(folder).resolve()
    rooms = chain_of(root)
    sources = sources_of(root, rooms)
    graph = calls_of(sources)
    wrong = list(includes_up(root, rooms, sources))
    for circle in circles(graph):
        wrong.append("these call each other in a circle: " + ", ".join(
            f"{file} ({', '.join(sorted(graph[file][other] for other in graph[file] if other in circle))})" for file in circle))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
