#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""terminal.py ROWS COLUMNS PATTERN KEYS COMMAND...: runs a command on a terminal of its own, until a line
of the screen matches the pattern; prints the screen, types the keys, and when the command has ended prints
"====" and the screen again. Exits with the command's code; 99: nothing matched within a minute."""
import fcntl, os, pty, re, select, struct, sys, termios, time


class Screen:
    """What coopbench sends: text, carriage return, new line, CSI A (up), CSI J and K (erase to the end)."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines, self.row, self.column, self.rest = [""], 0, 0, ""

    def write(self, text):
        text = self.rest + text
        while text:
            found = re.match(r"\x1b\[(\d*)([A-Za-z])", text)
            if found:
                self.control(found[2], int(found[1] or 1))
                text = text[found.end():]
            elif text[0] == "\x1b":
                break
            else:
                self.put(text[0])
                text = text[1:]
        self.rest = text

    def control(self, letter, n):
        if letter == "A":  # not above the first row of the screen
            self.row = max(self.row - n, len(self.lines) - self.rows, 0)
        elif letter in "JK":
            self.lines[self.row] = self.lines[self.row][:self.column]
            if letter == "J":
                del self.lines[self.row + 1:]
        else:
            sys.exit(f"not expected: CSI {letter}")

    def put(self, c):
        if c == "\r":
            self.column = 0
        elif c == "\n" or self.column == self.columns:
            self.row += 1
            self.column = 0 if c != "\n" else self.column
            if self.row == len(self.lines):
                self.lines.append("")
        if c not in "\r\n":
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + c + line[self.column + 1:]
            self.column += 1


def main():
    rows, columns = int(sys.argv[1]), int(sys.argv[2])
    pattern, keys = re.compile(sys.argv[3]), sys.argv[4].encode().decode("unicode_escape").encode()
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.environ.pop("COLUMNS", None)
        os.execvp(sys.argv[5], sys.argv[5:])
    screen, typed, end = Screen(rows, columns), False, time.monotonic() + 60
    data = b""
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            more = os.read(terminal, 65536)
        except OSError:
            more = b""
        if not more:
            break
        data += more
        whole = len(data)
        while whole and data[whole - 1] & 0xC0 == 0x80:  # the last character may not be whole yet
            whole -= 1
        whole = len(data) if data[-1] < 0x80 else max(whole - 1, 0)
        screen.write(data[:whole].decode())
        data = data[whole:]
        if not typed and any(pattern.search(line) for line in screen.lines[-rows:]):
            print("\n".join(screen.lines[-rows:]), end="\n====\n")
            os.write(terminal, keys)
            typed = True
    else:
        os.kill(pid, 9)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print("\n".join(screen.lines))
    sys.exit(code if typed else 99)


main()
