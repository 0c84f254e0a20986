/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/coop/arena.h"
#include "runtime/coop/matmul.h"
#include "runtime/coop/task.h"

/* Launch packets lie in a ring of SLOTS. When the task or its size changes, the next AHEAD packets
 * are written at once, because one write costs a GPU's host as much as sending a task; most tasks
 * find theirs there, also in the next run. */
#define SLOTS COOP_IN_LINE
#define AHEAD (SLOTS - CB_TASKS_LINE)

struct slot {
    task_packet head;
    coop_our_packet arguments;
    unsigned char pad[TASK_PACKET_UNIT - sizeof(coop_our_packet)];
};
_Static_assert(sizeof(struct slot) == 2 * TASK_PACKET_UNIT && SLOTS % AHEAD == 0,
               "packets begin at units, and all slots are written");

/* Layout of the arena: packets, a word for the digest of each, matrices, which begin where a device
 * can have parts of a buffer. */
#define WORDS_AT    (SLOTS * sizeof(struct slot))
#define MATRICES_AT (WORDS_AT + SLOTS * sizeof(uint32_t))
#define PART        4096
_Static_assert(MATRICES_AT % PART == 0, "a part begins there");

struct cb_tasks {
    struct cb_session *session;
    struct cb_arena arena;
    unsigned users; /* the arena is closed after its last user; the session is one */
    uint32_t most;
    size_t matrices[3];
    unsigned done; /* number of tasks of this run so far */
    uint32_t salts;
    struct {
        struct cb_our_task what; /* the task of the packet */
        /* digest: the sum over all tasks of this run that had the packet */
        uint32_t salt, digest;
    } slots[SLOTS];
};

/* ---- The arena ------------------------------------------------------------------------------- */

/* The tasks that the session opened last. */
struct kept {
    struct cb_tasks *tasks;
};

static void release(void *kept)
{
    cb_tasks_close(((struct kept *)kept)->tasks);
    ((struct kept *)kept)->tasks = NULL;
}

static const struct cb_kept_kind kept_kind = {sizeof(struct kept), release};

static enum cb_status fill(struct cb_tasks *t, size_t elements, struct cb_err *err)
{
    float *host[2] = {malloc(4 * elements), malloc(4 * elements)};
    enum cb_status status = host[0] && host[1] ? CB_OK : cb_no_memory(err);
    if (status == CB_OK)
        cb_matmul_fill(host[0], host[1], elements);
    for (int i = 0; i < 2 && status == CB_OK; i++)
        status = cb_arena_write(&t->arena, t->matrices[i], host[i], 4 * elements, err);
    free(host[0]);
    free(host[1]);
    return status;
}

static enum cb_status make(struct cb_session *s, uint32_t most, struct cb_tasks **tasks,
                           struct cb_err *err)
{
    const size_t elements = (size_t)most * most;
    const size_t bytes = (4 * elements + PART - 1) / PART * PART;
    struct cb_tasks *t = *tasks = calloc(1, sizeof *t);
    if (!t)
        return cb_no_memory(err);
    t->session = s->first ? s->first : s; /* the first session lives as long */
    t->users = 1;
    t->most = most;
    for (int i = 0; i < 3; i++)
        t->matrices[i] = MATRICES_AT + (size_t)i * bytes;
    if (cb_arena_open(&t->arena, s, MATRICES_AT + 3 * bytes, err) != CB_OK)
        return err->status;
    return fill(t, elements, err);
}

enum cb_status cb_tasks_open(struct cb_session *s, uint32_t most, struct cb_tasks **tasks,
                             struct cb_err *err)
{
    struct kept *kept = cb_session_kept(s, &kept_kind, err);
    *tasks = NULL;
    if (!kept)
        return err->status;
    if (!kept->tasks || kept->tasks->most < most) {
        release(kept);
        if (make(s, most, &kept->tasks, err) != CB_OK) {
            release(kept);
            return err->status;
        }
    }
    *tasks = kept->tasks;
    (*tasks)->users++;
    return CB_OK;
}

void cb_tasks_close(struct cb_tasks *t)
{
    if (!t || --t->users > 0)
        return;
    cb_arena_close(&t->arena);
    free(t);
}

cl_mem cb_tasks_arena(const struct cb_tasks *t)
{
    return t->arena.buffer;
}

enum cb_status cb_tasks_matrices(const struct cb_tasks *t, cl_mem matrices[3], struct cb_err *err)
{
    for (int i = 0; i < 3; i++) {
        const cl_buffer_region part = {t->matrices[i], 4 * (size_t)t->most * t->most};
        cl_int code;
        matrices[i] =
            clCreateSubBuffer(t->arena.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code);
        if (CB_CL_CODE(err, code, "clCreateSubBuffer") != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* ---- Packets --------------------------------------------------------------------------------- */

static bool is_size(uint32_t size, uint32_t most)
{
    uint32_t rows = COOP_TASK_ROWS(size), depth = COOP_TASK_DEPTH(size);
    return rows > 0 && rows <= most && rows % COOP_TASK_UNIT == 0 && depth > 0 && depth <= most &&
           depth % COOP_TASK_UNIT == 0;
}

static bool is_like(const struct cb_our_task *a, const struct cb_our_task *b)
{
    return a->task == b->task && a->size == b->size && a->wg_size == b->wg_size;
}

/* Counts the virtual workgroups of a task in each dimension. */
static void count_groups(const struct cb_tasks *t, const struct cb_our_task *what, cb_u32 groups[3])
{
    const cb_u32 rows = COOP_TASK_ROWS(what->size), tiles = rows / COOP_TASK_UNIT;
    const cb_u32 items = (cb_u32)what->wg_size;
    const bool alone = items < COOP_MATMUL_LEAST || cb_device_is_cpu(&t->session->info);
    groups[2] = 1;
    if (what->task == COOP_TASK_REDUCE) {
        groups[0] = COOP_OUR_BLOCKS(rows * rows / 4, items * COOP_REDUCE_TAKES);
        groups[1] = COOP_TASK_DEPTH(what->size);
    } else {
        groups[0] = COOP_OUR_BLOCKS(tiles, COOP_MATMUL_WIDTH(items, alone));
        groups[1] = COOP_OUR_BLOCKS(tiles, COOP_MATMUL_HEIGHT(items, alone));
    }
}

static struct slot packet_of(const struct cb_tasks *t, const struct cb_our_task *what,
                             unsigned number, uint32_t salt)
{
    struct slot slot = {
        .head = {.number = COOP_OUR_TASK(what->task),
                 .dimensions = 2,
                 .items = {(cb_u32)what->wg_size, 1, 1}},
        .arguments = {t->matrices[0], t->matrices[1], t->matrices[2],
                      WORDS_AT + number * sizeof(uint32_t), COOP_TASK_ROWS(what->size),
                      COOP_TASK_DEPTH(what->size), salt, 0},
    };
    count_groups(t, what, slot.head.groups);
    return slot;
}

/* Writes packets for this task, from slot `first` on. */
static enum cb_status write_slots(struct cb_tasks *t, unsigned first,
                                  const struct cb_our_task *what, struct cb_err *err)
{
    struct slot slots[AHEAD];
    unsigned end = first + AHEAD < SLOTS ? first + AHEAD : SLOTS;
    for (unsigned i = first; i < end; i++) {
        t->slots[i].what = *what;
        t->slots[i].salt = ++t->salts * 2654435761u;
        slots[i - first] = packet_of(t, what, i, t->slots[i].salt);
    }
    return cb_arena_write(&t->arena, first * sizeof *slots, slots, (end - first) * sizeof *slots,
                          err);
}

enum cb_status cb_tasks_begin(struct cb_tasks *t, struct cb_err *err)
{
    static const uint32_t zeros[SLOTS];
    t->done = 0;
    for (unsigned i = 0; i < SLOTS; i++)
        t->slots[i].digest = 0;
    return cb_arena_write(&t->arena, WORDS_AT, zeros, sizeof zeros, err);
}

enum cb_status cb_tasks_next(struct cb_tasks *t, const struct cb_our_task *what, size_t *packet,
                             struct cb_err *err)
{
    unsigned slot = t->done % SLOTS;
    if (!is_size(what->size, t->most))
        return cb_fail(err, CB_USAGE, "a task of %u rows, depth %u: not possible",
                       COOP_TASK_ROWS(what->size), COOP_TASK_DEPTH(what->size));
    if (!is_like(&t->slots[slot].what, what) && write_slots(t, slot, what, err) != CB_OK)
        return err->status;
    t->done++;
    t->slots[slot].digest +=
        cb_task_digest(t->session, what->task, what->size, t->slots[slot].salt);
    *packet = slot * sizeof(struct slot);
    return CB_OK;
}

void cb_tasks_forget(struct cb_tasks *t, size_t packet)
{
    const size_t slot = packet / sizeof(struct slot);
    const struct cb_our_task *what = &t->slots[slot].what;
    t->slots[slot].digest -=
        cb_task_digest(t->session, what->task, what->size, t->slots[slot].salt);
}

enum cb_status cb_tasks_check(struct cb_tasks *t, unsigned *wrong, struct cb_err *err)
{
    uint32_t words[SLOTS];
    *wrong = 0;
    if (cb_arena_read(&t->arena, WORDS_AT, words, sizeof words, err) != CB_OK)
        return err->status;
    for (unsigned i = 0; i < SLOTS && *wrong == 0; i++)
        if (words[i] != t->slots[i].digest)
            *wrong = i + 1;
    return CB_OK;
}
