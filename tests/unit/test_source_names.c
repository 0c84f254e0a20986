/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of an OpenCL C text with a suffix: which are found, and what stays as it is.
 */

#include <stdlib.h>
#include <string.h>

#include "runtime/source_names.h"
#include "tests/unit/unit.h"

static void becomes_but(const char *text, const char *expected, const char *const *keep)
{
    char *out = NULL;
    struct cb_err err;
    if (cb_source_suffix_names(text, "_k0", keep, &out, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_string_equal(out, expected);
    free(out);
}

static void becomes(const char *text, const char *expected)
{
    becomes_but(text, expected, NULL);
}

static void stays(const char *text)
{
    becomes(text, text);
}

TEST(macros)
{
    becomes("#define A 1\nint B = A;", "#define A_k0 1\nint B_k0 = A_k0;");
    becomes("  #\t define  F(x) (x)\nF(2)", "  #\t define  F_k0(x) (x)\nF_k0(2)");
    becomes("/* */ # /* */ define A\n#ifdef A\n#elif defined(A) && A > 1\n#endif\n#undef A",
            "/* */ # /* */ define A_k0\n#ifdef A_k0\n#elif defined(A_k0) && A_k0 > 1\n#endif\n"
            "#undef A_k0");
    becomes("#define A 1\n#define B(x) \\\n    A + \\\r\n    x##A\n#define C B(A) /* A\n A */ A\n",
            "#define A_k0 1\n#define B_k0(x) \\\n    A_k0 + \\\r\n    x##A_k0\n"
            "#define C_k0 B_k0(A_k0) /* A\n A */ A_k0\n");
    becomes("#define A \\\n  B\n#define \\\n  B A\n",
            "#define A_k0 \\\n  B_k0\n#define \\\n  B_k0 A_k0\n");
    becomes("#if 0\n#define A\n#endif\nA", "#if 0\n#define A_k0\n#endif\nA_k0"); /* any branch */
}

TEST(macros_only_tested)
{
    stays("#ifdef A\n#if defined(B) && C > 1\nD\n#endif\n#endif\n#undef E\n");
    becomes("#ifndef A\n#define A 1\n#endif\n#ifdef B\n#endif\n",
            "#ifndef A_k0\n#define A_k0 1\n#endif\n#ifdef B\n#endif\n");
}

TEST(functions)
{
    becomes("void f(int a) { g(a); }", "void f_k0(int a) { g(a); }");
    becomes("static inline const global uint *f(void)\n{\n    return f();\n}\nf",
            "static inline const global uint *f_k0(void)\n{\n    return f_k0();\n}\nf_k0");
    becomes("uint f(uint a), g(uint);", "uint f_k0(uint a), g_k0(uint);");
    becomes("__attribute__((noinline)) void f(void);\nvoid __attribute__((noinline)) g(void) {}",
            "__attribute__((noinline)) void f_k0(void);\n"
            "void __attribute__((noinline)) g_k0(void) {}");
    becomes(
        "uint f(void) __attribute__((pure));\nuint g(void) PURE;\nuint h(void) PURE {}",
        "uint f_k0(void) __attribute__((pure));\nuint g_k0(void) PURE;\nuint h_k0(void) PURE {}");
    becomes(
        "struct s f(struct s a) {}\nALIGNED(8) uint g(void) {}\nstatic ALIGNED(8) uint h(void);",
        "struct s f_k0(struct s a) {}\nALIGNED(8) uint g_k0(void) {}\n"
        "static ALIGNED(8) uint h_k0(void);");
    becomes(
        "#ifdef A\nkernel void\n#else\nkernel __attribute__((a(64, 1, 1))) void\n#endif\nf(int a)"
        "{}\nint b;",
        "#ifdef A\nkernel void\n#else\nkernel __attribute__((a(64, 1, 1))) void\n#endif\n"
        "f_k0(int a){}\nint b_k0;");
}

TEST(types)
{
    becomes("typedef uint t;\ntypedef char fits[sizeof(t) == 4 ? 1 : -1];",
            "typedef uint t_k0;\ntypedef char fits_k0[sizeof(t_k0) == 4 ? 1 : -1];");
    becomes("typedef struct { uint a, *b; t c[4]; } t, *p;",
            "typedef struct { uint a, *b; t_k0 c[4]; } t_k0, *p_k0;");
    becomes("struct s { uint a; };\nunion u { struct s b; struct in { uint c; } d; };\nstruct s x;",
            "struct s_k0 { uint a; };\nunion u_k0 { struct s_k0 b; struct in_k0 { uint c; } d; };\n"
            "struct s_k0 x_k0;");
    becomes("struct __attribute__((packed)) s { uint a; } v;",
            "struct __attribute__((packed)) s_k0 { uint a; } v_k0;");
    becomes("typedef uint vec __attribute__((ext_vector_type(4)));",
            "typedef uint vec_k0 __attribute__((ext_vector_type(4)));");
    becomes("typedef struct s t; /* of another text */",
            "typedef struct s t_k0; /* of another text */");
    stays("struct s;\nenum e;\n");
}

TEST(enums)
{
    becomes("enum e { A, B = 2, C = MAX(D, 3), };",
            "enum e_k0 { A_k0, B_k0 = 2, C_k0 = MAX(D, 3), };");
    becomes("typedef enum { A = B, /* C, */ D } t;\nA D",
            "typedef enum { A_k0 = B, /* C, */ D_k0 } t_k0;\nA_k0 D_k0");
    becomes("enum {\n#ifdef X\n    A,\n#else\n    B,\n#endif\n    C\n};",
            "enum {\n#ifdef X\n    A_k0,\n#else\n    B_k0,\n#endif\n    C_k0\n};");
    becomes("typedef struct { enum { A, B } a; } t;",
            "typedef struct { enum { A_k0, B_k0 } a; } t_k0;");
    becomes("void f(void) { enum in { A }; struct s { int b; }; }",
            "void f_k0(void) { enum in { A }; struct s { int b; }; }");
}

TEST(variables)
{
    becomes("constant uint table[] = {1, a, (b)}, *other = &a, last;\n__constant float x = 1.5f;",
            "constant uint table_k0[] = {1, a, (b)}, *other_k0 = &a, last_k0;\n"
            "__constant float x_k0 = 1.5f;");
    becomes("constant struct s c = {1}, d = (struct s){2};",
            "constant struct s c_k0 = {1}, d_k0 = (struct s){2};");
    becomes("constant uint ALIGNED(8) a = 1, ALIGNED(8) b[2] = {0};",
            "constant uint ALIGNED(8) a_k0 = 1, ALIGNED(8) b_k0[2] = {0};");
}

/* Macros, maybe of another text, stand at file scope. */
TEST(invocations)
{
    becomes("coop_kernel(bfs)\n{\n    uint a = 1;\n}\nuint b;",
            "coop_kernel(bfs)\n{\n    uint a = 1;\n}\nuint b_k0;");
    becomes("#define coop_kernel(name) void app(int name)\ncoop_kernel(bfs)\n{\n}\nvoid app(int);",
            "#define coop_kernel_k0(name) void app_k0(int name)\ncoop_kernel_k0(bfs)\n{\n}\n"
            "void app_k0(int);");
    becomes(
        "COOP_SUBMIT(1, f, g)\nSUBMIT(h);\nstatic void i(void);\nPLAIN;\nEMPTY()\nuint j;",
        "COOP_SUBMIT(1, f, g)\nSUBMIT(h);\nstatic void i_k0(void);\nPLAIN;\nEMPTY()\nuint j_k0;");
}

TEST(stays)
{
    stays("");
    stays("\n\n  x();");
    becomes("uint a; // a \\\n a\n/* a\n a */ a", "uint a_k0; // a \\\n a\n/* a\n a */ a_k0");
    becomes("uint a, b = f(\"a \\\" a\", 'a', '\\'', '\"') + a;",
            "uint a_k0, b_k0 = f(\"a \\\" a\", 'a', '\\'', '\"') + a_k0;");
    becomes(
        "uint a, b;\n#include \"a\"\n#line 1 \"a\"\n#error a isn't b\n # pragma a /* a\n */ a\na",
        "uint a_k0, b_k0;\n#include \"a\"\n#line 1 \"a\"\n#error a isn't b\n"
        " # pragma a /* a\n */ a\na_k0");
    becomes("uint x1, e5;\nuint y = 0x1 + 1e5 + 1.e5 + .5e5 + 1x1 + x1;",
            "uint x1_k0, e5_k0;\nuint y_k0 = 0x1 + 1e5 + 1.e5 + .5e5 + 1x1 + x1_k0;");
    becomes("void line(int define) { define = 1; }\n#define a\n#line 2\n",
            "void line_k0(int define) { define = 1; }\n#define a_k0\n#line 2\n");
    becomes("uint a, aa, a_k0;\naaa a_ A", "uint a_k0, aa_k0, a_k0_k0;\naaa a_ A");
}

TEST(members_and_locals)
{
    becomes(
        "typedef struct { uint size, first[2]; } t;\n"
        "uint f(t *p, uint n)\n{\n    uint a[2] = {n}, b = p->size;\n    for (uint i = 0; i < b;)\n"
        "        a[i] = g(p->first[i]);\n    size(b);\n}\n",
        "typedef struct { uint size, first[2]; } t_k0;\n"
        "uint f_k0(t_k0 *p, uint n)\n{\n    uint a[2] = {n}, b = p->size;\n    for (uint i = 0; i "
        "< "
        "b;)\n        a[i] = g(p->first[i]);\n    size(b);\n}\n");
    becomes(
        "struct s { uint a; };\nuint a(struct s x) { return x.a; }", /* all that are so called */
        "struct s_k0 { uint a_k0; };\nuint a_k0(struct s_k0 x) { return x.a_k0; }");
}

/* Braces of which the compiler sees one. */
TEST(conditions)
{
    becomes("void f(void)\n{\n#if A\n    if (a) {\n#elif B\n    if (b) {\n#else\n    {\n#endif\n"
            "        int c;\n    }\n    int d;\n}\nuint e;",
            "void f_k0(void)\n{\n#if A\n    if (a) {\n#elif B\n    if (b) {\n#else\n    {\n#endif\n"
            "        int c;\n    }\n    int d;\n}\nuint e_k0;");
    becomes("#ifdef A\nvoid f(int a)\n{\n#else\nvoid g(int a)\n{\n#endif\n    int b;\n}\nuint c;",
            "#ifdef A\nvoid f_k0(int a)\n{\n#else\nvoid g_k0(int a)\n{\n#endif\n    int b;\n}\n"
            "uint c_k0;");
    becomes("#endif\n#else\n}\n)\nuint a;", "#endif\n#else\n}\n)\nuint a_k0;"); /* broken */
}

TEST(kept)
{
    static const char *const keep[] = {"f", "A", NULL};
    becomes_but("#define A 1\nuint f(void), g(void);", "#define A 1\nuint f(void), g_k0(void);",
                keep);
}

TEST(unfinished)
{
    static const char *const texts[] = {
        "/* a",   "\"a",    "'",        "'\\",  "\\", "#", "# ", "#define", "#if",  "void f(",
        "enum {", "enum {", "struct s", "uint", ".",  "}", ")",  "= {",     "//a\\"};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++)
        stays(texts[i]);
}

/* Nests deeper than any kernel. */
TEST(many_conditions)
{
    enum { MANY = 200 };
    char text[MANY * 32] = "", expected[MANY * 32];
    for (int i = 0; i < MANY; i++)
        strcat(text, "#if A\n#else\n");
    for (int i = 0; i < MANY; i++)
        strcat(text, "#endif\n");
    strcpy(expected, text);
    becomes(strcat(text, "uint a;"), strcat(expected, "uint a_k0;"));
}
