#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: the checks of programs that launch themselves find the bugs of tests/planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

for program in los pd pt sc unq upd; do
  planted_launch $program --program $program --launcher loop
done
