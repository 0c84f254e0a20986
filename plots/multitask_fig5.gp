# SPDX-License-Identifier: Apache-2.0
set terminal svg
