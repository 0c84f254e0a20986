/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/drawn.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"
#include "runtime/host/text.h"

/* The delay that is drawn for each protocol: none on a GPU, as the paper; on other devices, whose
 * workgroups come so slowly that the poll closes before them, the adaptive one. If it was not
 * measured, the first measured one stands in. */
static const char *preferred_delay(const cJSON *device)
{
    return strcmp(cb_json_text(device, "type", ""), "gpu") == 0 ? "0" : "adaptive";
}

static bool is_of(const cJSON *row, const char *param, const char *value)
{
    return strcmp(cb_row_text(row, param), value) == 0;
}

/* Keeps one row of those that differ in nothing but their delay. */
static int keep_drawn(const cJSON **rows, int n, const char *preferred)
{
    static const char *const all_but_delay[] = {"protocol", "microbenchmark", "wg-size", NULL};
    int *number = calloc((size_t)n + 1, sizeof *number), kept = 0;
    const cJSON **drawn = calloc((size_t)n + 1, sizeof *drawn); /* row of each number */
    if (drawn && number && cb_rows_number(rows, n, all_but_delay, number) > 0)
        for (int i = n; i-- > 0;) {
            const cJSON **held = &drawn[number[i]];
            if (!*held || is_of(rows[i], "delay", preferred) || !is_of(*held, "delay", preferred))
                *held = rows[i];
        }
    for (int i = 0; drawn && number && i < n; i++)
        if (drawn[number[i]] == rows[i])
            rows[kept++] = rows[i];
    free(drawn);
    free(number);
    return kept;
}

/* Names the delays: "delay 0", "adaptive"; rarely, where the first measured stands in, "adaptive,
 * delay 10". */
static void name_delays(struct cb_drawn *drawn)
{
    const char *seen[3];
    size_t n = 0;
    for (int i = 0; i < drawn->n; i++) {
        const char *delay = cb_row_text(drawn->rows[i], "delay");
        bool named = !*delay;
        for (size_t k = 0; k < n && !named; k++)
            named = strcmp(seen[k], delay) == 0;
        if (named)
            continue;
        if (n == CB_COUNTOF(seen)) {
            snprintf(drawn->delays, CB_DELAYS_BYTES, "several delays");
            return;
        }
        seen[n++] = delay;
        cb_text_join(drawn->delays, CB_DELAYS_BYTES, "%s%.20s",
                     isdigit((unsigned char)*delay) ? "delay " : "", delay);
    }
}

struct cb_drawn cb_drawn_of(const struct cb_run_device *device, enum cb_drawn_part part)
{
    struct cb_drawn drawn = {0};
    struct cb_rows rows = cb_figure_rows(device, "discover");
    cb_rows_have(&rows, "protocol");
    cb_rows_lack(&rows, "dimensions");
    cb_rows_lack(&rows, "ids");
    if (part == CB_DRAWN_SWEEP)
        cb_rows_lack(&rows, "microbenchmark");
    else
        cb_rows_have(&rows, "microbenchmark");
    drawn.n = cb_rows_list(&rows, &drawn.rows);
    drawn.n = keep_drawn(drawn.rows, drawn.n, preferred_delay(device->device));
    name_delays(&drawn);
    return drawn;
}

const cJSON *cb_drawn_find(const struct cb_drawn *drawn, const char *protocol,
                           const char *microbenchmark)
{
    for (int i = 0; i < drawn->n; i++)
        if (is_of(drawn->rows[i], "protocol", protocol) &&
            is_of(drawn->rows[i], "microbenchmark", microbenchmark))
            return drawn->rows[i];
    return NULL;
}

void cb_drawn_free(struct cb_drawn *drawn)
{
    free(drawn->rows);
}
