/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

#include "measure/text/table.h"

/* Prints OOPSLA'16 Tab. 3 for each device of the run, in Markdown, then the sweep and the delays.
 */
void cb_discover_report(FILE *out, const cJSON *run);

/* Formats a row's "widest, most local (LW)", or "64 items": ids say little alone. */
void cb_discover_configuration(const cJSON *row, char text[CB_CELL_BYTES]);
