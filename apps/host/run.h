/* SPDX-License-Identifier: Apache-2.0
 *
 * For benches that run apps, in a worker process: inputs, execution modes, and one run that is
 * checked.
 *
 *     cb_app_open_input(session, app, "grid:60x60", &on, err);
 *     cb_app_open_mode(&on, &config, &coop, err);
 *     cb_app_run_alone(&on, coop, groups, &time, sample, err);     any number of times
 *     cb_coop_close(coop);
 *     cb_app_close_input(&on);
 */
#pragma once

#include "apps/host/app.h"
#include "runtime/coop/coop.h"

/* A mode of apps that have one, without the cooperative runtime. */
#define CB_APP_BASELINE (COOP_COOPERATIVE + 1)
#define CB_APP_MODES    (CB_APP_BASELINE + 1)

/* "multikernel", ...: by COOP_MULTIKERNEL, ..., and "baseline". */
extern const char *const cb_app_modes[CB_APP_MODES];

unsigned cb_app_mode_of(const char *name);

/* The resizing barriers: their names by COOP_REGULAR, ..., all of them as the choices of an option,
 * and what they are as a sentence each. */
#define CB_APP_RESIZING_ONE(value, name, what)      +1
#define CB_APP_RESIZING_CHOICE(value, name, what)   "," name
#define CB_APP_RESIZING_SENTENCE(value, name, what) " " name ": " what "."
#define CB_APP_RESIZINGS                            (0 COOP_RESIZING_BARRIERS(CB_APP_RESIZING_ONE))
#define CB_APP_RESIZING_CHOICES                     (&(COOP_RESIZING_BARRIERS(CB_APP_RESIZING_CHOICE))[1])
#define CB_APP_RESIZING_SENTENCES                   COOP_RESIZING_BARRIERS(CB_APP_RESIZING_SENTENCE)
extern const char *const cb_app_resizings[CB_APP_RESIZINGS];

/* COOP_REGULAR, ... for the resizing barrier called name; COOP_QUERY for "none". */
unsigned cb_app_resizing_of(const char *name);

/* The semantics, as the resizing barriers above. */
#define CB_APP_SEMANTICS           (0 COOP_SEMANTICS_ALL(CB_APP_RESIZING_ONE))
#define CB_APP_SEMANTICS_CHOICES   (&(COOP_SEMANTICS_ALL(CB_APP_RESIZING_CHOICE))[1])
#define CB_APP_SEMANTICS_SENTENCES COOP_SEMANTICS_ALL(CB_APP_RESIZING_SENTENCE)
extern const char *const cb_app_semantics[CB_APP_SEMANTICS];

/* COOP_HIGHEST, ... for the semantics called name; COOP_HIGHEST for "". */
unsigned cb_app_semantics_of(const char *name);

/* An app with an open input. */
struct cb_app_instance {
    struct cb_session *session;
    const struct cb_app *app;
    void *state;                          /* state of app->open() */
    const struct cb_app_instance *beside; /* the next in the same megakernel; NULL: none */
};

/* Why apps cannot be in one megakernel; NULL: they can. */
const char *cb_app_cannot_be_beside(const struct cb_app *app);

/* Why an app cannot have the semantics of a configuration, as the rest of a sentence; NULL: it can.
 */
const char *cb_app_cannot_have(const struct cb_app *app, const struct cb_coop_config *config);

/* Workgroups that an input is opened for: as many as there can be, and one more. */
size_t cb_app_room(const struct cb_session *session);

/* Opens an input for as many workgroups as it has room for, in a rehearsal a tiny one. Large inputs
 * take seconds to make. Close it also after a failure. */
enum cb_status cb_app_open_input(struct cb_session *session, const struct cb_app *app,
                                 const char *input, struct cb_app_instance *on, struct cb_err *err);
void cb_app_close_input(struct cb_app_instance *on);

/* Opens one for so many workgroups: of a kernel that moves, the most that any of its devices has
 * room for, since where things lie in buffers may depend on it. */
enum cb_status cb_app_open_input_for(struct cb_session *session, const struct cb_app *app,
                                     const char *input, size_t room, struct cb_app_instance *on,
                                     struct cb_err *err);

/* Builds the app's kernel for config->mode, config->wg_size, ... (config->path NULL: the app's own)
 * and sets its arguments. Close it also after a failure: it may be NULL. */
enum cb_status cb_app_open_mode(const struct cb_app_instance *on,
                                const struct cb_coop_config *config, struct cb_coop **coop,
                                struct cb_err *err);

/* Tries a mode like cb_app_open_mode(), but an error for want of room says no more than the driver
 * (fit.h). */
enum cb_status cb_app_try_mode(const struct cb_app_instance *on,
                               const struct cb_coop_config *config, struct cb_coop **coop,
                               struct cb_err *err);

/* Builds the kernels of its baseline. In a rehearsal it runs once. Close it also after a failure.
 */
enum cb_status cb_app_open_baseline(const struct cb_app_instance *on, size_t wg_size,
                                    struct cb_steps *steps, struct cb_err *err);

/* One run of it, and its check; both times are the host's. */
enum cb_status cb_app_run_baseline(const struct cb_app_instance *on, struct cb_steps *steps,
                                   struct cb_coop_time *time, struct cb_sample *sample,
                                   struct cb_err *err);

/* How many workgroups of this kernel run at once, in portable or cooperative mode. Searched for
 * once in a session: a search takes tens of milliseconds, and on a busy CPU not all find as many.
 */
enum cb_status cb_app_find_workers(const struct cb_app_instance *on,
                                   const struct cb_coop_config *config, size_t *workers,
                                   struct cb_err *err);

/* The next smaller number that may run at once on a device of so many compute units, where each
 * holds one workgroup less; 0: none. */
size_t cb_app_fewer_groups(size_t groups, size_t units);

/* Lowers *groups, as many as run at once of the portable kernel, to as many as this specialised one
 * ends with: it cannot find out by itself, and the compiler may give it more registers. As in the
 * paper, by trial and error (OOPSLA'16 Section 5.3). GPUs only: on CPUs each thread runs one.
 * CB_TIMEOUT: with none. */
enum cb_status cb_app_fit_groups(const struct cb_app_instance *on, struct cb_coop *coop,
                                 size_t *groups, struct cb_err *err);

/* Makes it, and the others in its megakernel, ready for a launch. */
enum cb_status cb_app_clear_all(const struct cb_app_instance *on, struct cb_err *err);

/* Checks what so many runs of it did, the last of which was this kernel's. */
enum cb_status cb_app_check(const struct cb_app_instance *on, const struct cb_coop *coop,
                            unsigned runs, struct cb_sample *sample, struct cb_err *err);

/* As cb_app_check(), of several in a megakernel: a failure says of which it is. */
enum cb_status cb_app_check_one(const struct cb_app_instance *on, const struct cb_coop *coop,
                                unsigned runs, struct cb_sample *sample, struct cb_err *err);

/* After the megakernel's end: checks what an app did in it as that kernel, if it has begun. runs:
 * of it. */
enum cb_status cb_app_check_kernel(const struct cb_app_instance *on, struct cb_coop *coop,
                                   unsigned kernel, unsigned *runs, struct cb_sample *sample,
                                   struct cb_err *err);

/* One run with no task beside it, and its check. */
enum cb_status cb_app_run_alone(const struct cb_app_instance *on, struct cb_coop *coop,
                                size_t groups, struct cb_coop_time *time, struct cb_sample *sample,
                                struct cb_err *err);
