#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Includes go down the chain of rooms that CONTRIBUTING.md states, and no C files call each other in a circle.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

layers() { python3 "$SOURCE_DIR/tests/cli/layers.py" "$1"; }
check_exit 0 layers "$SOURCE_DIR"

# It would notice.
rooms() { # a small house in `house`, which is in order
  rm -rf house && mkdir -p house/{cli,measure,runtime/coop,tests}
  printf 'The chain:\n\n    cli > measure > runtime\n' >house/CONTRIBUTING.md
  printf '#include "measure/bench.h"\n\nint cb_command(void)\n{\n    return cb_measure(1);\n}\n' >house/cli/command.c
  printf 'int cb_measure(int n);\n' >house/measure/bench.h
  printf '#include "runtime/coop/open.h"\n\nint cb_measure(int n)\n{\n    return cb_open(n); /* cb_command() */\n}\n' >house/measure/bench.c
  printf 'int cb_open(int n);\n' >house/runtime/coop/open.h
  printf '#include "open.h"\n\nint cb_open(int n)\n{\n    return n;\n}\n' >house/runtime/coop/open.c
}
rooms
check_exit 0 layers house

sed -i '1i #include "measure/bench.h"' house/runtime/coop/open.h
check_exit 1 layers house
check_stdout '^runtime/coop/open\.h includes measure/bench\.h: measure/ is above runtime/$'

rooms
touch house/tests/open.h
sed -i '1i #include "tests/open.h"' house/measure/bench.c
check_exit 1 layers house
check_stdout '^measure/bench\.c includes tests/open\.h: tests/ is no room of the chain$'

# Through a third file, and below the chain's order: the same room.
rooms
printf 'int cb_open_twice(int n)\n{\n    return cb_open(cb_open(n));\n}\n' >house/runtime/coop/twice.c
printf 'int cb_close(int n)\n{\n    return cb_open_twice(n);\n}\n' >house/runtime/coop/close.c
check_exit 0 layers house
sed -i 's/return n;/return cb_close(n);/' house/runtime/coop/open.c
check_exit 1 layers house
check_stdout '^these call each other in a circle: runtime/coop/close\.c \(cb_open_twice\), runtime/coop/open\.c \(cb_close\), .*twice\.c \(cb_open\)$'

# A table names functions, and does not call them.
rooms
printf 'int (*const cb_table[])(int) = {cb_measure};\n\nint cb_first(int n)\n{\n    return cb_table[0](n);\n}\n' >house/measure/table.c
sed -i 's/return cb_open(n);/return n ? cb_first(n) : 0;/' house/measure/bench.c
check_exit 0 layers house
sed -i 's/return cb_table\[0\](n);/return cb_measure(n);/' house/measure/table.c
check_exit 1 layers house

# Plans and workers read options and parameters from structs (measure/field.h): none is asked for by its name.
by_name() { # FOLDER
  (cd "$1" && grep -rnP --include='*.[ch]' \
    '\b(cb_options_(text|count|flag)|cb_json_(text|number)|cJSON_\w*ObjectItem\w*)\((options|params|\w->(options|params)), "(?!needed")' \
    probes apps)
}
check_exit 1 by_name "$SOURCE_DIR"
mkdir -p named/{probes,apps}
printf 'double hold(const cJSON *params)\n{\n    return cb_json_number(params, "hold");\n}\n' >named/probes/a.c
check_exit 0 by_name named

# What kernels call out of line on CPUs takes structures by pointers (coop/common.clh).
by_value() { # FOLDER
  (cd "$1" && grep -rPzo --include='*.clh' --include='*.cl' \
    '\n(?!#define)[^\n]*\b(COOP_FUNCTION|TASK_PHASE_FUNCTION|CB_OUT_OF_LINE)\b[^;{(]*\([^;{)]*\b(coop|task|cb)_(?!u32|u64)\w+\s+\w+\s*[,)][^;{]*' kernels apps)
}
check_exit 1 by_value "$SOURCE_DIR"
mkdir -p valued/{kernels,apps}
printf '\nCOOP_FUNCTION uint coop_app(const coop_args *A,\n    const coop_view V)\n{\n}\n' >valued/kernels/a.clh
check_exit 0 by_value valued
