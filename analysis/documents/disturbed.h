/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of a run were disturbed by neighbours (runtime/neighbours/neighbours.h). The document
 * keeps what looks have seen of each device, joined to spells, which are quiet or not:
 *
 *     "neighbours": [{"device": ID, "looks": 40, "processes": 1, "bytes": 1e9, "spells": [
 *         {"begin_s": 0, "first_s": 0.1, "end_s": 9.1},
 *         {"begin_s": 9.1, "first_s": 9.4, "end_s": 12.4, "sign": "gaps", "share": 0.5,
 *          "longest_ns": 2.5e6}]}]
 *
 * The first look of a spell ended at "first_s". A row is disturbed if a spell with a sign lies in
 * its time. Looks for gaps take samples: what they have seen may go on until the next look.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* Takes a look (cb_look_to_json()) at the device with this id into the document of a run, which
 * began at start_ns of the same clock. */
void cb_disturbed_note(cJSON *document, const char *device, const cJSON *look, uint64_t start_ns);

/* Gives the row its "disturbed", {"sign", "share", "longest_ns"}, or takes it away: the mean share
 * of the time that was disturbed, and the longest gap in it. A row without "begin_s" and "end_s"
 * stays as it is. */
void cb_disturbed_mark_row(const cJSON *document, cJSON *row);

/* All rows: once more looks are known, a row that has ended may have been disturbed. */
void cb_disturbed_mark(cJSON *document);

/* Whether others used a device of a run that was not to share it: --shared wait, or refuse. */
bool cb_disturbed_is_refused(const cJSON *document);

bool cb_row_is_disturbed(const cJSON *row);
