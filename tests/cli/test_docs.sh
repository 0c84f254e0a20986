#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Links of README.md and docs lead somewhere, and the README stays one that is read. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

check_links() { python3 - "$@" <<'PYTHON'; }
import pathlib, re, sys

def anchors(page):
    heads = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}

root, wrong = pathlib.Path(sys.argv[1]), []
pages = [root / "README.md", root / "CONTRIBUTING.md", *root.glob("docs/**/*.md")]
for folder in sys.argv[2:]:
    pages += (root / folder).glob("**/README.md")
for page in pages:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            wrong.append(f"{page.relative_to(root)}: {link}: there is no {path}")
        elif anchor and anchor not in anchors(target):
            wrong.append(f"{page.relative_to(root)}: {link}: there is no heading {anchor}")
print("\n".join(wrong))
sys.exit(bool(wrong))
PYTHON

folders=(analysis apps cli configs examples kernels measure plots probes results runtime scripts tests)
check_exit 0 check_links "$SOURCE_DIR" models "${folders[@]}"
for folder in "${folders[@]}"; do
  check "$folder has no README of at most 20 lines" test "$(wc -l <"$SOURCE_DIR/$folder/README.md")" -le 20
done
check "README.md has more than 300 lines" test "$(wc -l <"$SOURCE_DIR/README.md")" -le 300
check "docs/glossary.md is more than a page" test "$(wc -l <"$SOURCE_DIR/docs/glossary.md")" -le 84

# The test of links finds broken ones.
mkdir -p broken/docs
printf '# A\n\n[a](#a) [b](#b) [c](none.md) [d](docs/d.md#a)\n' | tee broken/README.md broken/CONTRIBUTING.md >/dev/null
printf '# D\n' >broken/docs/d.md
check_exit 1 check_links broken
check "broken links are not found" test "$(wc -l <out)" = 6
