#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two cooperative kernels in the manner of public suites, one with a build option: test_cooperative_all.sh runs all.
source "${SOURCE_DIR:?}/tests/cli/cooperative.sh"

first_setups life life kmeans -- -D RESIZING
cooperative 12 life kmeans
