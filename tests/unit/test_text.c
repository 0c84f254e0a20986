/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of others, made harmless: for terminals, for JSON, for spreadsheets.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/csv.h"
#include "measure/text/json.h"
#include "runtime/host/error.h"
#include "runtime/host/json_writer.h"
#include "runtime/host/text.h"
#include "tests/unit/unit.h"

static const struct {
    const char *text, *shown, *stored; /* stored: NULL: as shown */
} texts[] = {
    {"", "", NULL},
    {"plain \"text\" | \\ %s", "plain \"text\" | \\ %s", NULL},
    {"a\tb\nc", "a\tb\nc", NULL},
    {"\x1b[31mred", "\\x1b[31mred", NULL},
    {"\x1b]0;title\x07", "\\x1b]0;title\\x07", NULL},
    {"a\rb", "a\\x0db", NULL},
    {"a\x08\x7f", "a\\x08\\x7f", NULL},
    {"\xc2\x9b"
     "31m",
     "\\xc2\\x9b31m", NULL}, /* the one-byte escape of terminals, in UTF-8 */
    {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
     NULL},
    {"caf\xe9", "caf\\xe9", "caf\xef\xbf\xbd"},
    {"\xc3", "\\xc3", "\xef\xbf\xbd"},
    {"\xe2\x82", "\\xe2\\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
    {"\xc0\xaf", "\\xc0\\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
    {"\xed\xa0\x80", "\\xed\\xa0\\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80",
     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    {"\xff\xfe", "\\xff\\xfe", "\xef\xbf\xbd\xef\xbf\xbd"},
    {"\xe2\x80\xae"
     "cod.exe",
     "\\xe2\\x80\\xaecod.exe", NULL}, /* turns around what follows */
};

TEST(cleaned)
{
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        char to[128], again[128];
        const char *stored = texts[i].stored ? texts[i].stored : texts[i].shown;
        assert_int_equal(
            cb_text_clean(to, sizeof to, texts[i].text, strlen(texts[i].text), CB_TEXT_SHOWN),
            strlen(texts[i].shown));
        assert_string_equal(to, texts[i].shown);
        cb_text_clean(again, sizeof again, to, strlen(to), CB_TEXT_SHOWN);
        assert_string_equal(again, to);
        cb_text_clean(to, sizeof to, texts[i].text, strlen(texts[i].text), CB_TEXT_STORED);
        assert_string_equal(to, stored);
        for (size_t room = 0; room < strlen(stored); room++) /* whole characters only */
            assert_memory_equal(
                to, stored,
                cb_text_clean(again, room, texts[i].text, strlen(texts[i].text), CB_TEXT_STORED));
    }
}

TEST(errors)
{
    struct cb_err err = {0};
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        char expected[512];
        cb_fail(&err, CB_USAGE, "no %s", texts[i].text);
        cb_context(&err, "%s", texts[i].text);
        snprintf(expected, sizeof expected, "%s: no %s", texts[i].shown, texts[i].shown);
        assert_string_equal(err.text, expected);
    }
}

/* Whatever is named in a message, why it failed can be read. */
TEST(long_errors)
{
    static char path[3 * 5000 + 1];
    struct cb_err err = {0};
    for (int shift = 0; shift < 3; shift++) { /* no character is cut in two */
        for (size_t i = 0; i + 3 < sizeof path; i += 3)
            memcpy(path + i, "\xe2\x82\xac", 4);
        cb_fail(&err, CB_USAGE, "%.*s%s: too long", shift, "abc", path);
        cb_context(&err, "cannot read %s", path);
        assert_in_range(strlen(err.text), CB_ERR_TEXT - 10, CB_ERR_TEXT - 1);
        assert_memory_equal(err.text, "cannot read \xe2\x82\xac", 15);
        assert_string_equal(err.text + strlen(err.text) - 13, "\xe2\x82\xac: too long");
        for (const char *c = err.text; *c; c += cb_text_character(c))
            assert_int_not_equal(cb_text_character(c), 0);
    }
}

TEST(json)
{
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        const char *stored = texts[i].stored ? texts[i].stored : texts[i].shown;
        char key[64], *printed = NULL;
        size_t size = 0;
        snprintf(key, sizeof key, "k%s", texts[i].text);
        cJSON *tree = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(tree, key);
        cJSON_AddItemToArray(list, cJSON_CreateString(texts[i].text));
        cb_json_clean(tree);
        assert_string_equal(tree->child->string + 1, stored);
        assert_string_equal(tree->child->child->valuestring, stored);
        FILE *out = open_memstream(&printed, &size);
        assert_non_null(out);
        cb_json_print_text(out, texts[i].text);
        fclose(out);
        cJSON *again = cJSON_Parse(printed);
        assert_true(cJSON_IsString(again));
        for (const char *c = printed; *c; c += cb_text_character(c))
            assert_true(cb_text_character(c) > 0);
        cJSON_Delete(again);
        cJSON_Delete(tree);
        free(printed);
    }
}

TEST(json_is_written_piece_by_piece)
{
    static const char *volatile whys[] = {NULL, "x\n\t"}; /* gcc wants no NULL that it sees */
    char *text = NULL;
    size_t size = 0;
    struct cb_json_writer w = {.out = open_memstream(&text, &size)};
    assert_non_null(w.out);
    cb_json_write(&w, "{name:%s,rows:[", "a \"b\"");
    for (int i = 0; i < 2; i++)
        cb_json_write(&w, "\n{n:%d,ok:%i,median:%g,low:%g,ts:%f,why:%s}", i, i == 0, 1234.5678912,
                      NAN, 2.0, whys[i]);
    cb_json_write(&w, "\n],%s:%d,none:null,list:[", "key", 7);
    for (int i = 0; i < 2; i++)
        cb_json_write(&w, "%s:[%d,%g]", "", i, 0.1);
    cb_json_write(&w, "],end:{}}\n");
    fclose(w.out);
    assert_string_equal(text, "{\"name\":\"a \\\"b\\\"\",\"rows\":[\n"
                              "{\"n\":0,\"ok\":true,\"median\":1234.56789,\"ts\":2.000},\n"
                              "{\"n\":1,\"ok\":false,\"median\":1234.56789,\"ts\":2.000,"
                              "\"why\":\"x\\n\\u0009\"}\n"
                              "],\"key\":7,\"none\":null,\"list\":[[0,0.1],[1,0.1]],\"end\":{}}\n");
    free(text);
}

/* Cells that a spreadsheet would compute, and those that only look like it. */
static const struct {
    const char *text, *cell;
} cells[] = {
    {"=1+1", "'=1+1"},
    {"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
    {"-2+3", "'-2+3"},
    {"@SUM(A1)", "'@SUM(A1)"},
    {"=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""},
    {"-12.5", "-12.5"},
    {"+3e7", "+3e7"},
    {"-", "'-"},
    {"a=b", "a=b"},
    {"1-2", "1-2"},
    {"", ""},
};

TEST(csv_cells)
{
    for (size_t i = 0; i < CB_COUNTOF(cells); i++) {
        char *printed = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&printed, &size);
        assert_non_null(out);
        cb_csv_text(out, cells[i].text);
        fclose(out);
        assert_string_equal(printed, cells[i].cell);
        free(printed);
    }
}

TEST(joined)
{
    char text[24] = "";
    cb_text_join(text, sizeof text, "%s", "ids arrival");
    assert_string_equal(text, "ids arrival");
    cb_text_join(text, sizeof text, "launch %d", 1);
    assert_string_equal(text, "ids arrival, launch 1");
    cb_text_join(text, sizeof text, "wg %d", 64); /* no room for more than its comma */
    assert_string_equal(text, "ids arrival, launch 1, ");
    cb_text_join(text, sizeof text, "wg %d", 64);
    assert_string_equal(text, "ids arrival, launch 1, ");
    assert_string_equal(CB_PLURAL(1), "");
    assert_string_equal(CB_PLURAL(0), "s");
    assert_string_equal(CB_PLURAL(2.0), "s");
}
