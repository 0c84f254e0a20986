#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a random kernel with points: merge_random.py SEED FILE.

Control flow around points is the same in all work-items; what they compute is not. Each work-item writes to a place of
its own, so that the kernel writes the same with its points as without them.
"""
import random
import sys

POINTS = ("global_barrier();", "global_barrier();", "resizing_global_barrier();", "barrier(CLK_GLOBAL_MEM_FENCE);",
          "offer_kill();")


class Kernel:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.lines, self.n = [], 0
        self.left = 45  # statements

    def name(self, kind):
        self.n += 1
        return f"{kind}{self.n}"

    def put(self, depth, text):
        self.lines.append("    " * depth + text)

    def value(self, names):
        """An expression over variables that may differ between work-items."""
        d = self.dice
        atom = lambda: d.choice(names) if names and d.random() < 0.8 else str(d.randrange(1, 1000))  # noqa: E731
        kind = d.randrange(6)
        if kind == 0:
            return atom()
        if kind == 1:
            return f"({atom()} > {atom()} ? {atom()} : {atom()})"
        if kind == 2:
            return f"blend({atom()}, {atom()})"
        return f"({atom()} {d.choice(['+', '*', '^', '-'])} {atom()} {d.choice(['+', '^'])} {atom()})"

    def assign(self, depth, scope):
        d = self.dice
        targets = [v for v in scope if v[0] in "xa"]
        if not targets:
            return
        target = d.choice(targets)
        if target[0] == "a":
            target += f"[{d.randrange(3)}]"
        names = self.readable(scope)
        how = d.randrange(5)
        if how == 0:
            self.put(depth, f"{target} {d.choice(['+=', '^=', '*='])} {self.value(names)};")
        elif how == 1:
            self.put(depth, f"if ({self.value(names)} % 3 == 0 && ({target} = {self.value(names)}) != 1)")
            self.put(depth + 1, f"out[me] += {self.value(names)};")
        elif how == 2:
            given = f"{self.value(names)}, {self.value(names)}, {d.randrange(4)}"
            self.put(depth, d.choice(["", f"if ({d.randrange(2)}) "]) + f"{target} = 3 + meet({given});")
        else:
            self.put(depth, f"{target} = {self.value(names)};")

    @staticmethod
    def readable(scope):
        return [v + "[1]" if v[0] == "a" else v for v in scope]

    def declare(self, depth, scope):
        name = self.name("x")
        if self.dice.random() < 0.2:
            name = self.name("a")
            self.put(depth, f"transmit uint {name}[3];")
            for i in range(3):
                self.put(depth, f"{name}[{i}] = {self.value(self.readable(scope))};")
        else:
            self.put(depth, f"transmit uint {name} = {self.value(self.readable(scope))};")
        scope.append(name)

    def loop(self, depth, scope, loops):
        d = self.dice
        counter, most = self.name("u"), d.randrange(1, 4)
        inner = scope + [counter]
        kind = d.randrange(3)
        if kind == 0:
            self.put(depth, f"for (transmit uint {counter} = 0; {counter} < {most}; {counter}++) {{")
            self.block(depth + 1, inner, loops + [counter])
            self.put(depth, "}")
        elif kind == 1:
            self.put(depth, f"transmit uint {counter} = 0;")
            self.put(depth, f"while ({counter} < {most}) {{")
            self.put(depth + 1, f"{counter}++;")
            self.block(depth + 1, inner, loops + [counter])
            self.put(depth, "}")
        else:
            self.put(depth, f"transmit uint {counter} = 0;")
            self.put(depth, "do {")
            self.put(depth + 1, f"{counter} += 1;")
            self.block(depth + 1, inner, loops + [counter])
            self.put(depth, f"}} while ({counter} < {most});")

    def leave(self, depth, loops):
        if loops:
            self.put(depth, f"if ({self.dice.choice(loops)} == {self.dice.randrange(3)})")
            self.put(depth + 1, self.dice.choice(["break;", "continue;"]))

    def branch(self, depth, scope, loops):
        condition = f"{self.dice.choice(loops)} % 2 == 0" if loops else str(self.dice.randrange(2))
        self.put(depth, f"if ({condition}) {{")
        self.block(depth + 1, list(scope), loops)
        self.put(depth, "} else {")
        self.block(depth + 1, list(scope), loops)
        self.put(depth, "}")

    def block(self, depth, scope, loops):
        for _ in range(self.dice.randrange(2, 6)):
            if self.left <= 0:
                return
            self.left -= 1
            kind = self.dice.randrange(12)
            if kind < 2:
                self.declare(depth, scope)
            elif kind < 5:
                self.assign(depth, scope)
            elif kind < 8:
                self.put(depth, self.dice.choice(POINTS))
            elif kind == 8 and self.dice.random() < 0.3 and any(v[0] == "x" for v in scope):
                x = self.dice.choice([v for v in scope if v[0] == "x"])
                self.put(depth, f"STEP({x}, {self.value(self.readable(scope))});")
            elif kind < 9 and depth < 5:
                self.loop(depth, list(scope), loops)
            elif kind < 10 and depth < 5:
                self.branch(depth, scope, loops)
            elif kind < 11:
                self.leave(depth, loops)
            else:
                self.put(depth, f"out[me] = 31 * out[me] + {self.value(self.readable(scope))};")

    def text(self):
        scope = []
        while self.left > 0:
            self.declare(1, scope)
            self.block(1, scope, [])
        for v in self.readable(scope):
            self.put(1, f"out[me] = 31 * out[me] + {v};")
        return ("#define me get_global_id(0)\n"
                "#define MEET barrier(CLK_GLOBAL_MEM_FENCE)\n"
                "#define STEP(x, y) do { x = 3 * x + (y); MEET; x ^= 5; MEET; } while (0)\n"
                "uint meet(uint a, uint x1, uint n)\n{\n    uint b = a ^ x1;\n    for (uint u1 = 0; u1 < 2; u1++) {\n"
                "        MEET;\n        b = 31 * b + u1;\n        if (n == u1)\n            return b + a;\n    }\n"
                "    if (n == 2)\n        return b;\n    MEET;\n    return x1 - b;\n}\n"
                "uint blend(uint a, uint b)\n{\n    return a * 2654435761u + b + (uint)get_local_id(0);\n}\n"
                "kernel void k(global uint *out)\n{\n" + "\n".join(self.lines) + "\n}\n")


def main():
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(Kernel(int(sys.argv[1])).text())


if __name__ == "__main__":
    main()
