#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: the checks of programs that colour graphs and span them find the bugs of tests/planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

write_clique
planted_launch gc --program gc --launcher serial
planted_launch mst --program mstf,mstv --launcher serial
