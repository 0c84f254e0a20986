/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests of a parent process, as a worker reads them. In place of OpenCL and of the benchmarks
 * are those of this file (CMakeLists.txt: --wrap): what is looked at is how long cases and batches
 * live, in whatever order requests come.
 */
#include "measure/process/worker.h"
#include "measure/bench.h"
#include "measure/text/json.h"
#include "runtime/clock.h"
#include "runtime/drivers.h"
#include "tests/fuzz/fuzz.h"

#define MOST_BYTES 60000 /* that a pipe takes without a reader */

/* ---- A device -------------------------------------------------------------------------------- */

enum cb_status __wrap_cb_devices_enumerate(struct cb_devices *out, struct cb_err *err);
enum cb_status __wrap_cb_devices_enumerate(struct cb_devices *out, struct cb_err *err)
{
    *out = (struct cb_devices){.items = malloc(sizeof *out->items), .count = 1};
    if (!out->items)
        return cb_no_memory(err);
    *out->items = *fuzz_device();
    return CB_OK;
}

char *__wrap_cb_drivers_trouble(bool found);
char *__wrap_cb_drivers_trouble(bool found)
{
    return found ? NULL : strdup("no drivers");
}

enum cb_status __wrap_cb_session_open(struct cb_session *session, const char *id,
                                      const struct cb_session_options *options, struct cb_err *err);
enum cb_status __wrap_cb_session_open(struct cb_session *session, const char *id,
                                      const struct cb_session_options *options, struct cb_err *err)
{
    if (strcmp(id, fuzz_device()->id) != 0)
        return cb_fail(err, CB_ERROR, "no device %s", id);
    cb_session_close(session); /* an input may ask for several */
    *session = (struct cb_session){.info = *fuzz_device(),
                                   .wait_deadline_ns = options->wait_deadline_ns,
                                   .rehearsal = options->rehearsal};
    snprintf(session->defines, sizeof session->defines, "%s%s%s", options->atomics, options->clock,
             options->defines);
    return CB_OK;
}

/* It has one, unless waits are short. */
enum cb_status __wrap_cb_clock_open(struct cb_session *session, struct cb_err *err);
enum cb_status __wrap_cb_clock_open(struct cb_session *session, struct cb_err *err)
{
    session->ns_per_tick = session->rehearsal ? 0 : 0.5;
    return session->wait_deadline_ns == 1 ? cb_fail(err, CB_ERROR, "no clock") : CB_OK;
}

/* ---- Benchmarks, one of them with batches ---------------------------------------------------- */

/* Returns whether the parameters have a flag of this name. */
static bool has(const cJSON *params, const char *flag)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(params, flag));
}

/* A state is a text. */
static enum cb_status make_state(const cJSON *params, const char *flag, void **state,
                                 struct cb_err *err)
{
    *state = has(params, "none") ? NULL : strdup(cb_json_text(params, "text", ""));
    return has(params, flag) || !*state ? cb_fail(err, CB_UNSUPPORTED, "%s", flag) : CB_OK;
}

static enum cb_status open_batch(struct cb_session *session, const cJSON *params, void **batch,
                                 struct cb_err *err)
{
    (void)session;
    return make_state(params, "no_batch", batch, err);
}

static enum cb_status open_case(struct cb_session *session, const cJSON *params, void *batch,
                                void **state, struct cb_err *err)
{
    if (session && has(params, "stuck"))
        session->stuck = true;
    if (batch)
        fprintf(fuzz_sink(), "%s", (const char *)batch);
    return make_state(params, "no_case", state, err);
}

static enum cb_status run_case(void *state, struct cb_sample *sample, struct cb_err *err)
{
    const char *text = state;
    if (strcmp(text, "fails") == 0)
        return cb_fail(err, CB_TIMEOUT, "it %s", text);
    cb_sample_add(sample, "length", (double)strlen(text));
    cb_sample_note(sample, "%s", text);
    cb_sample_check(sample, text[0] != 'x', "it is %s", text);
    return CB_OK;
}

static const struct cb_bench benches[] = {
    {.id = "alone", .open = open_case, .run = run_case, .close = free},
    {.id = "batches",
     .open_batch = open_batch,
     .close_batch = free,
     .open = open_case,
     .run = run_case,
     .close = free},
};

const struct cb_bench *__wrap_cb_bench_find(const char *id);
const struct cb_bench *__wrap_cb_bench_find(const char *id)
{
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        if (strcmp(benches[i].id, id) == 0)
            return &benches[i];
    return NULL;
}

/* ---- The worker ------------------------------------------------------------------------------ */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int out = -1;
    struct cb_worker worker = {0};
    int ends[2];
    if (size > MOST_BYTES)
        return 0;
    if (out < 0)
        out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fuzz_need(out >= 0, "/dev/null");
    fuzz_need(pipe(ends) == 0 && write(ends[1], data, size) == (ssize_t)size, "pipe");
    close(ends[1]);
    struct cb_channel channel = {.in = ends[0], .out = out};
    cb_worker_serve(&worker, &channel);
    cb_cases_close_all(&worker.cases);
    cb_session_close(&worker.session);
    channel.out = -1;
    cb_channel_close(&channel);
    return 0;
}
