/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/multitask/names.h"

#include <stdio.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "apps/host/setup.h"
#include "measure/text/units.h"

const char *cb_multitask_name(const cJSON *row, char text[CB_MULTITASK_NAME])
{
    const char *task = cb_row_text(row, "task");
    bool is_other = *task && cb_row_number(row, "duration_ns") > 0; /* else the user's, or usual */
    snprintf(text, CB_MULTITASK_NAME, "%.47s%s%.20s%s", cb_row_text(row, "workload"),
             is_other ? " (" : "", is_other ? task : "", is_other ? ")" : "");
    return text;
}

void cb_multitask_every(const cJSON *row, char text[CB_MULTITASK_EVERY])
{
    static const char *const forms[] = {
        [CB_ARRIVALS_PERIODIC] = "every %s",
        [CB_ARRIVALS_POISSON] = "at random, every %s on average",
        [CB_ARRIVALS_CLOSED] = "%s after the last one's answer",
        [CB_ARRIVALS_TIMES] = "at the times of a file, again after %s",
    };
    const char *name = cb_row_text(row, "arrivals");
    double deadline_ns = cb_row_number(row, "deadline_ns");
    char period[32], deadline[32];
    int kind = CB_ARRIVALS_TIMES;
    while (kind > 0 && strcmp(name, cb_setup_arrivals[kind]) != 0)
        kind--;
    cb_format_time(period, sizeof period, cb_row_number(row, "period_ns"));
    cb_format_time(deadline, sizeof deadline, deadline_ns);
    size_t n = (size_t)snprintf(text, CB_MULTITASK_EVERY, forms[kind], period);
    if (deadline_ns > 0)
        snprintf(text + n, CB_MULTITASK_EVERY - n, ", each to be answered within %s", deadline);
}
