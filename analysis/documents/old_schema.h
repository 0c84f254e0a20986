/* SPDX-License-Identifier: Apache-2.0
 *
 * Run documents of schema 1: their parameters had other names than the options they came from.
 */
#pragma once

#include <cjson/cJSON.h>

/* Gives the parameters of a run document of schema 1 the names and units that they have now, and
 * the document the version that it is of then. Others stay as they are. */
void cb_run_renew(cJSON *run);

/* Renews one row of such a document. */
void cb_row_renew(cJSON *row);
