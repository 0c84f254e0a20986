/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of multitask.
 */
#include "apps/host/run.h"
#include "probes/multitask/effort.h"
#include "probes/multitask/plan.h"
#include "probes/multitask/policies/policy.h"
#include "probes/multitask/tasks.h"

#define OPTION(name, member) CB_OPTION(struct cb_multitask_options, name, member)

const struct cb_param cb_multitask_params[] = {
    {OPTION("workload", app.workloads), .letter = 'w', .default_value = "light,medium,heavy",
     .value_name = "WORKLOAD",
     .help = "Tasks: light (every 70 ms, 3 ms long), medium (40, 3), heavy (40, 10), a JSON file "
             "with a period and a duration, or none (only what the runtime costs).",
     .quick = "light,heavy"},
    {OPTION("app", app.apps), .letter = 'a', .default_value = "all", .value_name = "APP",
     .help = "Cooperative kernels: apps, as in bfs,game, or all but those that only measure the "
             "runtime; 'coopbench list apps' tells what there is." CB_APP_SETUP_HELP},
    CB_APP_KERNEL_PARAM(struct cb_multitask_options),
    CB_APP_SETUP_PARAM(struct cb_multitask_options),
    CB_APP_INPUT_PARAM(struct cb_multitask_options),
    CB_APP_SCALE_PARAM(struct cb_multitask_options),
    CB_APP_VARIANT_PARAM(struct cb_multitask_options, CB_LIST_NONE),
    {OPTION("matrix", matrix),
     .help = "All inputs of the apps, not only the first; --tasks, --budget, --gather-tasks and "
             "--runs are then chosen so that all takes a quarter of an hour on a GPU, and with "
             "--scale tiny less than five on two CPU cores. Means --full, too.",
     .full = true},
    {OPTION("groups", app.groups), .default_value = "1,N/4,N/2,N-1", .value_name = "GROUPS",
     .help = "Workgroups of a task: a number, N (all that the cooperative kernel may have: only "
             "with --semantics whole), a part of N (N/4, 3N/4), all but some (N-1), or fewest: the "
             "fewest of 1, N/4, N/2, N-1 with which a few tasks on trial are answered in time.",
     .quick = "fewest"},
    {OPTION("barrier", barriers), .letter = 'b', .default_value = "regular,query,atomic",
     .choices = CB_APP_RESIZING_CHOICES,
     .help = "Resizing barriers." CB_APP_RESIZING_SENTENCES " Apps without any ignore it.",
     .quick = "atomic"},
    {OPTION("semantics", semantics), .default_value = "highest",
     .choices = CB_APP_SEMANTICS_CHOICES,
     .help = "Which workgroups may leave and come." CB_APP_SEMANTICS_SENTENCES},
    {OPTION("tasks", tasks), .min = 1, .max = 100000,
     .help = "Tasks of a run, if they do not take too long (--budget). Without it: 25, in a matrix "
             "on a GPU 100; where a task has one workgroup, on a GPU 2 in each of three runs, and "
             "in a matrix 1 (CPU: 2)."},
    {OPTION("budget", budget_s), .min = 0.01, .max = 3600, .value_name = "S",
     .help = "A run submits no more tasks after so many seconds, if the app has ended once beside "
             "them: tasks of one workgroup may take that long. Without it: 0.5 (CPU: 2); in a "
             "matrix 0.2 (0.05)."},
    {OPTION("gather-tasks", gather_tasks), .max = 100000,
     .help = "Further tasks of a run, which are over at once and come every millisecond, for the "
             "gather time alone. Without it: 40, in a matrix 60, and more where there are fewer "
             "runs (CPU: none)."},
    {OPTION("app-runs", app_runs), .min = 1, .max = 1000, .value_name = "RUNS",
     .help = "Runs of the app beside the tasks of a run, and alone, at least; then --tasks and "
             "--budget may be exceeded. Without it: 1, in a matrix on a GPU so many that a case "
             "has ten, as the paper's."},
    {OPTION("task", app.tasks), .default_value = CB_DEFAULT_TASK, .value_name = "TASK",
     .help = "What tasks do, each in cases of its own. Of a size that takes the workload's "
             "duration: matmul, a matrix product; reduce, the sum of an array, which waits for "
             "memory where the product computes. Or kernels of yours: blur.cl with --setup, or its "
             "setup, ./blur.json (docs/cooperative-kernels.md), which has a period, so that "
             "--workload has no effect on it."},
    {OPTION("workgroups", app.workgroups), .min = 2, .max = 4094,
     .help = "Most workgroups of the cooperative kernel, N; without it as many as run at once, but "
             "one for the scheduler."},
    {OPTION("wg-size", app.wg_size), .min = 1, .max = 65536,
     .help = "Work-items a workgroup; without it, what suits the app."},
    {OPTION("channel", app.channel), .default_value = "auto", .choices = "auto,svm,queue",
     .help = "How the host reaches the running kernel: svm (fine-grained shared memory), queue "
             "(copies on a second queue)."},
    {OPTION("trace", app.trace), .value_name = "FOLDER",
     .help = "Trace the runs with tasks, check each trace against the semantics' rules, and write "
             "the last of each case to FOLDER: CASE.json for Perfetto or chrome://tracing, "
             "CASE.tsv for 'plot'. With --together a run more, in which workgroups go from one app "
             "to the other and back."},
    {OPTION("trace-events", trace_events), .default_value = "4096", .min = 16, .max = 1048576,
     .help = "Events of each workgroup that a trace holds; it ends when the first has so many. "
             "Without --trace, for what a trace costs."},
    {OPTION("power", power),
     .help = "Measure the power, too, where the device tells it ('coopbench throttle --help'): of "
             "the app alone, for 1.5 s more in each run, and beside the tasks, for which a "
             "--budget of 2 is enough. With --together: while both run."},
    {OPTION("gather-deadline", gather_deadline_s), .default_value = "5", .min = 0.001, .max = 600,
     .value_name = "S",
     .help = "A task whose workgroups have not come together by then makes a row 'timeout'."},
    {OPTION("task-deadline", task_deadline_s), .default_value = "10", .min = 0.001, .max = 600,
     .value_name = "S",
     .help = "A task of yours that has not ended so long after it came makes a row 'timeout', too, "
             "and its process is ended."},
    {OPTION("on-timeout", on_timeout), .default_value = "go-on", .choices = "go-on,give-up",
     .help = "What the kernel beside a task does when the task passes --task-deadline, before the "
             "process is ended. go-on: it ends once more, without the task's workgroups; give-up: "
             "it is stopped at once."},
    {OPTION("together", together),
     .help = "Instead of tasks: each pair of the apps in one megakernel, and a policy that shares "
             "the workgroups out among them while they run. With --matrix all pairs of all apps."},
    {OPTION("policy", policies), .default_value = "fixed,learned", .choices = CB_POLICY_CHOICES,
     .help = "With --together." CB_POLICY_HELP},
    {OPTION("share", shares), .default_value = "N/2", .value_name = "GROUPS",
     .help = "Workgroups of the first app by the policy fixed, as --groups says them."},
    {OPTION("app-deadline", app_deadline_s), .min = 1e-6, .max = 3600, .value_name = "S",
     .help = "Of a run of the first app, for the policy deadline; without it, twice what it takes "
             "alone."},
    {OPTION("app-rate", app_rate_per_s), .min = 1e-6, .max = 1e9, .value_name = "RUNS_PER_S",
     .help = "Runs a second of the first app, for the policy energy; without it, half of what it "
             "does alone."},
    {OPTION("registers", registers), .min = 16, .max = 255,
     .help = "With --together: of a work-item, at most, on NVIDIA's GPUs (without it, 64): with "
             "fewer, more workgroups run at once; with more, each is faster."},
    {OPTION("progress-deadline", progress_deadline_s), .default_value = "5", .min = 0.01,
     .max = 600, .value_name = "S",
     .help =
         "An app that has ended no run for so long makes a row 'timeout': a policy starves it."},
    {OPTION("beside", beside), .value_name = "APP",
     .help = "A second app in the same megakernel, with its first input or that of --input "
             "APP=..., or the setup of a kernel of yours: tasks come beside both, and take from "
             "both. Or what --beside of other commands takes."},
    {0},
};

#define FIELD(key, member) CB_FIELD(struct cb_multitask_case, key, member)

#define APP_FIELDS                                                                                 \
    CB_APP_NAME_FIELDS(struct cb_multitask_case), CB_APP_KERNEL_FIELDS(struct cb_multitask_case),  \
        FIELD("semantics", app.semantics), FIELD("beside", beside),                                \
        FIELD("beside_input", beside_input), FIELD("alone_wg_size", alone_wg_size),                \
        FIELD("beside_wg_size", beside_wg_size)
#define POLICY_FIELDS                                                                              \
    FIELD("policy", policy), FIELD("share", share), FIELD("app-deadline", app_deadline_s),         \
        FIELD("app-rate", app_rate_per_s), FIELD("progress-deadline", progress_deadline_s),        \
        FIELD("registers", registers)

const struct cb_field cb_multitask_fields[] = {
    APP_FIELDS,
    FIELD("trace-events", trace_events),
    FIELD("turns", turns),
    FIELD("workload", workload),
    FIELD("period_ns", period_ns),
    FIELD("arrivals", arrivals),
    FIELD("deadline_ns", deadline_ns),
    FIELD("duration_ns", duration_ns),
    FIELD("groups", groups),
    FIELD("task", app.task),
    FIELD("tasks", tasks),
    FIELD("budget_s", budget_s),
    FIELD("gather-tasks", gather_tasks),
    FIELD("app-runs", app_runs),
    FIELD("gather-deadline", gather_deadline_s),
    FIELD("task-deadline", task_deadline_s),
    FIELD("on-timeout", on_timeout),
    FIELD("trace", app.trace),
    FIELD("power", power),
    POLICY_FIELDS,
    {0},
};

/* As the cases of --together have always had them. */
const struct cb_field cb_together_fields[] = {
    APP_FIELDS,
    POLICY_FIELDS,
    FIELD("trace", app.trace),
    FIELD("trace-events", trace_events),
    FIELD("power", power),
    FIELD("budget_s", budget_s),
    {0},
};
