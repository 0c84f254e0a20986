/* SPDX-License-Identifier: Apache-2.0
 *
 * Small checks that several tests need.
 */
#pragma once

#include <math.h>

#include <cjson/cJSON.h>

#include "tests/unit/unit.h"

static inline void assert_json(const cJSON *json, const char *expected)
{
    char *text = cJSON_PrintUnformatted(json);
    assert_string_equal(text, expected);
    cJSON_free(text);
}

static inline void check_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g instead of %.12g", value, expected);
}

/* For qsort(). */
static inline int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
