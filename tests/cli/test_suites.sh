#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Of each suite, the kernels that are the hardest to guess a setup of: test_suites_all.sh runs all.
source "${SOURCE_DIR:?}/tests/cli/suites.sh"

suite stencils tiled_9_points
suite algebra transpose_wide gemv_group
suite physics integrate
suite textures convolution average_3d mirror_rows
suite prints initialize_faces group_sums
