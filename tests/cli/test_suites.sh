#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Of each suite, the kernels that are the hardest to guess a setup of: test_suites_all.sh runs all.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
source "$SOURCE_DIR/tests/cli/setups.sh"
need_cpu
need_libclang
source "$SOURCE_DIR/tests/cli/suites.sh"
export POCL_MAX_PTHREAD_COUNT=8 POCL_CPU_MAX_CU_COUNT=8

suite stencils tiled_9_points
suite algebra transpose_wide gemv_group
suite physics integrate
