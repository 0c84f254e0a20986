/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of an OpenCL C text: which are found, and what they begin with instead.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/host/text.h"
#include "runtime/source_kernels.h"
#include "tests/unit/unit.h"

static void has(const char *text, const char *kernels)
{
    char names[256] = "";
    const cJSON *item;
    cJSON *list = cb_source_kernels(text);
    assert_non_null(list);
    cJSON_ArrayForEach (item, list)
        cb_text_join(names, sizeof names, "%s", item->valuestring);
    assert_string_equal(names, kernels);
    cJSON_Delete(list);
}

/* With the parameter P and the statement S of f(), which calls pass 0. */
static void becomes(const char *text, const char *expected)
{
    const struct cb_source_prologue prologue = {"P", "S;", "0"};
    char *out = NULL;
    struct cb_err err;
    assert_int_equal(cb_source_begin_with(text, "f", &prologue, &out, &err), CB_OK);
    assert_string_equal(out, expected);
    free(out);
}

TEST(kernels)
{
    has("", "");
    has("void f(int a) {}", "");
    has("kernel void f(global int *a) { g(a[0]); }\n__kernel void g(int a)\n{\n}", "f, g");
    has("kernel void f();\nkernel void g() { if (x) { f(); } }\nvoid h() {}", "g");
    has("kernel void f() {}\n#if A\nkernel void g(int a) {}\n#else\nkernel void g() {}\n#endif",
        "f, g");
    has("// kernel void f() {}\n/* kernel void g() {} */ \"kernel void h() {}\"", "");
    has("#define K kernel void f() {}\n", "");
    has("kernel __attribute__((vec_type_hint(int))) void f(int a) __attribute__((x)) {}", "f");
    has("kernel void f(int a, (int) b", "");
    has("#if A\ng(1\n#else\ng(2)\n#endif\n; kernel void f(int a) {}", "f");
    has("g(1; kernel void f(int a) {}", "f");
    has("g(1 { kernel void f(int a) {}", "f");
}

TEST(kernels_by_macros)
{
    has("#define ENTRY __kernel\nENTRY void f() {}", "f");
    has("#define ENTRY(n) __kernel __attribute__((x(n)))\nENTRY(4) void f() {}\nvoid g() {}", "f");
    has("#define NAME other\n#define other f\nkernel void NAME() {}", "f");
    has("#define A B\n#define B A\nkernel void A() {}", "A");
    has("#define MAKE(T) kernel void T##_f() {}\nMAKE(int)", "");
    has("#define F(x) x\nkernel void f(int F(a)) { F(1); }", "f");
}

TEST(definitions)
{
    assert_true(cb_source_defines("ENTRY void f(int a) {}", "f"));
    assert_false(cb_source_defines("kernel void f(int a);", "f"));
    assert_false(cb_source_defines("kernel void ff(int a) {}", "f"));
    becomes("kernel void f(int a) { a; }", "kernel void f(P, int a) { S; a; }");
    becomes("kernel void f(\n int a)\n{\n}", "kernel void f(P, \n int a)\n{ S;\n}");
    becomes("kernel void f() {}", "kernel void f(P) { S;}");
    becomes("kernel void f(\n /* a */ void /* b */ ) {}",
            "kernel void f(P\n /* a */  /* b */ ) { S;}");
    becomes("kernel void f(\n#if A(\nint a\n#endif\n) {}",
            "kernel void f(P, \n#if A(\nint a\n#endif\n) { S;}");
    becomes("kernel void f(int a) __attribute__((x(1)))\n{}",
            "kernel void f(P, int a) __attribute__((x(1)))\n{ S;}");
    becomes("#define X(n) __attribute__((x(n)))\n#define Y\nkernel void f(int a) X(1) Y {}",
            "#define X(n) __attribute__((x(n)))\n#define Y\nkernel void f(P, int a) X(1) Y { S;}");
    becomes("#define X\n#define K kernel\nX(1) K void f(int a) {}",
            "#define X\n#define K kernel\nX(1) K void f(P, int a) { S;}");
    becomes("#if A\nkernel void f(int a) {\n#else\nkernel void f(int b) {\n#endif\n}",
            "#if A\nkernel void f(P, int a) { S;\n#else\nkernel void f(P, int b) { S;\n#endif\n}");
    becomes("#define NAME f\nkernel void NAME(int a) {}",
            "#define NAME f\nkernel void NAME(P, int a) { S;}");
    becomes("kernel void g(int a) {}", "kernel void g(int a) {}");
}

TEST(prototypes_and_calls)
{
    becomes("kernel void f(int a);", "kernel void f(P, int a);");
    becomes("kernel void f(void);", "kernel void f(P);");
    becomes("kernel void g() { f(1); if (a) f(g(f())); else f ( 2 ); }",
            "kernel void g() { f(0, 1); if (a) f(0, g(f(0))); else f (0,  2 ); }");
    becomes("/* f(1) */ \"f(1)\" // f(1)\n#define F f(1)\n", "/* f(1) */ \"f(1)\" // f(1)\n"
                                                             "#define F f(1)\n");
    becomes("int f;\nf\n(", "int f;\nf\n(0, ");
    becomes("f(f(f(1)));", "f(0, f(0, f(0, 1)));");
    becomes("for (; f(1);) { f(2); }", "for (; f(0, 1);) { f(0, 2); }");
}

TEST(required_sizes)
{
    static const char *const with[] = {
        "kernel __attribute__((reqd_work_group_size(8, 8, 1))) void f() {}",
        "__attribute__((reqd_work_group_size(N, 1, 1))) kernel void f() {}",
        "kernel void __attribute__((reqd_work_group_size(N, 1, 1))) f(int a) {}",
        "#define SIZE __attribute__((reqd_work_group_size(N, 1, 1)))\nkernel SIZE void f() {}",
    };
    for (size_t i = 0; i < CB_COUNTOF(with); i++)
        assert_true(cb_source_requires_size(with[i], "f"));
    assert_false(cb_source_requires_size("kernel void f() {}", "f"));
    assert_false(cb_source_requires_size(
        "kernel __attribute__((reqd_work_group_size(8, 8, 1))) void g() {}\nkernel void f() {}",
        "f"));
}
