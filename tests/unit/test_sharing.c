/* SPDX-License-Identifier: Apache-2.0 */

#include "measure/sharing.h"
#include "tests/unit/unit.h"

static void is(const double *alone, const double *together, int n, double stp, double antt,
               double fairness)
{
    const struct cb_sharing s = cb_sharing_of(alone, together, n);
    assert_float_equal((float)s.stp, stp, 1e-6f);
    assert_float_equal((float)s.antt, antt, 1e-6f);
    assert_float_equal((float)s.fairness, fairness, 1e-6f);
}

TEST(sharing)
{
    is((double[]){5}, (double[]){5}, 1, 1, 1, 1);
    /* halves of the time: as much as one by one */
    is((double[]){10, 4}, (double[]){20, 8}, 2, 1, 2, 1);
    /* neither costs the other anything */
    is((double[]){10, 4, 1}, (double[]){10, 4, 1}, 3, 3, 1, 1);
    /* one has three quarters, the other a quarter */
    is((double[]){3, 1}, (double[]){4, 4}, 2, 1, (4.0 / 3 + 4) / 2, 1.0 / 3);
    /* switches cost time */
    is((double[]){1, 2}, (double[]){4, 5}, 2, 0.65, 3.25, 0.25 / 0.4);
}
