/* SPDX-License-Identifier: Apache-2.0
 *
 * Made-up runs of litmus, for tests of its tables and of what it concludes.
 */
#pragma once

#define BENCH "litmus"
#include "findings_fixture.h"

/* A row of 10 samples, each of 1000 instances of which `weak` were weak. */
static inline cJSON *add_row(cJSON *run, const char *test, const char *scope, const char *order,
                             double weak, double alone)
{
    char id[64], params[128];
    snprintf(id, sizeof id, "%s/%s/%s", test, scope, order);
    snprintf(params, sizeof params, "\"test\": \"%s\", \"scope\": \"%s\", \"ordering\": \"%s\"",
             test, scope, order);
    cJSON *item = add_case(run, id, "ok", params);
    cJSON_AddNumberToObject(add_metric(item, "instances", 1000, NAN, NAN), "n", 10);
    cJSON_AddNumberToObject(add_metric(item, "weak", weak, NAN, NAN), "n", 10);
    add_metric(item, "alone", alone, NAN, NAN);
    return item;
}
