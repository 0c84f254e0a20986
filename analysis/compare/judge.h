/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdicts of a comparison, corrected for the number of tests.
 */
#pragma once

#include "analysis/compare/compare.h"

/* Gives every row that was compared its verdict, with p corrected for the number of tests, and
 * counts the verdicts. False: no memory. */
bool cb_comparisons_judge(struct cb_comparisons *comparisons, double alpha);
