#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# All C and OpenCL C is laid out as .clang-format says.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
version=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
if [[ $version != 14 ]]; then # others lay out some things differently
  echo "skipped: clang-format 14 is needed, there is ${version:-none}"
  exit 77
fi

format() {
  (cd "$SOURCE_DIR" && find . -path ./build\* -prune -o \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' \) -print0 |
    xargs -0 -n 40 -P 2 clang-format --dry-run --Werror)
}
check "run clang-format -i on the files above" format

# It would notice.
printf 'int  main(void) {return 0;}\n' >wrong.c
cp "$SOURCE_DIR/.clang-format" .
check_exit 1 clang-format --dry-run --Werror wrong.c
