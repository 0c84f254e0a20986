/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/discovery.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/discovery_abi.h"
#include "runtime/host/time.h"

#define QUIET_CPU_NS 100000 /* waking a thread on an idle virtual core takes as long */
#define QUIET_NS     1000
#define MIN_STEPS    4
#define QUIET_TURNS  64
#define FIRST_LAUNCH 2 /* times the compute units: workgroups of the first search */
#define CPU_SEARCHES 50
#define MAX_LAUNCHED ((size_t)1 << 20)
#define REST_NS      200e3

double cb_discovery_quiet_ns(const struct cb_device *device)
{
    return cb_device_is_cpu(device) ? QUIET_CPU_NS : QUIET_NS;
}

uint64_t cb_discovery_quiet(const struct cb_session *s, double quiet_ns)
{
    if (s->ns_per_tick <= 0)
        return QUIET_TURNS;
    return (uint64_t)(fmax(quiet_ns, MIN_STEPS * s->clock_resolution_ns) / s->ns_per_tick);
}

enum cb_status cb_discovery_check_quiet(const struct cb_session *s, double quiet_ns,
                                        struct cb_err *err)
{
    const double wait_ns = (double)s->wait_deadline_ns;
    if (s->ns_per_tick <= 0 || quiet_ns < wait_ns)
        return CB_OK;
    return cb_fail(err, CB_USAGE,
                   "quiet-time: others wait for the poll to close, which they give up after %.0f "
                   "ms, and it stays open for %.0f ms at least: raise --wait-deadline",
                   wait_ns / 1e6, quiet_ns / 1e6);
}

bool cb_discovery_has_mutex(const char *protocol)
{
    return strcmp(protocol, "ticket") == 0 || strcmp(protocol, "spin") == 0;
}

static const char *own_order(const char *protocol)
{
    return strcmp(protocol, "unsafe") == 0 ? "native" : "arrival";
}

const char *cb_discovery_order(const char *protocol, const char *ids)
{
    return ids && strcmp(ids, "own") != 0 ? ids : own_order(protocol);
}

const char *cb_discovery_other_order(const char *protocol, const char *ids)
{
    const char *order = cb_discovery_order(protocol, ids);
    return strcmp(order, own_order(protocol)) != 0 ? order : NULL;
}

/* Shuffled ids are native ones first. */
static const char *step_of(const char *protocol, const char *order)
{
    if (strcmp(order, "shuffled") == 0)
        order = "native";
    return cb_discovery_other_order(protocol, order) ? order : "own";
}

void cb_discovery_defines(const struct cb_discovery_way *way, char *text, size_t size)
{
    const char *protocol = way->protocol, *order = cb_discovery_order(protocol, way->ids);
    const char *name = protocol, *mutex = "ticket";
    if (cb_discovery_has_mutex(protocol)) {
        name = strcmp(way->delay, "adaptive") == 0 ? "mutex_adaptive" : "mutex";
        mutex = protocol;
    }
    snprintf(text, size, "-DCB_PROTOCOL=%s -DCB_MUTEX=%s -DCB_IDS=%s%s", name, mutex,
             step_of(protocol, order), strcmp(order, "shuffled") == 0 ? " -DCB_IDS_SHUFFLED" : "");
}

enum cb_status cb_discovery_delay(const char *text, uint32_t *delay, struct cb_err *err)
{
    size_t digits = strspn(text, "0123456789");
    bool adaptive = strcmp(text, "adaptive") == 0;
    if (!adaptive && (digits == 0 || digits > 8 || text[digits]))
        return cb_fail(err, CB_USAGE, "delay: expected a number of turns or adaptive, got \"%s\"",
                       text);
    *delay = adaptive ? CB_DELAY_ADAPTIVE : (uint32_t)strtoul(text, NULL, 10);
    return CB_OK;
}

void cb_discovery_rest(int tried)
{
    cb_sleep_until_ns((double)cb_now_ns() + tried * REST_NS);
}

enum cb_status cb_discovery_search(struct cb_session *session,
                                   enum cb_status (*launch)(void *self, size_t groups,
                                                            size_t *participants,
                                                            struct cb_err *err),
                                   void *self, size_t *found, struct cb_err *err)
{
    if (session->rehearsal) {
        *found = MAX_LAUNCHED; /* whatever number is asked for */
        return launch(self, 1, &(size_t){0}, err);
    }
    /* A busy machine starts a CPU device's threads so late that the poll closes without some; it
     * has one for each compute unit. */
    bool cpu = cb_device_is_cpu(&session->info);
    int searches = cpu ? CPU_SEARCHES : 1, tried = 0;
    size_t launched = FIRST_LAUNCH * session->info.compute_units;
    *found = 0;
    while (tried < searches && !(cpu && *found >= session->info.compute_units)) {
        size_t participants = 0;
        cb_discovery_rest(tried);
        if (launch(self, launched, &participants, err) != CB_OK)
            return cb_context(err, "discovery of the occupancy");
        *found = participants > *found ? participants : *found;
        if (participants < launched || launched >= MAX_LAUNCHED)
            tried++;
        else
            launched *= 2;
    }
    if (*found == 0)
        return cb_fail(
            err, CB_ERROR,
            "discovery of the occupancy: no workgroup came: a kernel was lost, or what it "
            "wrote; run it again, also with --no-cache");
    return CB_OK;
}

/* A number from 1, of up to 9 digits; goes on after it. */
static bool take_number(const char **text, size_t *value)
{
    size_t digits = strspn(*text, "0123456789");
    *value = digits > 0 && digits < 10 ? strtoul(*text, NULL, 10) : 0;
    *text += digits;
    return *value > 0;
}

/* "N", "N/8", "3N/4", "N-1" or "8": shares and less, or a number. */
static bool parse_groups(const char *text, size_t n, size_t *groups)
{
    size_t factor = 1, value = 1;
    bool led = *text != 'N';
    if (led && !take_number(&text, &factor))
        return false;
    if (led && *text == '\0') {
        *groups = factor;
        return true;
    }
    if (*text++ != 'N')
        return false;
    char sign = *text;
    if (sign == '\0') {
        *groups = n;
        return !led;
    }
    text++;
    if ((sign != '/' && (sign != '-' || led)) || !take_number(&text, &value) || *text != '\0')
        return false;
    *groups = sign == '/' ? n * factor / value : n > value ? n - value : 1;
    return true;
}

enum cb_status cb_groups_parse(const char *text, size_t n, size_t *groups, struct cb_err *err)
{
    size_t value;
    if (!text || !parse_groups(text, n, &value))
        return cb_fail(err, CB_USAGE,
                       "groups: expected a number from 1, N, N/K, KN/L or N-K, got \"%s\"",
                       text ? text : "");
    if (n == 0)
        return CB_OK;
    *groups = value ? value : 1;
    if (*groups > n)
        return cb_fail(err, CB_UNSUPPORTED,
                       "%zu workgroups asked for, but only %zu run at once: they could not start "
                       "together",
                       *groups, n);
    return CB_OK;
}
