#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: the checks of programs whose parents are lines, images and nodes of a tree find the bugs of tests/planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

planted_launch bt --program bt --launcher serial
planted_launch ccl --program ccl --launcher serial
planted_launch qt --program qt --launcher serial
