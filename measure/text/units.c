/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int cb_whole_percent(double share)
{
    return (int)floor(100 * share + 1e-9); /* 0.29 * 100 is less than 29 */
}

void cb_format_count(char *text, size_t size, double n, const char *one, const char *several)
{
    const char *what = n == 1 ? one : several;
    snprintf(text, size, n == floor(n) && fabs(n) < 0x1p63 ? "%.0f%s%s" : "%.10g%s%s", n,
             what && *what ? " " : "", what ? what : "");
}

void cb_format_quantity(char *text, size_t size, double value, const char *unit)
{
    static const char *const prefixes[] = {"n", "µ", "m", "", "k", "M", "G", "T"};
    size_t p = 3;
    for (; value >= 999.5 && p + 1 < sizeof prefixes / sizeof *prefixes; p++)
        value /= 1000;
    for (; value < 0.9995 && value > 0 && p > 0; p--)
        value *= 1000;
    snprintf(text, size, "%.*f %s%s", value < 9.995 ? 2 : value < 99.95, value, prefixes[p], unit);
    if (!isfinite(value))
        text[0] = '\0';
}

bool cb_read_duration(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    const double most = 3650 * 86400.0;
    char *end;
    if (strspn(text, "0123456789.") == 0) /* strtod() takes signs, "inf" and more */
        return false;
    const double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, end) == 0) {
            *seconds = number * units[i].seconds;
            return *seconds > 0 && *seconds <= most;
        }
    return false;
}
