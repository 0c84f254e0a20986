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

# Comments are left as they were written: nothing makes prose of a list, or of an example. What is too long stays so, too.
long_comments() { # FOLDER
  (cd "$1" && find . -path ./build\* -prune -o \( -name '*.[ch]' -o -name '*.cl' -o -name '*.clh' \) -print0 |
    LC_ALL=C.UTF-8 xargs -0 grep -HnE '^.{101,}' -- | grep -E '/\*|\*/|//|:[0-9]+: *\*')
}
check_exit 1 long_comments "$SOURCE_DIR"
rules() { # of a section, "---", that have left its title
  grep -rnE '^ \*.*-{10,}' --include='*.[ch]' --include='*.cl' --include='*.clh' --exclude-dir='build*' "$SOURCE_DIR"/*/
}
check_exit 1 rules

# It would notice.
printf 'int  main(void) {return 0;}\n' >wrong.c
cp "$SOURCE_DIR/.clang-format" .
check_exit 1 clang-format --dry-run --Werror wrong.c
mkdir planted
printf '/* Calls:\n *\n *     open();  opens\n *     close(); %s\n */\n' "$(printf 'closes %.0s' {1..20})" >planted/list.h
cp .clang-format planted
check_exit 0 clang-format --dry-run --Werror planted/list.h
check_exit 0 long_comments planted
check_stdout '^\./list\.h:4:'
