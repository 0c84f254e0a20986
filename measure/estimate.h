/* SPDX-License-Identifier: Apache-2.0
 *
 * Medians with their 95 % intervals, read from run documents, and what the intervals say.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct cb_estimate {
    double median;    /* NaN: not measured */
    double low, high; /* NaN: too few samples for an interval */
};

#define CB_ESTIMATE_BYTES 96

/* The estimate of a metric of a case; nothing is known of a case that is not ok. */
struct cb_estimate cb_estimate_of(const cJSON *item, const char *metric);

/* The interval of a quotient of two medians encloses all quotients of their intervals. */
struct cb_estimate cb_estimate_quotient(struct cb_estimate a, struct cb_estimate b);

bool cb_estimate_has_interval(struct cb_estimate e);

/* Whether all of a's interval is below b's. False if either has none. */
bool cb_estimate_below(struct cb_estimate a, struct cb_estimate b);

/* "9.70 µs [9.61 µs, 9.79 µs]", of nanoseconds. Without an interval, the median alone, as below. */
void cb_estimate_time(char text[CB_ESTIMATE_BYTES], struct cb_estimate e);

/* A ratio as what it is over 1: 1.03 is "3 % [1, 5]". */
void cb_estimate_percent(char text[CB_ESTIMATE_BYTES], struct cb_estimate ratio);

/* Formats a ratio as a price, a gain as a gain: "3 % [1, 5]", or, below 1, "nothing (a gain of 5 %
 * [3, 7])". */
void cb_estimate_price(char text[CB_ESTIMATE_BYTES], struct cb_estimate ratio);

/* Three digits, as "2.04 [1.98, 2.11]". */
void cb_estimate_number(char text[CB_ESTIMATE_BYTES], struct cb_estimate e);
