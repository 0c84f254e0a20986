#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A comment names its subject: it does not go on where another has ended. That a comment is a sentence no program can tell; these
# beginnings tell that it is none. Of a comment behind code, the code may be the subject ("of each vertex").
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

fragments() { python3 - "$1" <<'PYTHON'; }
import pathlib, re, sys

root = pathlib.Path(sys.argv[1])
ROOMS = ("cli", "plots", "probes", "apps", "analysis", "measure", "runtime", "kernels", "examples")
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'|/\*(.*?)\*/|//([^\n]*)", re.DOTALL)
GOES_ON = re.compile(r"(?:and|or)\b|the same(?=$|[,;:.]| (?:of|as|in|with|for|by|on|at|from|to|but|and|beside)\b)", re.IGNORECASE)
NO_SUBJECT = re.compile(r"(?:of|as many)\b", re.IGNORECASE)
found = False
for path in sorted(path for room in ROOMS for path in (root / room).rglob("*") if path.suffix in (".c", ".h", ".cl", ".clh")):
    text, last = path.read_text(), -1
    for token in TOKEN.finditer(text):
        comment = token[1] or token[2]
        if comment is None:
            continue
        number, begin = text.count("\n", 0, token.start()) + 1, text.rfind("\n", 0, token.start()) + 1
        is_alone = not text[begin:token.start()].strip()
        first = " ".join(re.sub(r"\n\s*\*", " ", comment).split())
        goes_on = token[2] is not None and number == last + 1  # a line of // after another
        last = number if token[2] is not None else -1
        if not goes_on and (GOES_ON.match(first) or is_alone and NO_SUBJECT.match(first)):
            print(f"{path.relative_to(root)}:{number}: a comment without a subject: {first[:60]}")
            found = True
sys.exit(found)
PYTHON
check_exit 0 fragments "$SOURCE_DIR"

# It would notice.
mkdir -p house/kernels
cat >house/kernels/fair.clh <<'TEXT'
/* The same slots as before; of the kernel, and or. */
int a; /* of each kernel */
const char *text = "/* Of a string. */";
TEXT
check_exit 0 fragments house
while IFS= read -r comment; do
  printf 'int a;\n%s\nint b;\n' "$comment" >house/kernels/b.clh
  check_exit 1 fragments house
  check_stdout '^kernels/b\.clh:2: a comment without a subject: '
done <<'TEXT'
/* Of a kernel. */
/* The same, and the host reads them. */
/* As many levels back as there. */
int c; /* and those of the slots */
// And the slots.
TEXT
