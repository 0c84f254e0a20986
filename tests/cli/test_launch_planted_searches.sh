#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: the checks of programs that search graphs, and of those that write words, find the bugs of tests/planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

planted_launch fill --program equal,power --launcher serial
planted_launch bfs_nested --program bfs_nested --launcher serial
planted_launch sssp_nested --program sssp_nested --launcher serial
