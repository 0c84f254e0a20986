/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of a run were disturbed by neighbours (runtime/neighbours/neighbours.h). The document
 * keeps what looks have seen of each device, joined to spells, which are quiet, or have others with
 * about the same share of the time:
 *
 *     "neighbours": [{"device": ID, "looks": 40, "processes": 1, "bytes": 1e9, "spells": [
 *         {"begin_s": 0, "first_s": 0.1, "end_s": 9.1},
 *         {"begin_s": 9.1, "first_s": 9.4, "end_s": 12.4, "sign": "gaps", "share": 0.5,
 *          "longest_ns": 2.5e6}]}]
 *
 * The first look of a spell ended at "first_s". A row is disturbed if a spell with a sign lies in
 * its time. Looks for gaps take samples: what they have seen may go on until the next look, or for
 * two seconds, if there was none since.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* Takes a look (cb_look_to_json()) at the device with this id into the document of a run, which
 * began at start_ns of the same clock. */
void cb_disturbed_note(cJSON *document, const char *device, const cJSON *look, uint64_t start_ns);

/* Gives a row that was disturbed its mark, {"sign", "share", "longest_ns"}: the mean share of the
 * time that was disturbed, and the longest gap in it. A mark is never taken away: of a run that is
 * resumed, looks may be lost that its rows have heeded. */
void cb_disturbed_mark_row(const cJSON *document, cJSON *row);

/* All rows: once more looks are known, a row that has ended may have been disturbed. */
void cb_disturbed_mark(cJSON *document);

/* A case that is measured in rounds is disturbed if one of them was: by the largest share, and the
 * longest gap. from: its row of a round. */
void cb_disturbed_join(cJSON *row, const cJSON *from);

bool cb_row_is_disturbed(const cJSON *row);

/* Whether it was disturbed, and says what does not hold beside others: nothing is concluded from
 * it, it is no baseline, and other tools do not get it. */
bool cb_row_is_spoilt(const cJSON *row);
