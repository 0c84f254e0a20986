/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>

#include "measure/text/table.h"

/* Formats a row's "widest, most local (LW)", or "64 items": ids say little alone. */
void cb_discover_configuration(const cJSON *row, char text[CB_CELL_BYTES]);
