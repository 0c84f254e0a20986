/* SPDX-License-Identifier: Apache-2.0
 *
 *     weak_kernels [--full | --quick] [--right] [--sites] [--show NUMBER] [PROGRAM...]
 *
 * Runs structures of kernels/, apps and benchmarks on weak memory: first as they are, all of which
 * has to hold, then with each order of memory weaker than it is, one at a time. Then some program
 * has to fail, or the order is one of those that reasons.h gives a reason for. PROGRAM: those whose
 * names begin so; orders are checked by them alone. --right: only as they are. --show: what happens
 * in the failure of a row. --sites: where orders were run. WEAK_LISTS: the lists of programs
 * (programs.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "programs.h"
#include "reasons.h"
#include "sites.h"

#define MOST_PROGRAMS 128u

static const weak_program *const lists[] = {WEAK_LISTS};

static const weak_program *programs[MOST_PROGRAMS];
static unsigned program_count;
static bool uses[MOST_PROGRAMS][WEAK_MOST_SITES];

static struct {
    unsigned long runs, limit; /* random executions, then all up to the limit */
    unsigned long right_limit, deviations;
} effort = {300, 2000, 4000, 1000};

static unsigned wrong;

static void find_programs(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const weak_program *p = lists[i]; p->name; p++) {
            bool named = argc == 0;
            for (int a = 0; a < argc; a++)
                named |= !strncmp(p->name, argv[a], strlen(argv[a]));
            if (named)
                programs[program_count++] = p;
        }
}

/* ---- As they are ----------------------------------------------------------------------------- */

static const char *bound_of(weak_result r)
{
    return r.complete && !r.cut ? "all executions" : r.complete ? "all, turns bounded" : "some";
}

static void print_right(const weak_program *p, weak_result r, const char *bound)
{
    wrong += r.failure != NULL;
    printf("%-34s %-20s %8lu executions, %8lu others, %5u choices: %s\n", p->name,
           weak_polls_acquire() ? "polls acquire" : "", r.seen, r.others, r.deepest,
           r.failure ? r.failure : bound);
    if (r.failure)
        weak_show_failure(p);
}

static void check_right(unsigned index)
{
    const weak_program *p = programs[index];
    weak_result r = {NULL};
    if (p->random_only) {
        r = weak_deviate(p, 1, effort.deviations);
        print_right(p, r, r.complete ? "all with one deviation" : "some with one deviation");
    }
    if (!r.failure)
        r = weak_random(p, effort.runs, 1);
    if (!r.failure && !p->random_only)
        r = weak_explore(p, effort.right_limit);
    print_right(p, r, bound_of(r));
    for (unsigned s = 0; s < weak_site_count(); s++)
        uses[index][s] |= weak_site_was_used(s);
}

static void check_all_right(void)
{
    for (unsigned i = 0; i < program_count; i++) {
        weak_let_polls_acquire(false);
        weak_has_polled();
        check_right(i);
        weak_let_polls_acquire(true);
        if (weak_has_polled())
            check_right(i);
    }
}

/* Where an order was run, and by which program first. */
static void list_site(unsigned site)
{
    const weak_site *s = weak_site_at(site);
    for (unsigned i = 0; i < program_count; i++)
        if (uses[i][site]) {
            printf("site %s:%d %s %s %s\n", s->file, s->line, s->name, s->function,
                   programs[i]->name);
            return;
        }
}

/* ---- With an order less ---------------------------------------------------------------------- */

static const char *order_name(int order)
{
    return order == WEAK_ACQUIRE ? "acquire" : "release";
}

static const weak_reason *reason_for(const weak_site *s, int order)
{
    for (const weak_reason *r = weak_reasons; r->file; r++)
        if (!strcmp(r->file, s->file) && !strcmp(r->function, s->function) &&
            !strcmp(r->name, s->name) && r->order == order)
            return r;
    return NULL;
}

/* The program that fails without it, or NULL. */
static const weak_program *find_failure(unsigned site, weak_result *r)
{
    for (unsigned i = 0; i < program_count; i++) {
        if (!uses[i][site])
            continue;
        *r = weak_random(programs[i], effort.runs, 1);
        if (!r->failure && !programs[i]->random_only)
            *r = weak_explore(programs[i], effort.limit);
        if (r->failure)
            return programs[i];
    }
    return NULL;
}

static void check_order(unsigned site, int order, unsigned row, unsigned shown)
{
    const weak_site *s = weak_site_at(site);
    weak_result r = {NULL};
    char place[96];
    snprintf(place, sizeof place, "%s:%d", s->file, s->line);
    weak_let_polls_acquire(strstr(s->name, "_poll") && !strstr(s->name, "polled"));
    weak_drop(site, order);
    const weak_program *p = find_failure(site, &r);
    const weak_reason *reason = reason_for(s, order);
    printf("%3u %-40s %-24s %s: ", row, place, s->name, order_name(order));
    if (p)
        printf("needed (%s: %s)%s\n", p->name, r.failure,
               reason && !reason->rare ? ", but it has a reason" : "");
    else
        printf("not needed: %s\n", reason ? reason->reason : "UNEXPLAINED");
    wrong += p ? reason && !reason->rare : !reason;
    if (p && row == shown)
        weak_show_failure(p);
    weak_drop(0, 0);
}

/* Those of kernels/ that apps use are judged by the programs of kernels/. */
static bool is_judged(const weak_site *s)
{
#ifdef WEAK_APPS
    return strncmp(s->file, "kernels/", strlen("kernels/")) != 0;
#else
    (void)s;
    return true;
#endif
}

static unsigned check_orders(unsigned shown)
{
    unsigned row = 0;
    for (unsigned s = 0; s < weak_site_count(); s++)
        for (int order = WEAK_ACQUIRE; is_judged(weak_site_at(s)) && order <= WEAK_RELEASE; order++)
            if (weak_site_at(s)->orders & order)
                check_order(s, order, ++row, shown);
    return row;
}

int main(int argc, char **argv)
{
    unsigned shown = 0, rows = 0;
    bool only_right = false, lists_sites = false;
    for (argc--, argv++; argc > 0 && !strncmp(*argv, "--", 2); argc--, argv++) {
        if (!strcmp(*argv, "--full"))
            effort.runs *= 10, effort.limit *= 30, effort.right_limit *= 250,
                effort.deviations *= 100;
        else if (!strcmp(*argv, "--quick"))
            effort.runs /= 10, effort.deviations /= 50;
        else if (!strcmp(*argv, "--right"))
            only_right = true;
        else if (!strcmp(*argv, "--sites"))
            lists_sites = true;
        else if (!strcmp(*argv, "--show") && argc > 1)
            shown = (unsigned)atoi(*++argv), argc--;
        else
            return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    find_programs(argc, argv);
    check_all_right();
    for (unsigned i = 0; lists_sites && i < weak_site_count(); i++)
        list_site(i);
    if (!only_right)
        rows = check_orders(shown);
    printf("%u programs, %u orders of memory, %u wrong\n", program_count, rows, wrong);
    return wrong > 0 || program_count == 0;
}
