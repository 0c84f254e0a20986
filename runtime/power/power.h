/* SPDX-License-Identifier: Apache-2.0
 *
 * Power and energy of a device, where it tells them: an NVIDIA GPU through NVML, which is loaded
 * when it is asked for, a CPU through Linux's RAPL counters. It is that of the whole board, or of
 * the CPU's packages, in whatever use. All of it is read, nothing is ever set: no limits, no
 * clocks. No OpenCL.
 *
 *     if (cb_power_open(&device, &power, err) == CB_OK) {
 *         cb_power_sampler_start(power, 50, 10000, &sampler, err);
 *         ... work from one time of cb_now_ns() to another ...
 *         watts = cb_power_mean(sampler, begin_ns, end_ns);
 *         cb_power_sampler_stop(sampler, err);
 *     }
 *     cb_power_close(power);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "runtime/device.h"
#include "runtime/host/error.h"

struct cb_power;

struct cb_power_reading {
    double time_ns; /* host clock (runtime/host/time.h) */
    double joules;  /* since it was opened; NaN: it tells no energy */
    double watts;   /* NaN: it tells no power. NVIDIA's are means over up to a second */
};

/* CB_UNSUPPORTED: the device does not tell, and what to install or to allow, if that helps.
 * $COOPBENCH_POWERCAP replaces /sys/class/powercap, for tests. */
enum cb_status cb_power_open(const struct cb_device *device, struct cb_power **power,
                             struct cb_err *err);
void cb_power_close(struct cb_power *power); /* NULL is fine */

/* "nvml" or "rapl". */
const char *cb_power_source(const struct cb_power *power);

/* Watts that the device keeps below by itself; NaN: not known. */
double cb_power_limit(const struct cb_power *power);

enum cb_status cb_power_read(struct cb_power *power, struct cb_power_reading *reading,
                             struct cb_err *err);

/* ---- A thread that reads again and again ----------------------------------------------------- */

struct cb_power_sampler;

/* Reads so often a second until it is stopped. Of what it has read it keeps up to `room` (at least
 * 4) energies: when these are full, it drops each second one, and keeps half as many from then on.
 * The power is not to be used by others meanwhile. */
enum cb_status cb_power_sampler_start(struct cb_power *power, double rate_hz, size_t room,
                                      struct cb_power_sampler **sampler, struct cb_err *err);

/* Whether it can be stopped: a reading that failed ends it, too. What was read remains. NULL is
 * fine. */
enum cb_status cb_power_sampler_stop(struct cb_power_sampler *sampler, struct cb_err *err);
void cb_power_sampler_close(struct cb_power_sampler *sampler); /* NULL is fine */

/* Mean power in watts between two times of the host's clock, from energies; also while it samples.
 * NaN if less than half of that time lies between energies that have been read (NULL: always). */
double cb_power_mean(struct cb_power_sampler *sampler, double from_ns, double to_ns);

struct cb_power_point {
    double time_ns; /* the end of a span, of which this is */
    double watts;   /* the mean */
};

/* The mean powers between the energies that it keeps, joined to spans of at least so many ns;
 * returns how many there are, `room` at most (NULL: none). */
size_t cb_power_points(struct cb_power_sampler *sampler, double span_ns,
                       struct cb_power_point *points, size_t room);
