#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prose holds no measured number: tables do. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

papers() { check_exit "$1" python3 "$SOURCE_DIR/scripts/papers.py" "${@:2}"; }

# Measured numbers of prose: each of these has been wrong in our documents.
mkdir -p prose/docs
while IFS= read -r line; do
  printf '%s\n' "$line" >prose/docs/page.md
  papers 1 --check --root prose
  check_stderr 'docs/page.md:1: .* is neither in a table nor quoted'
done <<'TEXT'
Beside `heavy` it takes the tasks 37 to 47 ms. Three of the eleven pairs keep it.
Tracing costs up to 8 % of an app's time.
The table has 9.30 kruns/s.
Its speedup is 4.37 (the paper: <!-- paper -->0.97<!-- end -->).
Lock-free: 3.3 to 11.4 µs.
The fair one missed some in runs before (0.4 and 3 %), not in this one.
It found 97 to 100 % of them.
One work-item alone waits 160 to 260 ns for an atomic.
It takes 0.65 to 0.96 of the time of a C barrier.
On an H200 the plain counter is 2.5 times as fast at 132 workgroups.
In OOPSLA'16 (Section 5.2), light had t = 1.90 ms on PoCL 3.1.
Beside heavy tasks, 9 of the 11 pairs keep the period.
TEXT
printf 'slices of about 2\nms alternate\n' >prose/docs/page.md
papers 1 --check --root prose
check_stderr 'docs/page.md:1: 2 ms is neither'

# And numbers that are no measurements, or whose source is told.
cat >prose/docs/page.md <<'TEXT'
The paper has <!-- paper -->5 to 10 ms<!-- end -->, a study found <!-- study -->142 of 145<!-- end -->, in Sections 2.2 and 5.4, Tab. 3, Figs. 10, 11; PoCL 3.1 and 5.0, driver 580.159.04,
commit 6c43a80 of 2026-11-23, `--wait-deadline` (`200 ms`), 132 workgroups, 10 rounds of 15 samples, N/4, the 95 % interval.

```
$ coopbench discover
| 1 item | 9.70 µs |
```

| app | paper |
| --- | ---: |
| mis | 0.97 |

[picture](fse17-1.47.svg) of 3N/4
TEXT
papers 0 --check --root prose

printf 'The paper has\n<!-- paper -->5 ms<!-- end -->.\n' >prose/docs/page.md
papers 1 --check --root prose
check_stderr 'a line that begins with a comment is HTML'
