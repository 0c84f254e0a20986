/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/task.h"

#include <string.h>

#include "kernels/tasks_abi.h"
#include "runtime/coop/matmul.h"
#include "runtime/coop/reduce.h"

const char *const cb_task_names[COOP_TASKS] = {
    [COOP_TASK_MATMUL] = "matmul", [COOP_TASK_REDUCE] = "reduce"};

static const struct {
    uint32_t (*digest)(uint32_t size); /* takes milliseconds */
    uint32_t (*salted)(uint32_t digest, uint32_t size, uint32_t salt);
} kinds[COOP_TASKS] = {[COOP_TASK_MATMUL] = {cb_matmul_digest, cb_matmul_salted},
                       [COOP_TASK_REDUCE] = {cb_reduce_digest, cb_reduce_salted}};

unsigned cb_task_of(const char *name)
{
    for (unsigned task = 0; task < COOP_TASKS; task++)
        if (strcmp(cb_task_names[task], name) == 0)
            return task;
    return COOP_TASK_MATMUL;
}

#define MAX_DIGESTS 16

/* Digests of the tasks asked for last. */
struct digests {
    struct {
        unsigned task;
        uint32_t size, digest;
    } list[MAX_DIGESTS];
    size_t next;
};

static const struct cb_kept_kind digests_kind = {sizeof(struct digests), NULL};

static uint32_t digest_of(struct cb_session *session, unsigned task, uint32_t size)
{
    struct cb_err ignored;
    struct digests *d = cb_session_kept(session, &digests_kind, &ignored);
    for (size_t i = 0; d && i < MAX_DIGESTS; i++)
        if (d->list[i].size == size && d->list[i].task == task)
            return d->list[i].digest;
    uint32_t digest = kinds[task].digest(size);
    if (d) {
        size_t i = d->next++ % MAX_DIGESTS;
        d->list[i].task = task;
        d->list[i].size = size;
        d->list[i].digest = digest;
    }
    return digest;
}

uint32_t cb_task_digest(struct cb_session *session, unsigned task, uint32_t size, uint32_t salt)
{
    return kinds[task].salted(digest_of(session, task, size), size, salt);
}
