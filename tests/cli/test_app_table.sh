#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The table of apps in docs/apps.md follows from their sources. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

table() { check_exit "$1" python3 "$SOURCE_DIR/scripts/app-table.py" "${@:2}"; }

table 0 --check

# The page names all that have the authors' variant.
awk -v RS= '/have a second kernel/' "$SOURCE_DIR/docs/apps.md" >variants
for kernel in "$SOURCE_DIR"/apps/*/paper.cl; do
  app=$(basename "$(dirname "$kernel")")
  check "docs/apps.md leaves out $app's variant" grep -qF "\`$app\`" variants
done

# Of other sources it is another one, which is noticed, and written.
mkdir -p other/apps/{one,none,shared} other/{kernels,docs}
cat >other/docs/apps.md <<'TEXT'
before
<!-- Tab. 1, by scripts/app-table.py -->
| old |
<!-- end of Tab. 1 -->
after
TEXT
cat >other/docs/papers.md <<'TEXT'
<!-- Tab. 1 beside the paper's, by scripts/app-table.py -->
<!-- end of Tab. 1 -->
TEXT
cat >other/apps/one/one.cl <<'TEXT'
/* resizing_global_barrier(); in a comment
 */
#define MANY 3u
#include "apps/shared/part.clh"
#include "one_abi.h"
#include "coop.clh"
#define COOP_TRANSMIT uint a, b[MANY]; \
    ulong c; // of 8 bytes

coop_kernel(one)
{
    global_barrier(); resizing_global_barrier();
    offer_kill();
    request_fork();
}
TEXT
echo 'inline void part() { global_barrier(); }' >other/apps/shared/part.clh
echo 'resizing_global_barrier();' | tee other/apps/one/{one_abi.h,other.clh} >other/kernels/coop.clh
echo '.inputs = {{"x", {"1", "2:4", "3"}}, CB_INPUT_Y}, .gpu_wg = 5,' >other/apps/one/one.c
cp other/apps/one/one.cl other/apps/none/none.cl
echo '.synthetic = true,' >other/apps/none/none.c
mkdir other/apps/game # one of the paper's, with a variant
echo 'coop_kernel(game) { offer_kill(); }' >other/apps/game/game.cl
printf '%s\n' 'coop_kernel(game)' '{' '    resizing_global_barrier();' '}' >other/apps/game/paper.cl
echo '.inputs = {CB_INPUT_X},' >other/apps/game/game.c
table 1 --check --root other
check_stderr 'not up to date'
table 0 --root other
table 0 --check --root other
check "another text" diff other/docs/apps.md - <<'TEXT'
before
<!-- Tab. 1, by scripts/app-table.py -->
| app | barriers / resizing | offers | requests | transmitted | lines | inputs |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| `game` | 0 / 0 | 1 | 0 | 0 (0 bytes) | 1 | 1 |
| `one` | 3 / 1 | 1 | 1 | 3 (24 bytes) | 13 | 2 |
<!-- end of Tab. 1 -->
after
TEXT
check "the paper's beside ours" diff other/docs/papers.md - <<'TEXT'
<!-- Tab. 1 beside the paper's, by scripts/app-table.py -->
| app | kernel | barriers / resizing | offers | requests | transmitted | lines | inputs |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| game | FSE'17 | 0 / 0 | 1 | 1 | 0 | 308 | 1 |
| `game` | `--variant paper` | 1 / 1 | 0 | 0 | 0 (0 bytes) | 4 | 1 |
| `game` | ours | 0 / 0 | 1 | 0 | 0 (0 bytes) | 1 | 1 |
<!-- end of Tab. 1 -->
TEXT
sed -i 's/308/309/' other/docs/papers.md
table 1 --check --root other
table 0 --root other

cp -r other/apps/{one,two}
rename() { for file in other/apps/two/one*; do mv "$file" "${file/two\/one/two/two}"; done; }
rename
table 0 --check --root other # an app without a row yet is named
check_stderr 'no row yet of `two`'
table 0 --root other
check "a row for it" grep -q '^| `two` |' other/docs/apps.md
echo 'global_barrier();' >>other/apps/two/two.cl # a row that is wrong
table 1 --check --root other
rm -r other/apps/two # and one of an app that is gone
table 1 --check --root other
table 0 --root other

sed -i 's/uint a/half a/' other/apps/one/one.cl
table 1 --root other
check_stderr 'COOP_TRANSMIT: how large is "half"'
sed -i 's/half a/uint a/; s/MANY 3u//' other/apps/one/one.cl
table 1 --root other
check_stderr 'COOP_TRANSMIT: how many are "MANY"'
echo >other/docs/apps.md
table 1 --root other
check_stderr 'lacks the lines'
