/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of papers that a report quotes. The documents take them from here, too
 * (scripts/tables/common.py).
 */
#pragma once

/* CGO'22 (thresholds, coarsening and aggregation for dynamic parallelism in CUDA), abstract:
 * speedups over programs with dynamic parallelism, over those without, and over aggregation alone;
 * geometric means. */
#define CB_CGO22_OVER_DYNAMIC_PARALLELISM 43.0
#define CB_CGO22_OVER_NO_LAUNCHES         8.7
#define CB_CGO22_OVER_AGGREGATION         3.6
