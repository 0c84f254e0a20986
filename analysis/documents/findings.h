/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings: sentences that say what the numbers of a run mean for a device, what to use there, and
 * which command comes next. A sentence says only what its intervals carry. What a bench finds is in
 * probes/<id>/findings.c; it reads the run document alone, so that a run of last year has
 * findings, too.
 */
#pragma once

#include "analysis/documents/rows.h"
#include "measure/bench.h"

/* What a bench's findings() reads, and adds to. */
struct cb_findings {
    const cJSON *run;    /* the document */
    const cJSON *device; /* the one of its devices that the sentences are about */
    const struct cb_bench *bench;
    const cJSON *all;   /* the document with what was beside others of ours, too */
    const char *beside; /* what the cases had beside them; "", NULL: nothing of ours */
    cJSON *list;
};

/* Adds a finding: one sentence, or two that need each other. id names its kind and never changes.
 */
void cb_finding_add(struct cb_findings *findings, const char *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Its ok rows on the device, as a question. */
struct cb_rows cb_findings_rows(const struct cb_findings *findings);

/* The first case of the bench on the device after `previous` (NULL: of all) that is ok; NULL: there
 * is no more. */
const cJSON *cb_findings_next(const struct cb_findings *findings, const cJSON *previous);

/* Whether one of its cases has this status. */
bool cb_findings_have(const struct cb_findings *findings, enum cb_status status);

/* The --runs that halve the interval of a case, roughly; enough for one in any case. */
int cb_findings_runs(const cJSON *item);

#define CB_COMMAND_BYTES 192

/* "coopbench primitives --gpu": a command on the same device. Returns text. */
const char *cb_findings_command(const struct cb_findings *findings, const char *arguments,
                                char text[CB_COMMAND_BYTES]);

/* All of a bench in a run, device by device: an array of {"bench", "device", "id", "text"}, to be
 * deleted. A run that was interrupted has one that says so. */
cJSON *cb_findings_of(const cJSON *run, const struct cb_bench *bench);

/* Brings the document's "findings" up to date; a run without has no such key. */
void cb_findings_update(cJSON *document);

/* Prints those of all benches, in Markdown. */
void cb_findings_print(FILE *out, const cJSON *run);
