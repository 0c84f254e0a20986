/* SPDX-License-Identifier: Apache-2.0
 *
 * --together: two apps in one megakernel (runtime/coop/together.h), each run again and again, and a
 * policy that shares the workgroups out among them while they run.
 */
#pragma once

#include "analysis/documents/findings.h"
#include "apps/host/case.h"
#include "probes/multitask/plan.h"
#include "probes/multitask/policies/policy.h"

/* The windows of policies in their order, in each sample from its start of both apps on: what
 * plots/together_share.gp draws. */
#define CB_TOGETHER_WINDOWS                                                                        \
    {"window_begin", "ns", CB_NEITHER, false, "windows of the policy, and of each:"},              \
        {"window_end", "ns", CB_NEITHER, false, "both from when the two apps began"},              \
        {"window_settled", "1", CB_NEITHER, false, "1: the policy has settled; its last"},         \
        {"window_app_groups", "workgroups", CB_NEITHER, false, "of the app, by the policy"},       \
        {"window_beside_groups", "workgroups", CB_NEITHER, false, "of the other app"},             \
        {"window_app_rate", "1/s", CB_NEITHER, false, "runs of the app in a second"},              \
    {                                                                                              \
        "window_beside_rate", "1/s", CB_NEITHER, false, "runs of the other app"                    \
    }

/* Adds the cases. CB_USAGE: a share or an app that cannot be. */
enum cb_status cb_together_plan(struct cb_plan *plan, const struct cb_multitask_options *options,
                                struct cb_err *err);

/* Whether parameters are of such a case. */
bool cb_together_is(const struct cb_multitask_case *params);

/* CB_USAGE: the option's app cannot be in a megakernel with another. */
enum cb_status cb_together_check(const char *option, const struct cb_app *app, struct cb_err *err);

/* The app of --beside; NULL: none is named. CB_USAGE: there is none, or it cannot be. */
enum cb_status cb_together_beside(const char *name, const struct cb_app **beside,
                                  struct cb_err *err);

/* The first input of an app, by the options. */
void cb_together_first_input(const struct cb_app_options *options, const struct cb_app *app,
                             const struct cb_device *device, struct cb_app_choice *input);

/* Gives a case, which has the parameters of its app, the other one with its input, and work-items
 * that suit both. */
void cb_together_set(struct cb_multitask_case *params, const struct cb_app_options *options,
                     const struct cb_app *app, const struct cb_app *other,
                     const struct cb_app_choice *input, const struct cb_device *device);

/* Opens the other app's input, if parameters name one; else on->app stays NULL. */
enum cb_status cb_together_open_beside(struct cb_session *session,
                                       const struct cb_multitask_case *params,
                                       struct cb_app_instance *on, struct cb_err *err);

struct cb_together;

/* on: the first app's. Close it also after a failure. */
enum cb_status cb_together_open(const struct cb_app_instance *on,
                                const struct cb_multitask_case *params,
                                struct cb_together **together, struct cb_err *err);
void cb_together_close(struct cb_together *together);

/* Each alone, one after the other, then both. */
enum cb_status cb_together_sample(struct cb_together *together, struct cb_sample *sample,
                                  struct cb_err *err);

/* A table of the pairs of a device, and what they say; nothing if there are none. */
void cb_together_report(FILE *out, const struct cb_rows *of_device);
void cb_together_find(struct cb_findings *findings);

/* Data of plots/together_stp.gp, and of plots/together_share.gp. */
int cb_together_figure(FILE *out, cJSON *const *runs, int n);
int cb_together_shares(FILE *out, cJSON *const *runs, int n);
