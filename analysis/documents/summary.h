/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rows of a run come to.
 */
#pragma once

#include <cjson/cJSON.h>

/* Brings up to date which rows of the document others disturbed, and its "summary", which counts
 * the rows of each status. */
void cb_summary_update(cJSON *document);

/* Exit code for a document whose summary is up to date, by precedence: interrupted 128 + signal, a
 * wrong result 3, a timeout 4, a crash or an error 1, an input that is wrong 2; 7: others used a
 * device that was not to be shared (--shared wait, refuse); 77 if no case is ok; else 0. */
int cb_summary_exit_code(const cJSON *document, int signal_number);
