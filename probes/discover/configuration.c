/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/configuration.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/units.h"
#include "runtime/host/error.h"
#include "runtime/host/text.h"

void cb_discover_configuration(const cJSON *row, char text[CB_CELL_BYTES])
{
    static const struct {
        const char *id, *meaning;
    } known[] = {{"11", "1 item"},
                 {"L1", "1 item, most local"},
                 {"1W", "widest"},
                 {"LW", "widest, most local"}};
    const char *id = cb_row_text(row, "microbenchmark");
    const double dimensions = cb_row_number(row, "dimensions");
    snprintf(text, CB_CELL_BYTES, "%s", id);
    if (!*id)
        cb_format_count(text, CB_CELL_BYTES, cb_row_number(row, "wg-size"), "item", "items");
    for (size_t i = 0; i < CB_COUNTOF(known); i++)
        if (strcmp(known[i].id, id) == 0)
            snprintf(text, CB_CELL_BYTES, "%s (%s)", known[i].meaning, known[i].id);
    if (!isnan(dimensions))
        cb_text_join(text, CB_CELL_BYTES, "%.0f dimension%s", dimensions, CB_PLURAL(dimensions));
}
