/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of kernels/discovery.clh.
 */
#pragma once

#include "runtime/session.h"

/* The least time without a new participant before an adaptive poll closes, for devices like this.
 * On CPU devices the operating system starts the workgroups' threads, which takes its time. */
double cb_discovery_quiet_ns(const struct cb_device *device);

/* The quiet time as the kernels' argument `quiet`: in ticks of the device clock, of which it is at
 * least a few steps, since a coarse clock makes any wait look as long as its step; or, without a
 * clock, in turns. */
uint64_t cb_discovery_quiet(const struct cb_session *session, double quiet_ns);

/* CB_USAGE: the poll could close only when the waits for that have been given up. */
enum cb_status cb_discovery_check_quiet(const struct cb_session *session, double quiet_ns,
                                        struct cb_err *err);

/* How workgroups find out which of them run at once. */
struct cb_discovery_way {
    const char
        *protocol; /* "ticket" or "spin": with this mutex; "lockfree"; "unsafe": not at all */
    /* Delay of a mutex: "adaptive", or lock-unlock turns, with which it is OOPSLA'16 Fig. 3 as
     * printed. */
    const char *delay;
    const char *ids; /* the order of the participants': a value of CB_DISCOVERY_IDS */
};

/* own: that of the protocol; the others are below. */
#define CB_DISCOVERY_IDS "own,arrival,native,shuffled"

/* The order that the ids of a way have: "arrival" (as workgroups came to a word), "native" (by
 * their numbers in the launch) or "shuffled" (native ones, in a fixed order that has nothing to do
 * with them). ids NULL: "own". */
const char *cb_discovery_order(const char *protocol, const char *ids);

/* The order, or NULL if it is the protocol's own: what names of cases say. */
const char *cb_discovery_other_order(const char *protocol, const char *ids);

/* Whether it has a mutex, and so a delay. */
bool cb_discovery_has_mutex(const char *protocol);

/* The compiler's options for a way. */
void cb_discovery_defines(const struct cb_discovery_way *way, char *text, size_t size);

/* The kernels' argument `delay`: "adaptive", or lock-unlock turns. CB_USAGE: it is neither. */
enum cb_status cb_discovery_delay(const char *text, uint32_t *delay, struct cb_err *err);

/* How many workgroups of a kernel run at once. `launch` runs the kernel once with `groups`
 * workgroups that all try to take part, and says how many did; more and more are launched until
 * some do not. */
enum cb_status cb_discovery_search(struct cb_session *session,
                                   enum cb_status (*launch)(void *self, size_t groups,
                                                            size_t *participants,
                                                            struct cb_err *err),
                                   void *self, size_t *found, struct cb_err *err);

/* Between launches that find too few, before number `tried` + 1: another process that has the cores
 * of a CPU device may have them for milliseconds, and launches one right after the other would all
 * come too early. Longer each time. */
void cb_discovery_rest(int tried);

/* The number that "N", "N/K", "KN/L", "N-K" or "K" means where N workgroups run at once, at
 * least 1. CB_UNSUPPORTED: more than run at once; CB_USAGE: none of these. n 0: only checks the
 * text. */
enum cb_status cb_groups_parse(const char *text, size_t n, size_t *groups, struct cb_err *err);
