/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/user_buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "measure/process/worker.h"
#include "runtime/cl.h"
#include "runtime/host/guarded.h"
#include "runtime/neighbours/room.h"

/* ---- Accesses outside ------------------------------------------------------------------------ */

#define PAGE 4096 /* no more than a page */

/* Whose memory has which number. */
static struct owner {
    const struct cb_setup *setup;
    unsigned argument;
} owners[CB_GUARDED_MOST];

/* What a page of a buffer begins with, as far as it is the argument's. */
static void fill_page(int guarded, int64_t at, void *to, size_t bytes)
{
    const struct owner *o = &owners[guarded];
    cb_setup_fill_part(&o->setup->arguments[o->argument], at, to, bytes);
}

static size_t most_learnt; /* pages; 0: nothing is learnt */

void cb_user_buffers_learn(size_t pages)
{
    most_learnt = pages;
    cb_guarded_learn(fill_page, pages);
}

static bool hold_results;

void cb_user_buffers_hold_results(bool do_so)
{
    hold_results = do_so;
}

/* Says which element of which buffer, and what to look for. */
static void end_outside(int guarded, int64_t at)
{
    const struct cb_setup *s = owners[guarded].setup;
    const struct cb_setup_argument *a = &s->arguments[owners[guarded].argument];
    const int64_t each = (int64_t)a->layout.bytes;
    const int64_t element = at >= 0 ? at / each : -((-at + each - 1) / each);
    char reason[512];
    if (most_learnt > 0) {
        snprintf(reason, sizeof reason,
                 "%s: it uses more than %zu MiB of its buffers, as %s at element %" PRId64
                 ": a value in the setup is too large, or an index in the kernel wrong",
                 s->id, most_learnt * PAGE >> 20, a->name, element);
        cb_worker_last_words(reason);
    }
    snprintf(reason, sizeof reason,
             "%s: %s: an access to element %" PRId64 ", which is %s its %" PRId64
             " elements%s: an index of it is wrong, or \"count\" in the setup too small",
             s->id, a->name, element, at < 0 ? "before" : "after", (int64_t)a->bytes / each,
             hold_results ? ", in a run on what the last one left (\"fresh\": true gives each new "
                            "inputs)"
                          : "");
    cb_worker_last_words(reason);
}

static bool begins_at_pages;

void cb_user_buffers_begin_at_pages(bool do_so)
{
    begins_at_pages = do_so;
}

/* ---- Before the first element ---------------------------------------------------------------- */

/* A buffer ends where its last page does, nearly: what its first one has before it is a guard. */
#define GUARD_BYTE 0x5a

static unsigned char *page_of(int guarded)
{
    unsigned char *memory = cb_guarded_memory(guarded);
    return memory - (uintptr_t)memory % PAGE;
}

static void guard_before(int guarded)
{
    unsigned char *page = page_of(guarded), *memory = cb_guarded_memory(guarded);
    memset(page, GUARD_BYTE, (size_t)(memory - page));
}

/* The last element that a write has come to before the first; 0: none has. */
static int64_t written_before(const struct cb_user_buffer *b, const struct cb_setup_argument *a)
{
    const unsigned char *page = page_of(b->guarded), *memory = cb_guarded_memory(b->guarded);
    const int64_t each = (int64_t)a->layout.bytes;
    for (const unsigned char *at = memory; at > page; at--)
        if (at[-1] != GUARD_BYTE)
            return -((memory - at + each) / each);
    return 0;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static size_t alignment_of(const struct cb_setup_argument *a)
{
    return a->layout.alignment < PAGE ? a->layout.alignment : PAGE;
}

/* Between pages; buffer->memory stays NULL if that cannot be had. */
static void create_guarded(struct cb_session *s, const struct cb_setup *setup, unsigned i,
                           struct cb_user_buffer *b)
{
    const struct cb_setup_argument *a = &setup->arguments[i];
    cl_int code;
    const size_t alignment = begins_at_pages ? PAGE : alignment_of(a);
    b->guarded = cb_guarded_reserve(most_learnt > 0 ? 0 : a->bytes, alignment, end_outside);
    if (b->guarded < 0)
        return;
    owners[b->guarded] = (struct owner){setup, i};
    if (most_learnt == 0)
        guard_before(b->guarded);
    b->memory = clCreateBuffer(s->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, a->bytes,
                               cb_guarded_memory(b->guarded), &code);
    if (code == CL_SUCCESS)
        return;
    b->memory = NULL;
    cb_user_buffer_release(b);
}

enum cb_status cb_user_buffer_create(struct cb_session *s, const struct cb_setup *setup, unsigned i,
                                     struct cb_user_buffer *b, struct cb_err *err)
{
    const struct cb_setup_argument *a = &setup->arguments[i];
    *b = (struct cb_user_buffer){.guarded = -1};
    if (cb_device_is_cpu(&s->info)) {
        if (cb_room_check(&s->info, a->bytes, err) != CB_OK)
            return cb_context(err, "%s: %s", setup->id, a->name);
        create_guarded(s, setup, i, b);
    }
    if (!b->memory)
        b->memory = cb_buffer_create(s, cb_setup_guarded(a), err);
    return b->memory ? CB_OK : cb_context(err, "%s: %s", setup->id, a->name);
}

void cb_user_buffer_release(struct cb_user_buffer *b)
{
    if (b->memory)
        clReleaseMemObject(b->memory);
    if (b->guarded >= 0)
        cb_guarded_release(b->guarded);
    *b = (struct cb_user_buffer){.guarded = -1};
}

static size_t bytes_of(const struct cb_user_buffer *b, const struct cb_setup_argument *a)
{
    return b->guarded >= 0 ? a->bytes : cb_setup_guarded(a);
}

enum cb_status cb_user_buffer_write(struct cb_session *s, const struct cb_user_buffer *b,
                                    const struct cb_setup_argument *a, const void *from,
                                    struct cb_err *err)
{
    return cb_buffer_write(s, b->memory, from, bytes_of(b, a), err);
}

enum cb_status cb_user_buffer_read(struct cb_session *s, const struct cb_user_buffer *b,
                                   const struct cb_setup_argument *a, void *to, struct cb_err *err)
{
    if (b->guarded >= 0)
        cb_setup_guard(a, to);
    const int64_t before = b->guarded >= 0 && most_learnt == 0 ? written_before(b, a) : 0;
    if (before < 0)
        return cb_fail(err, CB_VERIFY_FAILED,
                       "%s: a plain launch writes to element %" PRId64 ", which is before its %zu "
                       "elements: an index of it is wrong",
                       a->name, before, a->bytes / a->layout.bytes);
    return cb_buffer_read(s, b->memory, to, bytes_of(b, a), err);
}
