/* SPDX-License-Identifier: Apache-2.0
 *
 * Power of the device while the app runs alone, and beside tasks (--power).
 */
#include "measure/json.h"
#include "probes/multitask/multitask.h"

#define SAMPLES_PER_S 50
#define SAMPLES       10000

enum cb_status cb_multitask_open_power(struct cb_multitask *m, const cJSON *params,
                                       struct cb_err *err)
{
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(params, "power")))
        return CB_OK;
    enum cb_status status = cb_power_open(&m->session->info, &m->power, &m->no_power);
    if (status == CB_OK || status == CB_UNSUPPORTED)
        return CB_OK;
    *err = m->no_power;
    return status;
}

void cb_multitask_close_power(struct cb_multitask *m)
{
    cb_power_sampler_close(m->sampler);
    m->sampler = NULL;
    cb_power_close(m->power);
}

enum cb_status cb_multitask_begin_power(struct cb_multitask *m, struct cb_err *err)
{
    cb_power_sampler_close(m->sampler);
    m->sampler = NULL;
    return m->power ? cb_power_sampler_start(m->power, SAMPLES_PER_S, SAMPLES, &m->sampler, err)
                    : CB_OK;
}

enum cb_status cb_multitask_end_power(struct cb_multitask *m, struct cb_sample *sample,
                                      struct cb_err *err)
{
    static const char *const names[][2] = {{"power_alone", "energy_per_run_alone"},
                                           {"power", "energy_per_run"}};
    if (m->no_power.status != CB_OK)
        cb_sample_note(sample, "no power: %s", m->no_power.text);
    for (int with_tasks = 0; with_tasks < 2; with_tasks++) {
        const struct cb_multitask_span *s = &m->spans[with_tasks];
        double watts = cb_power_mean(m->sampler, s->from_ns, s->until_ns);
        cb_sample_add(sample, names[with_tasks][0], watts);
        cb_sample_add(sample, names[with_tasks][1], watts * s->run_ns / 1e9);
    }
    return cb_power_sampler_stop(m->sampler, err);
}
