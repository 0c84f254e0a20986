/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/units.h"

#include <math.h>
#include <stdio.h>

void cb_format_time(char *text, size_t size, double ns)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    int unit = 0;
    for (; ns >= 999.5 && unit < 3; unit++)
        ns /= 1000;
    snprintf(text, size, "%.*f %s", ns < 9.995 ? 2 : ns < 99.95, ns, units[unit]);
    if (!isfinite(ns))
        text[0] = '\0';
}
