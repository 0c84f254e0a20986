#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A fleet on a real Slurm of this machine: scripts/fleet/test.sh.
exec bash "${SOURCE_DIR:?}/scripts/fleet/test.sh"
