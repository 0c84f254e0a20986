/* SPDX-License-Identifier: Apache-2.0
 *
 * What an input is: its contents. The same under another path is the same input, and another file
 * under the same path is another one. A reader of an input says what it read; rows of a run have it
 * for each parameter that names an input (docs/run.schema.json, "inputs"):
 *
 *     {"input": {"vertices": 34, "edges": 156, "hash": "9d1e4c0a7b3f2e58"}}
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdint.h>

struct cb_session;

struct cb_identity {
    uint64_t hash;            /* hash of all that was read, as it is used (runtime/host/hash.h) */
    uint64_t vertices, edges; /* size of a graph; no vertices: it is none */
    uint64_t source;          /* hash of the files of a user's kernel; 0: it is none */
};

/* The parameters whose values name inputs; ends with NULL. */
extern const char *const cb_identity_params[];

/* In a worker: what `text`, a parameter's value, names. Kept with the session; the last one counts.
 */
void cb_identity_note(struct cb_session *session, const char *text, struct cb_identity identity);

/* Those of a case's parameters, the caller's to delete. NULL: nobody has noted any. */
cJSON *cb_identities_of(struct cb_session *session, const cJSON *params);

/* The identity that a row's "inputs" has of a parameter; NULL: none. */
const cJSON *cb_identity_in(const cJSON *inputs, const char *param);

/* Whether a parameter names the same contents in two rows, whose "inputs" these are. Unknown: one
 * of them does not say, as old documents, or it names none; then its text counts. The "input_name"
 * is a name only: it is the same where the contents of "input" are known. The source of a user's
 * kernel does not count: it is what is measured, not an input. */
enum cb_identity_match { CB_IDENTITY_UNKNOWN, CB_IDENTITY_SAME, CB_IDENTITY_OTHER };
enum cb_identity_match cb_identity_compare(const cJSON *inputs, const cJSON *others,
                                           const char *param);

/* What a row's parameter names, by its contents: "34 vertices, 156 edges", or "hash 9d1e4c0a". */
void cb_identity_describe(const cJSON *identity, char *text, size_t size);

/* What two identities differ in, "input karate.graph: 34 vertices, 156 edges; is 4941 and 13188".
 */
void cb_identity_differ(const char *param, const char *name, const cJSON *was, const cJSON *is,
                        char *text, size_t size);
