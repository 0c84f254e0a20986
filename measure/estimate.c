/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/estimate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/units.h"

struct cb_estimate cb_estimate_of(const cJSON *item, const char *metric)
{
    if (strcmp(cb_json_text(item, "status", ""), "ok") != 0)
        return (struct cb_estimate){NAN, NAN, NAN};
    return (struct cb_estimate){cb_json_metric(item, metric, "median"),
                                cb_json_metric(item, metric, "ci95_low"),
                                cb_json_metric(item, metric, "ci95_high")};
}

struct cb_estimate cb_estimate_quotient(struct cb_estimate a, struct cb_estimate b)
{
    return (struct cb_estimate){a.median / b.median, a.low / b.high, a.high / b.low};
}

bool cb_estimate_has_interval(struct cb_estimate e)
{
    return !isnan(e.low) && !isnan(e.high);
}

bool cb_estimate_below(struct cb_estimate a, struct cb_estimate b)
{
    return a.high < b.low;
}

void cb_estimate_time(char text[CB_ESTIMATE_BYTES], struct cb_estimate e)
{
    char low[24], high[24];
    cb_format_time(text, CB_ESTIMATE_BYTES, e.median);
    cb_format_time(low, sizeof low, e.low);
    cb_format_time(high, sizeof high, e.high);
    size_t n = strlen(text);
    if (cb_estimate_has_interval(e))
        snprintf(text + n, CB_ESTIMATE_BYTES - n, " [%s, %s]", low, high);
}

/* No "-0". */
static double rounded(double value, int digits)
{
    double scale = digits ? 10 : 1;
    return round(value * scale) / scale + 0.0;
}

/* One digit after the point where the interval tells tenths apart, else none. */
void cb_estimate_percent(char text[CB_ESTIMATE_BYTES], struct cb_estimate ratio)
{
    double median = 100 * (ratio.median - 1);
    double low = 100 * (ratio.low - 1), high = 100 * (ratio.high - 1);
    int digits = fabs(median) < 9.95 && !(high - low > 2);
    if (cb_estimate_has_interval(ratio))
        snprintf(text, CB_ESTIMATE_BYTES, "%.*f %% [%.*f, %.*f]", digits, rounded(median, digits),
                 digits, rounded(low, digits), digits, rounded(high, digits));
    else
        snprintf(text, CB_ESTIMATE_BYTES, "%.*f %%", digits, rounded(median, digits));
}

void cb_estimate_price(char text[CB_ESTIMATE_BYTES], struct cb_estimate ratio)
{
    char gain[CB_ESTIMATE_BYTES];
    cb_estimate_percent(text, ratio);
    if (!(ratio.median < 1))
        return;
    cb_estimate_percent(gain,
                        (struct cb_estimate){2 - ratio.median, 2 - ratio.high, 2 - ratio.low});
    snprintf(text, CB_ESTIMATE_BYTES, "nothing (a gain of %.60s)", gain);
}

/* Without an exponent. */
static void format_number(char *text, size_t size, double value)
{
    snprintf(text, size, value >= 999.5 ? "%.0f" : "%.3g", value);
}

void cb_estimate_number(char text[CB_ESTIMATE_BYTES], struct cb_estimate e)
{
    char low[24], high[24];
    format_number(text, CB_ESTIMATE_BYTES, e.median);
    format_number(low, sizeof low, e.low);
    format_number(high, sizeof high, e.high);
    size_t n = strlen(text);
    if (cb_estimate_has_interval(e))
        snprintf(text + n, CB_ESTIMATE_BYTES - n, " [%s, %s]", low, high);
}
