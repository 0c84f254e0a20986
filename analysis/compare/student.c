/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/student.h"

#include <math.h>

#define PI 3.14159265358979323846

/* P(|T| <= t): Abramowitz and Stegun, 26.7.3 and 26.7.4. */
static double within(double t, int freedom)
{
    double angle = atan(t / sqrt(freedom)), c = cos(angle), s = sin(angle);
    int first = freedom % 2 ? 3 : 2; /* denominator of the second term's factor */
    double term = freedom % 2 ? c : 1, sum = 0;
    for (int d = first; d <= freedom; d += 2) {
        sum += term;
        term *= c * c * (d - 1) / d;
    }
    return freedom % 2 ? 2 / PI * (angle + s * sum) : s * sum;
}

double cb_student_p(int freedom, double t)
{
    return fmax(0, 1 - within(t, freedom));
}

double cb_student_t(int freedom, double p)
{
    double low = 0, high = 1;
    while (1 - within(high, freedom) > p && high < 1e12)
        high *= 2;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (1 - within(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}
