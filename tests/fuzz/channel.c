/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of a worker process, as its parent reads them.
 */
#include "measure/bench.h"
#include "measure/process/worker_process.h"
#include "runtime/host/time.h"
#include "tests/fuzz/fuzz.h"

#define MOST_BYTES 60000 /* that a pipe takes without a reader */

static void ignore(void *sink, const char *label, const char *value)
{
    fprintf(sink, "%s%s", label, value);
}

/* Each message is taken for all that it could be. */
static void use(cJSON *answer)
{
    struct cb_device device;
    struct cb_sample sample = {0};
    char units[64];
    cb_device_from_json(&device, answer);
    cb_device_units(&device, units, sizeof units);
    cb_device_describe(&device, ignore, fuzz_sink());
    cb_sample_take(&sample, answer);
    cb_sample_free(&sample);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct cb_worker_limit limit = {5, "fuzzing"};
    struct cb_worker_process worker = {0};
    struct cb_err err;
    cJSON *answer;
    int ends[2];
    if (size > MOST_BYTES)
        return 0;
    fuzz_need(pipe(ends) == 0 && write(ends[1], data, size) == (ssize_t)size, "pipe");
    close(ends[1]);
    worker.channel = (struct cb_channel){.in = ends[0], .out = -1};
    do {
        cb_worker_receive(&worker, &limit, &answer, &err);
        use(answer);
        cJSON_Delete(answer);
    } while (answer && worker.channel.in >= 0);
    return 0;
}
