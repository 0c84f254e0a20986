/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases that are open in a worker process, and the batch that they share.
 */
#pragma once

#include "measure/bench.h"

struct cb_open_case;
struct cb_batch;

/* Zero at first, with the session. */
struct cb_open_cases {
    struct cb_session *session; /* NULL: a companion without one */
    struct cb_open_case *list;
    struct cb_batch *batch; /* that the next case may share; NULL: there is none */
};

/* Opens a case; one of this id that is open is closed first. A case shares the batch of the last
 * one that was opened if both have the benchmark and the number in common (0: with no other). Else
 * it opens a batch of its own, once that of the last one is closed: both may not fit. A batch whose
 * cases are still open is closed after the last of them. A case that fails to open stays in the
 * list until it is closed. */
enum cb_status cb_cases_open(struct cb_open_cases *cases, const char *id,
                             const struct cb_bench *bench, int batch, const cJSON *params,
                             struct cb_err *err);

enum cb_status cb_cases_run(struct cb_open_cases *cases, const char *id, struct cb_sample *sample,
                            struct cb_err *err);

/* Closes a case, if it is open; its batch stays for the next case. */
void cb_cases_close(struct cb_open_cases *cases, const char *id);

/* Closes all cases and the batch: for tests. A worker that ends releases nothing (worker.c). */
void cb_cases_close_all(struct cb_open_cases *cases);
