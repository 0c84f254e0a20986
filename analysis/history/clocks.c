/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/clocks.h"

#include <time.h>

#include "analysis/history/write.h"
#include "runtime/host/text.h"

#define MOST     5
#define DAY      86400
#define EARLIEST 1577836800 /* 2020-01-01 */

/* False: it is no time as runs tell it. */
static bool read_time(const char *text, time_t *at)
{
    struct tm parts = {0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (!end || *end)
        return false;
    *at = timegm(&parts);
    return true;
}

/* Why the clock of a run cannot be trusted; NULL: nothing is known against it. */
static const char *doubt_of(const struct cb_history *h, int run, time_t now)
{
    time_t start, end;
    if (!read_time(cb_history_start(h, run), &start))
        return "it does not tell when it started";
    if (start > now + DAY)
        return "it started in the future";
    if (start < EARLIEST)
        return "its clock was not set";
    return read_time(cb_history_end(h, run), &end) && end < start
               ? "its clock went back while it ran"
               : NULL;
}

void cb_history_warn_of_clocks(FILE *out, const struct cb_history *h)
{
    const time_t now = time(NULL);
    int n = 0;
    for (int run = 0; run < h->series.n_runs; run++) {
        const char *doubt = doubt_of(h, run, now);
        if (doubt && ++n <= MOST)
            cb_text_print(out, "Warning: %s may be in a wrong place: %s (\"%s\")\n",
                          cb_history_run_id(h, run), doubt, cb_history_start(h, run));
    }
    if (n > MOST)
        fprintf(out, "Warning: and %d more run%s\n", n - MOST, CB_PLURAL(n - MOST));
}
