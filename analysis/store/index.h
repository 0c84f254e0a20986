/* SPDX-License-Identifier: Apache-2.0
 *
 * The index of a folder of runs: a file in it, which holds what a history reads of each run, so
 * that only runs that are new or have changed are read. It is never the source of truth: it may be
 * deleted at any time, and is made anew where it is damaged or of another version. An entry has a
 * hash of all it says, and one that is not as it was written is not used. Any number of processes
 * may use it at once. What it cannot do is told on standard error, once, and fails nothing.
 */
#pragma once

#include "analysis/store/stored_run.h"

#define CB_INDEX_FILE ".coopbench-index.sqlite"

/* Version of the content. Raise it when a document that has not changed would make another
 * entry. */
#define CB_INDEX_FORMAT 5

struct cb_index;

/* What an entry is of: a document, by its path from the folder on, and what tells that it has not
 * changed. */
struct cb_index_key {
    const char *name;
    char stamp[64]; /* size and time of change; "": too new to be sure, which is not kept */
};

/* Fills the stamp of a document that is there. */
void cb_index_stamp(struct cb_index_key *key, const char *file);

/* The index of a folder with so many runs. NULL: it is not used, as there are few runs and no
 * index, by COOPBENCH_NO_CACHE, or since it cannot be opened. */
struct cb_index *cb_index_open(const char *folder, int n_runs);

/* Fills the run (all zero), whose file is folder/key->name. false: it has no sound entry of this
 * stamp. */
bool cb_index_get(struct cb_index *index, const struct cb_index_key *key,
                  struct cb_layouts *layouts, struct cb_stored_run *run);

/* Ends reading, so that others can write meanwhile. The index has nothing of what it gave if it has
 * to be made anew, so that all runs have to be put. */
void cb_index_read(struct cb_index *index, bool *anew);

/* Keeps these runs, of which keys without a stamp are left out, and forgets those that are in the
 * folder no more: all or nothing. */
void cb_index_put(struct cb_index *index, const struct cb_index_key *const *keys,
                  const struct cb_stored_run *const *runs, int n);
void cb_index_close(struct cb_index *index);
