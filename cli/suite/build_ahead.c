/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/build_ahead.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/param.h"
#include "measure/process/ahead.h"
#include "runtime/cache.h"

#define CLEAR_LINE "\r\033[K"

/* Without a folder for them, kernels are built anew by each run: slower, but as good. */
static void open_cache(bool wanted, bool quiet)
{
    struct cb_err err = {0};
    if (wanted && cb_cache_open(&err) == CB_OK)
        return;
    if (wanted && !quiet)
        fprintf(stderr, "Note: built kernels are not kept for later runs: %s\n", err.text);
    setenv("COOPBENCH_NO_CACHE", "1", 1); /* for the workers */
}

static void draw_bar(void *self, int done, int n)
{
    (void)self;
    fprintf(stderr, CLEAR_LINE "Building kernels: %d of %d", done, n);
    if (done == n)
        fputs(CLEAR_LINE, stderr);
    fflush(stderr);
}

static void print_line(void *self, int done, int n)
{
    (void)self;
    if (done == 0)
        fprintf(stderr, "Building %d sets of kernels before the run\n", n);
}

static void print_nothing(void *self, int done, int n)
{
    (void)self;
    (void)done;
    (void)n;
}

void cb_suite_build_ahead(const struct cb_run_options *options,
                          const struct cb_supervisor *supervisor, const struct cb_plan *plan,
                          const struct cb_devices *devices)
{
    bool quiet = options->quiet;
    const char *style = options->progress;
    bool bar = strcmp(style, "bar") == 0 || (strcmp(style, "auto") == 0 && isatty(STDERR_FILENO));
    const struct cb_ahead_observer observer = {NULL, quiet ? print_nothing
                                                     : bar ? draw_bar
                                                           : print_line};
    open_cache(!options->no_cache && !getenv("COOPBENCH_NO_CACHE"), quiet);
    cb_build_ahead(cb_supervisor_settings(supervisor), plan, devices, &observer);
}
