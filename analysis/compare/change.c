/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/change.h"

#include <math.h>

#define Z95 1.959963984540054

/* difference / |from|, where from may be 0 */
static double relative(double difference, double from)
{
    return difference == 0 ? 0 : difference / fabs(from);
}

static struct cb_change by_difference(const struct cb_side *from, const struct cb_side *to)
{
    double d = to->median - from->median;
    double down = hypot(to->median - to->low, from->high - from->median);
    double up = hypot(to->high - to->median, from->median - from->low);
    return (struct cb_change){relative(d, from->median), relative(d - down, from->median),
                              relative(d + up, from->median)};
}

static struct cb_change by_ratio(const struct cb_side *from, const struct cb_side *to)
{
    double d = log(to->median / from->median);
    double down = hypot(log(to->median / to->low), log(from->high / from->median));
    double up = hypot(log(to->high / to->median), log(from->median / from->low));
    return (struct cb_change){expm1(d), expm1(d - down), expm1(d + up)};
}

struct cb_change cb_change_of(const struct cb_side *from, const struct cb_side *to)
{
    if (isnan(from->low) || isnan(to->low))
        return (struct cb_change){relative(to->median - from->median, from->median), NAN, NAN};
    return from->low > 0 && to->low > 0 ? by_ratio(from, to) : by_difference(from, to);
}

double cb_change_p(const struct cb_change *change)
{
    if (isnan(change->low) || change->estimate == 0)
        return 1;
    double bound = change->estimate > 0 ? change->low : change->high;
    if (isinf(change->estimate))
        return isinf(bound) && (bound > 0) == (change->estimate > 0) ? 0 : 1;
    double distance = fabs(change->estimate - bound);
    return distance > 0 ? erfc(Z95 * fabs(change->estimate) / distance / sqrt(2)) : 0;
}
