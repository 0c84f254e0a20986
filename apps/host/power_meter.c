/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/power_meter.h"

#define SAMPLES_PER_S 50
#define SAMPLES       10000

void cb_power_print(FILE *out, const struct cb_rows *rows, const struct cb_column *columns,
                    int n_columns)
{
    struct cb_rows measured = *rows;
    measured.metric = "power";
    if (!cb_rows_next(&measured, NULL))
        return;
    fputs("\nPower of the device\n\n", out);
    cb_rows_print(out, rows, columns, n_columns);
}

enum cb_status cb_power_meter_open(struct cb_power_meter *meter, bool wanted,
                                   const struct cb_device *device, struct cb_err *err)
{
    if (!wanted)
        return CB_OK;
    enum cb_status status = cb_power_open(device, &meter->power, &meter->none);
    if (status == CB_OK || status == CB_UNSUPPORTED)
        return CB_OK;
    *err = meter->none;
    return status;
}

void cb_power_meter_close(struct cb_power_meter *meter)
{
    cb_power_sampler_close(meter->sampler);
    meter->sampler = NULL;
    cb_power_close(meter->power);
    meter->power = NULL;
}

enum cb_status cb_power_meter_begin(struct cb_power_meter *meter, struct cb_err *err)
{
    cb_power_sampler_close(meter->sampler);
    meter->sampler = NULL;
    return meter->power
               ? cb_power_sampler_start(meter->power, SAMPLES_PER_S, SAMPLES, &meter->sampler, err)
               : CB_OK;
}

enum cb_status cb_power_meter_end(struct cb_power_meter *meter, struct cb_sample *sample,
                                  struct cb_err *err)
{
    static const char *const names[][2] = {{"power_alone", "energy_per_run_alone"},
                                           {"power", "energy_per_run"}};
    if (meter->none.status != CB_OK)
        cb_sample_note(sample, "no power: %s", meter->none.text);
    for (int with_tasks = 0; with_tasks < 2; with_tasks++) {
        const struct cb_power_span *s = &meter->spans[with_tasks];
        double watts = cb_power_mean(meter->sampler, s->from_ns, s->until_ns);
        cb_sample_add(sample, names[with_tasks][0], watts);
        cb_sample_add(sample, names[with_tasks][1], watts * s->run_ns / 1e9);
    }
    return cb_power_sampler_stop(meter->sampler, err);
}
