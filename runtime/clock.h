/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of kernels/clock.clh: how long is a tick, and, without a clock, a turn of a wait;
 * and when was it, by the host's clock, that the device's showed so many ticks?
 */
#pragma once

#include "runtime/session.h"

/* Measures the clock of a session that was just opened (some milliseconds): sets its ns_per_tick,
 * clock_resolution_ns and deadlines. */
enum cb_status cb_clock_open(struct cb_session *session, struct cb_err *err);

/* How a wait counts its time, of a session whose ns_per_tick is known: sets its deadlines. */
void cb_clock_deadlines(struct cb_session *session);

/* Turns of a wait that fill a deadline, where there is no clock; ns_per_turn is measured. While
 * others have the cores of a CPU, too, a turn takes milliseconds, and microseconds once they have
 * gone: the deadline does not become a thousand times shorter by that. */
uint64_t cb_clock_turns(uint64_t deadline_ns, double ns_per_turn, uint64_t compute_units);

/* Both clocks at one time, which is known within slack_ns in both directions. */
struct cb_clock_reading {
    double host_ns, slack_ns;
    uint64_t ticks;
};

/* Where the host's clock was when the device's was at 0, more or less. */
struct cb_clock_link {
    struct cb_clock_reading first;
    double ns_per_tick; /* 0: there is no device clock */
};

/* Reads both clocks, some ten times: the sharpest reading counts. For a device that does nothing
 * else. */
enum cb_status cb_clock_link_open(struct cb_session *session, struct cb_clock_link *link,
                                  struct cb_err *err);

/* Reads them once more, on a device that may be busy, and corrects the length of a tick, if that
 * reading is sharp enough to say something of it. */
enum cb_status cb_clock_link_correct(struct cb_session *session, struct cb_clock_link *link,
                                     struct cb_err *err);
void cb_clock_link_fit(struct cb_clock_link *link, const struct cb_clock_reading *later);

/* It was not before host_ns that the device's clock showed so many ticks: moves the link, if need
 * be, as little as will do. */
void cb_clock_link_not_before(struct cb_clock_link *link, uint64_t ticks, double host_ns);

/* NaN without a device clock. */
double cb_clock_link_host_ns(const struct cb_clock_link *link, uint64_t ticks);
