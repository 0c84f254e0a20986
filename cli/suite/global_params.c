/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/global_params.h"

#include "cli/suite/beside.h"

#define OPTION(name, member) CB_OPTION(struct cb_run_options, name, member)

const struct cb_param cb_global_params[] = {
    CB_HELP_PARAM,
    {OPTION("device", devices), .letter = 'd', .value_name = "DEVICE",
     .help =
         "Devices to measure: all, gpu, cpu, accelerator, P:D (platform:device), name:TEXT, "
         "pci:ADDRESS or uuid:ID, as 'coopbench list devices' shows them; GPU-849c... or "
         "00000000:41:00.0, as nvidia-smi does. Without it: the first GPU, else the first CPU."},
    {OPTION("gpu", gpu), .help = "The first GPU: short for --device gpu."},
    {OPTION("cpu", cpu), .help = "The first CPU: short for --device cpu."},
    {OPTION("cpu-workgroups", cpu_workgroups), .min = 1, .max = 1024,
     .help = "Threads of a PoCL CPU device, which are the workgroups that it runs at once. Without "
             "it: 8, however many cores there are, unless POCL_MAX_PTHREAD_COUNT or "
             "POCL_CPU_MAX_CU_COUNT is set."},
    {OPTION("atomics", atomics), .default_value = "auto", .choices = "auto,c11,ptx,cl12",
     .help = "Atomic operations of the kernels: C11 (OpenCL 2.0), inline PTX (NVIDIA) or OpenCL "
             "1.2; auto takes the best that the device has."},
    {OPTION("clock", clock), .default_value = "auto", .choices = "auto,none",
     .help = "Clock that kernels read; none pretends that the device has no clock."},
    {OPTION("filter", filters), .letter = 'f', .list = CB_LIST_REPEAT, .value_name = "GLOB",
     .help = "Measure only the cases whose id matches this glob; --dry-run shows the ids. May be "
             "given several times: any of them."},
    {OPTION("exclude", excludes), .letter = 'x', .list = CB_LIST_REPEAT, .value_name = "GLOB",
     .help = "Leave out the cases whose id matches this glob; several times as well."},
    {OPTION("dry-run", dry_run), .help = "Print the planned cases and measure nothing."},
    {OPTION("full", full),
     .help = "Measure everything, as often as precise numbers need. Without it: an answer in about "
             "a minute. Options that are given hold in both. Entries of a suite are full, but with "
             "\"full\": false."},
    {OPTION("originals", originals), .value_name = "FOLDER",
     .help = "Where benchmarks run apps: a folder with the papers' own graphs (USA-road-d.W.gr, "
             "ecology1.mtx, ...; docs/graphs.md). Those that are there replace the apps' inputs "
             "that stand for them, and are called 'original'."},
    {OPTION("runs", runs), .min = 1, .max = 1000000,
     .help = "Samples per case: exactly so many with --stop count, else at least. Without it: the "
             "benchmark's own number."},
    {OPTION("warmup", warmup), .max = 100000,
     .help = "Runs of each case before its first sample: checked, but not kept."},
    {OPTION("stop", stop), .choices = "count,ci,time",
     .help = "When a case has enough samples: after --runs of them (count), when the median is "
             "known to --max-rci (ci), or when --max-time is over (time)."},
    {OPTION("max-rci", max_rci_percent), .min = 0.01, .max = 100, .value_name = "PERCENT",
     .help = "With --stop ci: half-width of the 95 % confidence interval of the median, in percent "
             "of the median."},
    {OPTION("max-runs", max_runs), .min = 1, .max = 1000000,
     .help = "With --stop ci or time: samples per case at most."},
    {OPTION("max-time", max_time_s), .min = 0.01, .max = 86400, .value_name = "SECONDS",
     .help = "With --stop ci or time: time for the samples of one case."},
    {OPTION("order", order), .default_value = "random", .choices = "random,listed",
     .help = "Order of the cases; random keeps a drift of the machine from looking like an effect "
             "of a parameter."},
    {OPTION("seed", seed), .help = "Seed of everything random, to repeat a run. Without it: drawn "
                                   "from the clock. It is always recorded."},
    {OPTION("wait-deadline", wait_deadline_ms), .min = 1, .max = 60000, .value_name = "MS",
     .help = "Longest wait inside a kernel, in milliseconds, before it is given up; in apps and "
             "megakernels only if all workgroups wait, which takes as long again. The time that "
             "others have a GPU does not count. Without it: 200; on CPU devices, where others may "
             "have the cores meanwhile, 1000."},
    {OPTION("run-deadline", run_deadline_s), .min = 0.1, .max = 3600, .value_name = "SECONDS",
     .help = "A run that takes longer loses its worker process. Without it: the benchmark's own; "
             "apps lowers that once it is known how long such runs take."},
    {OPTION("max-kills", max_kills), .default_value = "3", .min = 1, .max = 1000,
     .help = "Workers that a device may lose before its remaining cases are skipped."},
    {OPTION("shared", shared), .choices = "warn,wait,refuse,ignore",
     .help = "While another program uses the device: measure, mark what it disturbed and conclude "
             "nothing from it (warn); let cases wait until the device is quiet, or skip them after "
             "--shared-deadline (wait); skip them at once (refuse); do not look (ignore). Without "
             "it: $COOPBENCH_SHARED, else warn."},
    {OPTION("shared-deadline", shared_deadline_s), .default_value = "600", .min = 1, .max = 86400,
     .value_name = "SECONDS",
     .help = "With --shared wait: how long cases wait for a quiet device, all of them together."},
    {OPTION("beside", besides), .value_name = "WHAT", .help = cb_beside_help},
    {OPTION("output-dir", output_dir), .letter = 'o', .default_value = "results",
     .value_name = "DIR", .help = "Folder that gets one folder of results for each call."},
    {OPTION("run-id", run_id), .value_name = "ID",
     .help = "Name of the results' folder. Without it: made of date, time and host."},
    {OPTION("rounds", rounds), .min = 2, .max = 1000,
     .help = "Measure everything so many times, each in processes of its own (--runs samples in "
             "each), as one run: processes differ by more than samples of one do, and only that "
             "shows by how much. With --interleave: 10 without it."},
    {OPTION("interleave", interleave), .value_name = "FILE",
     .help = "Let another build's coopbench take turns with this one, round by round: a machine "
             "that drifts then looks like a change of neither. Results go to ID-a (FILE) and ID-b "
             "(this one), for 'coopbench compare --baseline ID-a ID-b'. Two files: these. A script "
             "may stand for a build with other environment variables."},
    {OPTION("resume", resume), .value_name = "RUN",
     .help = "Complete a run that was interrupted, or in which cases failed: a results folder, or "
             "latest. Its finished cases are kept, the others run; options, devices, drivers, "
             "program and kernels must be the same."},
    {OPTION("label", labels), .value_name = "K=V",
     .help = "Notes for the results, such as driver=beta; copied, not interpreted."},
    {OPTION("no-profile", no_profile),
     .help = "Neither read nor write the devices' profiles, where benchmarks keep what they have "
             "learnt about a device."},
    {OPTION("no-cache", no_cache),
     .help = "Take no kernels that an earlier run has kept, keep none, and build none before the "
             "run. The driver's own cache stays as it is."},
    CB_OUTPUT_PARAM(struct cb_run_options, json, "the results as JSON"),
    CB_OUTPUT_PARAM(struct cb_run_options, csv, "the rows as CSV"),
    {OPTION("quiet", quiet), .letter = 'q', .help = "Print errors only."},
    {OPTION("progress", progress), .default_value = "auto", .choices = "auto,bar,lines,none",
     .help = "Progress on standard error: a bar, a line per finished case, or none; auto draws a "
             "bar on a terminal, with the rows that are measured above it."},
    {0},
};
