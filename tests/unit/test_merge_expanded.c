/* SPDX-License-Identifier: Apache-2.0
 *
 * The merge tool: what macros make of a text, and how long and deep it may be.
 */
#include "merge_fixture.h"
#include "tests/unit/unit.h"

#define LINES 100000

/* A text in parts. */
struct parts {
    char *text;
    size_t size;
    FILE *out;
};

static FILE *begin(struct parts *p)
{
    p->out = open_memstream(&p->text, &p->size);
    assert_non_null(p->out);
    return p->out;
}

static enum cb_status merge_parts(struct parts *p, char *out)
{
    fclose(p->out);
    const enum cb_status status = merge(p->text, NULL, out);
    free(p->text);
    return status;
}

static void repeat(FILE *out, const char *text, int n)
{
    for (int i = 0; i < n; i++)
        fputs(text, out);
}

/* D2 is D1 twice, and so on. */
static void define_doubles(FILE *out, const char *parameters, const char *given, const char *first,
                           int n)
{
    fprintf(out, "#define D0%s %s\n", parameters, first);
    for (int i = 1; i <= n; i++)
        fprintf(out, "#define D%d%s D%d%s D%d%s\n", i, parameters, i - 1, given, i - 1, given);
}

static void check_refused(struct parts *p, const char *message)
{
    char out[ROOM];
    assert_int_equal(merge_parts(p, out), CB_USAGE);
    if (!strstr(out, message))
        fail_msg("got: %s\nexpected: %s", out, message);
}

static void check_merged(struct parts *p)
{
    char out[ROOM];
    const enum cb_status status = merge_parts(p, out);
    if (status != CB_OK)
        fail_msg("%s", out);
}

/* Each of them would fill all memory, or the compiler's stack. */
TEST(too_much)
{
    static const struct {
        const char *parameters, *given, *first, *use, *message;
        int n;
    } rows[] = {
        {"", "", "+ n", "0 D29", ":33:14: the text comes, by its macros, to more than 105", 29},
        {"", "", "a[n]++;", "0; D29", ":33:15: the text comes, by its macros, to", 29},
        {"(x)", "(x)", "+ x", "0 D29(n)", ":33:14: the text comes, by its macros, to", 29},
        {"(x)", "(x)", "+ x", "0 D13(n)", ":17:14: this expression comes to more than 16384", 13},
        {"(...)", "(__VA_ARGS__)", "+ (__VA_ARGS__)", "0 D29(n, n)", ":33:14: the text", 29},
        {"(x)", "(x)", "x x", "0 D1(D1(D1(D1(D1(D1(D1(+ n)))))))", ":5:14: this expression", 1},
        {"", "", "+ n", "D900", ":904:12: the text comes, by its macros, to", 900}, /* too deep */
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct parts p;
        FILE *out = begin(&p);
        define_doubles(out, rows[i].parameters, rows[i].given, rows[i].first, rows[i].n);
        fprintf(out, KERNEL "    a[0] = %s;\n}\n", rows[i].use);
        check_refused(&p, rows[i].message);
    }
    struct parts sum;
    FILE *out = begin(&sum);
    fputs(KERNEL "    a[0] = n", out);
    repeat(out, " + n", LINES);
    fputs(";\n}\n", out);
    check_refused(&sum, ":3:32770: this expression comes to more than 16384 tokens");
}

/* What is long, but no more than compilers take. */
TEST(enough)
{
    static const struct {
        const char *before, *text, *after;
        int n;
    } rows[] = {
        {KERNEL "    a[0] = n", " + n", ";\n}\n", 8000},
        {KERNEL "    a[0] = ", "- ", "n;\n}\n", 16000},
        /* Of two definitions the longer one is not meant. */
        {"#if 0\n#define R(x) (x^x^x^x^x^x^x^x^x^x^x^x^x^x^x^x)\n#else\n#define R(x) x\n#endif\n",
         KERNEL "    a[0] = R(R(R(R(R(n)))));\n}\n", "", 1},
        {KERNEL "    a[0] = ", "(int)", "n;\n}\n", 5000},
        {KERNEL, "    if (a[n] > 3) a[0] = 2; else\n", "    a[1] = 2;\n}\n", 4000},
        {"constant int table[] = {0", ", 1", "};\n" KERNEL "    a[0] = table[n];\n}\n", LINES},
        {KERNEL, "    a[n] = 1;\n", "    global_barrier();\n}\n", LINES / 10},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        struct parts p;
        FILE *out = begin(&p);
        fputs(rows[i].before, out);
        repeat(out, rows[i].text, rows[i].n);
        fputs(rows[i].after, out);
        check_merged(&p);
    }
    struct parts unrolled; /* statements, of which none is long */
    FILE *out = begin(&unrolled);
    define_doubles(out, "(x)", "(x)", "x", 12);
    fputs(KERNEL "    D12(a[n] = a[n] * 3 + n;)\n}\n", out);
    check_merged(&unrolled);
}

/* A line for each of many functions: no step takes longer for each than for the one before. */
TEST(many_lines)
{
    struct parts p;
    FILE *out = begin(&p);
    for (int i = 0; i < LINES; i++)
        fprintf(out, "#define M%d(x) ((x) + %d)\n", i, i);
    fputs(KERNEL "    a[n] = M5(n);\n}\n", out);
    check_merged(&p);
}

/* Macros in a circle stay as they are; of one that is defined twice the last counts. */
TEST(circles)
{
    char out[ROOM];
    assert_int_equal(merge("#define k k\n#define x y\n#define y x\n" KERNEL
                           "    int x = n;\n    a[0] = x;\n}\n",
                           NULL, out),
                     CB_OK);
    assert_int_equal(merge("#define N 1\n#define N(x) x\n" KERNEL "    a[0] = N;\n}\n", NULL, out),
                     CB_USAGE);
    assert_non_null(strstr(out, ":5:12: use of undeclared identifier 'N'"));
}

ALL_TESTS(skip_unless_built, NULL)
