#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: the checks of programs that compute until they come to rest, and step by step, find the bugs of tests/planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

planted_launch sp --program sp --launcher serial
printf 'p cnf 2 3\n1 0 -1 0 1 2 0\n' >contradiction.cnf
planted_launch sid --program sid --launcher serial --size small,medium
planted_launch bh --program bh --launcher serial
