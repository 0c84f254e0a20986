/* SPDX-License-Identifier: Apache-2.0
 *
 * discover --kernel: its cases, the text that is compiled, and what is said of made-up runs.
 */
#define BENCH "discover"
#include "findings_fixture.h"
#include "table_fixture.h"
#include "temp_folder.h"

#include "probes/discover/user_text.h"

static const struct cb_device gpu = {
    .id = "uuid:1", .name = "H200", .type = "gpu", .max_wg_size = 1024, .local_mem_bytes = 49152};

/* ---- Cases ----------------------------------------------------------------------------------- */

static void plans_of(const char *settings, const char *ids)
{
    char all[512];
    snprintf(all, sizeof all, "kernel=%s %s", path_of("k.cl"), settings);
    plans_ids(&gpu, all, ids);
}

TEST_WITH(sizes, make_folder, remove_folder)
{
    write_text("k.cl", "kernel void f(global int *a, local int *b) {}");
    plans_of("", "kernel/f/claims\nkernel/f/wg=32\nkernel/f/wg=64\nkernel/f/wg=128\n"
                 "kernel/f/wg=256\nkernel/f/wg=512\nkernel/f/wg=1024\n");
    plans_of("wg-sizes=7,100:200:100", "kernel/f/claims\nkernel/f/wg=7\nkernel/f/wg=100\n"
                                       "kernel/f/wg=200\n");
    plans_of("wg-sizes=none", "kernel/f/claims\n");
}

TEST_WITH(required_size, make_folder, remove_folder)
{
    write_text("k.cl", "kernel __attribute__((reqd_work_group_size(N, 2, 1))) void f() {}");
    plans_of("", "kernel/f/claims\nkernel/f/wg=required\n");
    plans_of("wg-sizes=64", "kernel/f/claims\nkernel/f/wg=64\n");
}

TEST_WITH(size_of_a_setup, make_folder, remove_folder)
{
    char settings[300];
    write_text("s.json", "{\"kernels\": {\"f\": {\"global\": [60, 60], \"local\": [6, 5], "
                         "\"period_ms\": 1, \"arguments\": {}}}}");
    snprintf(settings, sizeof settings, "setup=%s", path_of("s.json"));
    write_text("k.cl", "kernel void f() {}");
    plans_of(settings, "kernel/f/claims\nkernel/f/wg=32\nkernel/f/wg=64\nkernel/f/wg=128\n"
                       "kernel/f/wg=256\nkernel/f/wg=512\nkernel/f/wg=1024\nkernel/f/wg=30\n");
}

static void refuses_kernel(const char *name, const char *why)
{
    char settings[300];
    snprintf(settings, sizeof settings, "kernel=%s%s", path_of("k.cl"), name);
    struct cb_plan plan;
    struct cb_err err;
    assert_int_equal(plan_of(&gpu, settings, &plan, &err), CB_USAGE);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" is not in \"%s\"", why, err.text);
    cb_plan_free(&plan);
}

TEST_WITH(refused, make_folder, remove_folder)
{
    refuses_kernel("", "cannot read");
    write_text("k.cl", "kernel void first() {}\nkernel void second() {}");
    refuses_kernel("", "several kernels in it: give one as");
    refuses_kernel("", "there is first, second");
    refuses_kernel(":secnd", "(did you mean \"second\"?)");
    write_text("k.cl", "void first() {}");
    refuses_kernel("", "there is no kernel in it (one whose name only a macro makes");
}

/* ---- The text -------------------------------------------------------------------------------- */

/* The text of k.cl with the barrier, which the caller frees. */
static char *with_barrier(const char *options, struct cb_user_text *t, const char *local)
{
    struct cb_err err;
    char *text = NULL;
    if (cb_user_text_read(path_of("k.cl"), options, t, &err) != CB_OK ||
        cb_user_text_with_barrier(t, &local, local ? 1 : 0, &text, &err) != CB_OK)
        fail_msg("%s", err.text);
    return text;
}

TEST_WITH(text, make_folder, remove_folder)
{
    struct cb_user_text t;
    write_text("k.cl",
               "#define launch nonsense\nkernel void f(local int *b)\n{\n    b[0] = N;\n}\n");
    char *text = with_barrier(" -DN=4 -I a -D M -cl-mad-enable -DF(x)=x ", &t, "b");
    assert_string_equal(t.version, "");
    assert_non_null(strstr(t.text,
                           "// coopbench: build options -cl-mad-enable\n#line 1 \"the build "
                           "options\"\n#define N 4\n#define M 1\n#define F(x) x\n"
                           "#line 1 "));
    const char *ours = strstr(text, "cb_user_meets_coopbench"), *users = strstr(text, "nonsense");
    assert_true(ours && users && ours < users); /* so that no macro of theirs is in the way */
    assert_non_null(strstr(text, "kernel void f(__global cb_launch_coopbench *coopbench_launch, "
                                 "volatile __global cb_user_words_coopbench *coopbench_words, "
                                 "local int *b)\n{ if (cb_user_meets_coopbench(coopbench_launch, "
                                 "coopbench_words)) { coopbench_words->sizes[0] = "
                                 "(uint)((__local char *)(b + 1) - (__local char *)b); "
                                 "return; }\n    b[0] = N;\n}\n"));
    cb_user_text_free(&t);
    free(text);
}

/* Our names end in a way of their own, whatever the user calls theirs. */
TEST_WITH(names, make_folder, remove_folder)
{
    struct cb_user_text t;
    write_text("k.cl", "kernel void f() {}\n");
    char *text = with_barrier(NULL, &t, NULL);
    assert_string_equal(t.version, "");
    assert_null(strstr(text, "bool cb_user_meets("));
    assert_null(strstr(text, "typedef uint cb_u32;"));
    cb_user_text_free(&t);
    free(text);
}

/* ---- What is said ---------------------------------------------------------------------------- */

#define NEXT "next: `coopbench primitives --gpu` tells which barrier between them is fastest.\n"

static void add_size(cJSON *run, const char *name, double wg, double bound, double room)
{
    char id[64];
    snprintf(id, sizeof id, "kernel/%s/wg=%g", name, wg);
    cJSON *item = add_case(run, "d", id, "kernel=./k.cl:%s wg-size=%g", name, wg);
    add_metric(item, "wg_size", wg);
    add_metric(item, "groups_bound", bound);
    add_metric(item, "groups_per_unit", bound / 4);
    if (room > 0) {
        add_metric(item, "api_local_bytes", 4096);
        add_metric(item, "api_groups", room);
        add_metric(item, "api_groups_items", 2 * room);
        add_metric(item, "cuda_groups", 8);
    }
}

static cJSON *run_of_two(void)
{
    cJSON *run = new_run();
    cJSON *claims = add_case(run, "d", "kernel/f/claims", "kernel=./k.cl:f claims=true");
    add_metric(claims, "api_wg_size", 256);
    add_metric(claims, "api_wg_multiple", 32);
    add_metric(claims, "api_private_bytes", 80);
    add_size(run, "f", 64, 42, 0);
    add_size(run, "f", 128, 21, 0);
    make_failed(add_case(run, "d", "kernel/f/wg=512", "kernel=./k.cl:f wg-size=512"),
                "unsupported");
    add_size(run, "g", 64, 8, 48);
    add_size(run, "g", 128, 8, 48);
    return run;
}

TEST(tables)
{
    char *text = report_of(run_of_two());
    assert_null(strstr(text, "Workgroups found"));
    assert_row(text, "f | 64", "run at once", "42", "a compute unit", "10.50", "local memory (API)",
               "", "by local memory", "");
    const char *claims = after(text, "(clGetKernelWorkGroupInfo)\n");
    assert_row(claims, "f", "most work-items", "256", "preferred multiple", "32", "private memory",
               "80 B");
    assert_row(text, "f | 512", "run at once", "unsupported", "by local memory", "");
    assert_row(text, "g | 64", "run at once", "8", "a compute unit", "2", "local memory (API)",
               "4096 B", "by local memory", "48", "by work-items", "96", "CUDA", "8");
    free(text);
}

TEST(findings)
{
    assert_findings(
        run_of_two(),
        "kernel: A persistent kernel of `f` can have at most 42 workgroups of 64 work-items here, "
        "21 of 128: one more does not start before another has ended.\n"
        "kernel: A persistent kernel of `g` can have at most 8 workgroups here, whatever their "
        "size: one more does not start before another has ended.\n" NEXT);
    cJSON *run = new_run();
    add_size(run, "f", 1, 1, 0);
    assert_findings(run, "kernel: A persistent kernel of `f` can have at most 1 workgroup of 1 "
                         "work-item here: one more does not start before another has "
                         "ended.\n" NEXT);
}
