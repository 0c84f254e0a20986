/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/store/index.h"

#include <inttypes.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "measure/text/json.h"
#include "runtime/host/hash.h"
#include "runtime/host/text.h"

#define LEAST_RUNS 20 /* runs from which on a folder gets an index, which does not pay before */
#define WAIT_MS    2000
#define NEW_S      2 /* a document of this age may change without its stamp */

#define TEXT_OF(number)  #number
#define VALUE_OF(number) TEXT_OF(number)

enum state {
    SOUND,
    EMPTY,  /* has no tables yet */
    ANEW,   /* to be emptied */
    UNUSED, /* cannot be used, which is told */
};

struct cb_index {
    sqlite3 *db;
    sqlite3_stmt *find, *find_layout;
    enum state state;
    const char *why; /* it is to be emptied */
    char folder[PATH_MAX];
};

/* ---- Trouble --------------------------------------------------------------------------------- */

static void give_up(struct cb_index *index, const char *why)
{
    if (index->state != UNUSED)
        cb_text_print(stderr, "Note: %s has no index that can be used (%s): runs are read anew\n",
                      index->folder, why);
    index->state = UNUSED;
}

/* As soon as runs are put. */
static void make_anew(struct cb_index *index, const char *why)
{
    if (index->state == SOUND || index->state == EMPTY) {
        index->state = ANEW;
        index->why = why;
    }
}

/* What a result of SQLite means; whether it is none of trouble. */
static bool is_fine(struct cb_index *index, int result)
{
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE)
        return true;
    if (result == SQLITE_CORRUPT || result == SQLITE_NOTADB || result == SQLITE_ERROR ||
        result == SQLITE_SCHEMA || result == SQLITE_FORMAT)
        make_anew(index, "it was damaged");
    else
        give_up(index, sqlite3_errstr(result));
    return false;
}

static bool run(struct cb_index *index, const char *sql)
{
    return is_fine(index, sqlite3_exec(index->db, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *prepare(struct cb_index *index, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    is_fine(index, sqlite3_prepare_v2(index->db, sql, -1, &statement, NULL));
    return statement;
}

/* The number that is the only answer; -1: trouble. */
static int64_t number_of(struct cb_index *index, const char *sql)
{
    sqlite3_stmt *statement = prepare(index, sql);
    int64_t number = -1;
    if (statement && is_fine(index, sqlite3_step(statement)))
        number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

/* ---- Entries --------------------------------------------------------------------------------- */

void cb_index_stamp(struct cb_index_key *key, const char *file)
{
    struct stat info;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    key->stamp[0] = '\0';
    if (stat(file, &info) == 0 && info.st_mtim.tv_sec + NEW_S < now.tv_sec)
        snprintf(key->stamp, sizeof key->stamp, "%" PRIdMAX " %" PRIdMAX ".%09ld",
                 (intmax_t)info.st_size, (intmax_t)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

struct entry {
    const char *stamp, *head;
    uint64_t layout;
    const void *levels;
    size_t bytes; /* size of the levels */
};

/* The hash of all that the entry says of this run. Machines that write numbers in another order
 * differ. */
static uint64_t hash_of(const char *name, const struct entry *e)
{
    const double order = 1;
    uint64_t hash = cb_hash(CB_HASH_START, &order, sizeof order);
    hash = cb_hash(hash, name, strlen(name) + 1);
    hash = cb_hash(hash, e->stamp, strlen(e->stamp) + 1);
    hash = cb_hash(hash, e->head, strlen(e->head) + 1);
    hash = cb_hash(hash, &e->layout, sizeof e->layout);
    return cb_hash(hash, e->levels, e->bytes);
}

static const char *text_in(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return text ? (const char *)text : "";
}

/* ---- Opening --------------------------------------------------------------------------------- */

static bool open_file(struct cb_index *index, bool create)
{
    char folder[PATH_MAX], path[PATH_MAX];
    struct stat info;
    if (!realpath(index->folder, folder) ||
        snprintf(path, sizeof path, "%s/%s", folder, CB_INDEX_FILE) >= (int)sizeof path)
        return false;
    const bool there = lstat(path, &info) == 0;
    if (!there && !create)
        return false;
    if (there && !S_ISREG(info.st_mode)) { /* a link may lead to what is no index */
        give_up(index, CB_INDEX_FILE " is no file");
        return false;
    }
    const int result = sqlite3_open_v2(
        path, &index->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, NULL);
    if (!is_fine(index, result))
        return false;
    sqlite3_busy_timeout(index->db, WAIT_MS);
    return true;
}

static void look(struct cb_index *index)
{
    /* nothing is lost if the machine stops: entries that are not whole are not used */
    if (!run(index, "PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF; BEGIN"))
        return;
    const int64_t format = number_of(index, "PRAGMA user_version");
    if (index->state == SOUND && format == 0)
        index->state = EMPTY;
    else if (index->state == SOUND && format != CB_INDEX_FORMAT)
        make_anew(index, "it was of another version");
    if (index->state == SOUND)
        index->find =
            prepare(index, "SELECT stamp, head, layout, levels, hash FROM run WHERE name = ?");
    if (index->state == SOUND)
        index->find_layout = prepare(index, "SELECT text FROM layout WHERE id = ?");
}

static void end_reading(struct cb_index *index)
{
    sqlite3_finalize(index->find);
    sqlite3_finalize(index->find_layout);
    index->find = index->find_layout = NULL;
    sqlite3_exec(index->db, "ROLLBACK", NULL, NULL, NULL);
}

void cb_index_close(struct cb_index *index)
{
    if (!index)
        return;
    end_reading(index);
    sqlite3_close(index->db);
    free(index);
}

struct cb_index *cb_index_open(const char *folder, int n_runs)
{
    struct cb_index *index = getenv("COOPBENCH_NO_CACHE") ? NULL : calloc(1, sizeof *index);
    if (!index)
        return NULL;
    snprintf(index->folder, sizeof index->folder, "%s", folder);
    if (open_file(index, n_runs >= LEAST_RUNS))
        look(index);
    if (index->db && index->state != UNUSED)
        return index;
    cb_index_close(index);
    return NULL;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* NULL: it has none that is as it was written. */
static const struct cb_layout *layout_of(struct cb_index *index, uint64_t hash, const char *file,
                                         struct cb_layouts *layouts)
{
    const struct cb_layout *layout = cb_layouts_find(layouts, hash);
    sqlite3_stmt *row = index->find_layout;
    struct cb_err ignored;
    if (layout || !row)
        return layout;
    sqlite3_bind_int64(row, 1, (int64_t)hash);
    const int result = sqlite3_step(row);
    const char *text = is_fine(index, result) && result == SQLITE_ROW ? text_in(row, 0) : "";
    if (cb_hash(CB_HASH_START, text, strlen(text)) == hash)
        cb_layouts_add(layouts, text, file, &layout, &ignored);
    sqlite3_reset(row);
    return layout;
}

/* Makes the run of an entry that is as it was written. */
static bool make_run(struct cb_index *index, const char *name, const struct entry *e,
                     struct cb_layouts *layouts, struct cb_stored_run *run)
{
    char file[PATH_MAX];
    struct cb_err ignored;
    if (snprintf(file, sizeof file, "%s/%s", index->folder, name) >= (int)sizeof file)
        return false;
    run->layout = layout_of(index, e->layout, file, layouts);
    cJSON *head = cJSON_Parse(e->head);
    cb_json_clean(head);
    if (cb_stored_run_name(run, head, file, &ignored) != CB_OK || !run->layout ||
        !cJSON_IsObject(head) || e->bytes != (size_t)run->layout->n_metrics * sizeof *run->levels)
        return false;
    run->levels = malloc(e->bytes + 1);
    if (run->levels)
        memcpy(run->levels, e->levels, e->bytes);
    return run->levels != NULL;
}

bool cb_index_get(struct cb_index *index, const struct cb_index_key *key,
                  struct cb_layouts *layouts, struct cb_stored_run *run)
{
    sqlite3_stmt *row = index ? index->find : NULL;
    bool found = false;
    if (!row || index->state != SOUND || !*key->stamp)
        return false;
    sqlite3_reset(row);
    sqlite3_bind_text(row, 1, key->name, -1, SQLITE_STATIC);
    const int result = sqlite3_step(row);
    if (is_fine(index, result) && result == SQLITE_ROW &&
        strcmp(text_in(row, 0), key->stamp) == 0) {
        struct entry e = {text_in(row, 0), text_in(row, 1), (uint64_t)sqlite3_column_int64(row, 2),
                          sqlite3_column_blob(row, 3), 0};
        e.bytes = (size_t)sqlite3_column_bytes(row, 3);
        found = (uint64_t)sqlite3_column_int64(row, 4) == hash_of(key->name, &e) &&
                make_run(index, key->name, &e, layouts, run);
        if (!found) {
            make_anew(index, "it was damaged");
            cb_stored_run_free(run);
        }
    }
    return found;
}

void cb_index_read(struct cb_index *index, bool *anew)
{
    *anew = index && index->state == ANEW;
    if (index)
        end_reading(index);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool step(struct cb_index *index, sqlite3_stmt *statement)
{
    const bool done = is_fine(index, sqlite3_step(statement));
    sqlite3_reset(statement);
    return done;
}

static bool put_layout(struct cb_index *index, sqlite3_stmt *into, const struct cb_layout *layout)
{
    sqlite3_bind_int64(into, 1, (int64_t)layout->hash);
    sqlite3_bind_text(into, 2, layout->text, -1, SQLITE_STATIC);
    return step(index, into);
}

static bool put_run(struct cb_index *index, sqlite3_stmt *into, const struct cb_index_key *key,
                    const struct cb_stored_run *run)
{
    char *head = cJSON_PrintUnformatted(run->head);
    const struct entry e = {key->stamp, head ? head : "", run->layout->hash, run->levels,
                            (size_t)run->layout->n_metrics * sizeof *run->levels};
    sqlite3_bind_text(into, 1, key->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(into, 2, e.stamp, -1, SQLITE_STATIC);
    sqlite3_bind_text(into, 3, e.head, -1, SQLITE_STATIC);
    sqlite3_bind_int64(into, 4, (int64_t)e.layout);
    sqlite3_bind_blob64(into, 5, e.levels, e.bytes, SQLITE_STATIC);
    sqlite3_bind_int64(into, 6, (int64_t)hash_of(key->name, &e));
    const bool done = head && step(index, into);
    cJSON_free(head);
    return done;
}

static bool put_all(struct cb_index *index, const struct cb_index_key *const *keys,
                    const struct cb_stored_run *const *runs, int n)
{
    sqlite3_stmt *layouts = prepare(index, "INSERT OR REPLACE INTO layout VALUES (?, ?)");
    sqlite3_stmt *entries = prepare(index, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?)");
    bool done = layouts && entries;
    for (int i = 0; i < n && done; i++)
        if (*keys[i]->stamp)
            done = ((i > 0 && runs[i]->layout == runs[i - 1]->layout) ||
                    put_layout(index, layouts, runs[i]->layout)) &&
                   put_run(index, entries, keys[i], runs[i]);
    sqlite3_finalize(layouts);
    sqlite3_finalize(entries);
    return done;
}

/* Forgets the runs whose documents are gone, and the layouts that are of none. */
static bool forget(struct cb_index *index)
{
    sqlite3_stmt *names = prepare(index, "SELECT rowid, name FROM run");
    sqlite3_stmt *gone = prepare(index, "DELETE FROM run WHERE rowid = ?");
    bool done = names && gone, any = false;
    while (done && sqlite3_step(names) == SQLITE_ROW) {
        char path[2 * PATH_MAX];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", index->folder, text_in(names, 1));
        if (stat(path, &info) == 0)
            continue;
        sqlite3_bind_int64(gone, 1, sqlite3_column_int64(names, 0));
        done = step(index, gone);
        any = true;
    }
    sqlite3_finalize(names);
    sqlite3_finalize(gone);
    return done &&
           (!any || run(index, "DELETE FROM layout WHERE id NOT IN (SELECT layout FROM run)"));
}

/* With locks all the while: others that use the file go on with the new one. */
static void empty(struct cb_index *index)
{
    sqlite3_db_config(index->db, SQLITE_DBCONFIG_RESET_DATABASE, 1, 0);
    const int result =
        sqlite3_exec(index->db, "PRAGMA synchronous = OFF; VACUUM", NULL, NULL, NULL);
    sqlite3_db_config(index->db, SQLITE_DBCONFIG_RESET_DATABASE, 0, 0);
    index->state = EMPTY;
    if (result != SQLITE_OK)
        give_up(index, sqlite3_errstr(result));
    else
        cb_text_print(stderr, "Note: the index of %s was made anew: %s\n", index->folder,
                      index->why);
}

static bool put(struct cb_index *index, const struct cb_index_key *const *keys,
                const struct cb_stored_run *const *runs, int n)
{
    if (index->state == ANEW)
        empty(index);
    if (index->state == UNUSED)
        return false;
    const bool done =
        run(index, "BEGIN IMMEDIATE;"
                   "CREATE TABLE IF NOT EXISTS layout (id INTEGER PRIMARY KEY, text TEXT);"
                   "CREATE TABLE IF NOT EXISTS run (name TEXT UNIQUE, stamp TEXT, head TEXT,"
                   " layout INTEGER, levels BLOB, hash INTEGER);"
                   "PRAGMA user_version = " VALUE_OF(CB_INDEX_FORMAT)) &&
        put_all(index, keys, runs, n) && forget(index) && run(index, "COMMIT");
    if (!done)
        sqlite3_exec(index->db, "ROLLBACK", NULL, NULL, NULL);
    return done;
}

void cb_index_put(struct cb_index *index, const struct cb_index_key *const *keys,
                  const struct cb_stored_run *const *runs, int n)
{
    if (index && !put(index, keys, runs, n) && index->state == ANEW) /* damage shows when it is
                                                                        written, too */
        put(index, keys, runs, n);
}
