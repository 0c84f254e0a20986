/* SPDX-License-Identifier: Apache-2.0
 *
 * The rank-sum test of Mann and Whitney (Ann. Math. Stat. 18, 1947), and the correction of many
 * tests by Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995).
 */
#pragma once

#include <stddef.h>

/* Distribution of U for the numbers of samples that were asked for last; begins zeroed. */
struct cb_rank_table {
    size_t n, m;
    double *at_most; /* P(U <= u) for u = 0 .. n m */
};

void cb_rank_table_free(struct cb_rank_table *table);

/* Two-sided p of: a and b come from one distribution. Exact if no two values are equal and there
 * are at most 25 on either side; else by the normal approximation, corrected for ties and
 * continuity. 1 if all values are equal. NaN: no samples, or no memory. */
double cb_rank_test(const double *a, size_t n, const double *b, size_t m,
                    struct cb_rank_table *table);

/* The smallest p that samples of n and m can give: 2 / (n + m over n). */
double cb_rank_test_least(size_t n, size_t m);

/* Replaces n p values by adjusted ones: to call those below alpha findings keeps the share of false
 * ones among all findings below alpha (false discovery rate). If nothing has changed at all, the
 * chance of any finding is below alpha, too. Returns 0, or -1 if there is no memory. */
int cb_adjust_p(double *p, size_t n);
