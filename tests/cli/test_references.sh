#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A file that a source or a page names, with its folder, is there: what moves takes its mentions with it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

stale() { python3 - "$1" <<'PYTHON'; }
import pathlib, re, sys

root, wrong = pathlib.Path(sys.argv[1]), []
ENDINGS = {".c", ".h", ".cl", ".clh", ".cc", ".cu", ".cuh", ".cmake", ".gp", ".md", ".pml", ".py", ".sh", ".txt"}
MADE_UP = ("results/", "tests/fixtures/", "tests/fuzz/corpus/")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
rooms = sorted(path.name for path in root.iterdir() if path.is_dir() and not re.match(r"\.|build", path.name))
MENTION = re.compile(rf"(?<![\w./*<>$}}-])((?:{'|'.join(rooms)})/[\w./-]+\.(?:c|h|cl|clh|cmake|gp|pml|py|sh))(?![\w*])")
for path in sorted(path for room in rooms for path in (root / room).rglob("*")):
    name = path.relative_to(root).as_posix()
    if path.suffix not in ENDINGS or name.startswith(MADE_UP):
        continue
    text = path.read_text(errors="replace")
    if name.startswith("tests/"):  # what tests plant is in strings, and in lines of shell
        text = STRING.sub(lambda s: re.sub(r"[^\n]", " ", s[0]), text) if path.suffix in (".c", ".h") else "\n".join(
            line if re.match(r"\s*# ", line) else "" for line in text.split("\n"))
    for number, line in enumerate(text.split("\n"), 1):
        for mention in MENTION.findall(line):
            if not (root / mention).exists() and not (path.parent / mention).exists() and "NAME" not in mention:
                wrong.append(f"{name}:{number}: there is no {mention}")
print("\n".join(wrong))
sys.exit(bool(wrong))
PYTHON
check_exit 0 stale "$SOURCE_DIR"

# It would notice.
mkdir -p house/{kernels/coop,docs,tests/unit,build/kernels}
echo '/* As kernels/coop/slots.clh, and as models/NAME.pml has it; slots.clh. */' >house/kernels/coop/slots.clh
echo 'Begin with kernels/coop/slots.clh. "kernels/*.clh"' >house/docs/begin.md
echo 'static const char text[] = "kernels/none.cl"; /* kernels/coop/slots.clh */' >house/tests/unit/test_a.c
check_exit 0 stale house
echo '/* As kernels/coop/pool.clh has it. */' >house/tests/unit/test_b.c
check_exit 1 stale house
check_stdout '^tests/unit/test_b\.c:1: there is no kernels/coop/pool\.clh$'
rm house/tests/unit/test_b.c
printf 'Words\n\nBegin with kernels/slots.clh.\n' >house/docs/begin.md
check_exit 1 stale house
check_stdout '^docs/begin\.md:3: there is no kernels/slots\.clh$'
