/* SPDX-License-Identifier: Apache-2.0
 *
 * Generators of graphs: what they refuse.
 */
#include "graph_fixture.h"
#include "tests/unit/unit.h"

/* --- Refusals --------------------------------------------------------------------------------- */

TEST(wrong_grids)
{
    static const char *const specs[] = {"grid:",
                                        "grid:10",
                                        "grid:x",
                                        "grid:10x",
                                        "grid:x10",
                                        "grid:0x5",
                                        "grid:5x0",
                                        "grid:-1x5",
                                        "grid:10X10",
                                        "grid:10x10x",
                                        "grid:a",
                                        "grid: 1x1",
                                        "grid:1x1 ",
                                        "grid:268435457x1",
                                        "grid:1x99999999999999999999999",
                                        "grid:4294967297x1",
                                        "grid:4294967295x4294967295",
                                        "grid:1.5x2.5",
                                        "grid:10:10",
                                        "grid:+1x1"};
    for (size_t i = 0; i < CB_COUNTOF(specs); i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "grid: expected grid:WxH with W from 1 to 268435456 and H from 1 to 268435456, "
                 "for instance grid:1000x1000, got \"%s\"",
                 specs[i]);
        load_fails(specs[i], message);
    }
    load_fails("grid:16385x16384",
               "grid: expected grid:WxH with W * H of at most 268435456, got \"grid:16385x16384\"");
}

TEST(wrong_rmats)
{
    static const char *const specs[] = {":",
                                        ":0",
                                        ":27",
                                        ":ten",
                                        ":10:",
                                        ":10:0",
                                        ":10:65",
                                        ":10:8:1",
                                        ":-1",
                                        ":10x8",
                                        "::8",
                                        ":99999999999999999999",
                                        ":10:4294967304"};
    static const char *const names[] = {"rmat", "uniform"};
    for (size_t i = 0; i < 2 * CB_COUNTOF(specs); i++) {
        const char *name = names[i % 2];
        char spec[64], message[256];
        snprintf(spec, sizeof spec, "%s%s", name, specs[i / 2]);
        snprintf(message, sizeof message,
                 "%s: expected %s:SCALE[:EDGEFACTOR] with SCALE from 1 to 26 and EDGEFACTOR "
                 "from 1 to 64, for instance %s:20:16, got \"%s\"",
                 name, name, name, spec);
        load_fails(spec, message);
    }
    load_fails("rmat:26:32", "rmat: expected 2 * EDGEFACTOR * 2^SCALE of at most 4294967294, got "
                             "\"rmat:26:32\"");
    load_fails("uniform:26:64", "uniform: expected 2 * EDGEFACTOR * 2^SCALE of at most 4294967294, "
                                "got \"uniform:26:64\"");
}

TEST(wrong_roads_and_circuits)
{
    static const char *const specs[] = {":",    ":0",   ":268435457", ":99999999999999999999",
                                        ":1x1", ":1:1", ":-1",        ":1e6",
                                        ": 1",  ":1 ",  ":NY"};
    static const char *const names[] = {"road", "circuit"}, *const examples[] = {"264346",
                                                                                 "1585478"};
    for (size_t i = 0; i < 2 * CB_COUNTOF(specs); i++) {
        const char *name = names[i % 2];
        char spec[64], message[256];
        snprintf(spec, sizeof spec, "%s%s", name, specs[i / 2]);
        snprintf(message, sizeof message,
                 "%s: expected %s:N with N from 1 to 268435456, for instance %s:%s, got \"%s\"",
                 name, name, name, examples[i % 2], spec);
        load_fails(spec, message);
    }
}

TEST(wrong_directed)
{
    static const char *const specs[] = {
        "directed:",      "directed:5",           "directed:0x5",
        "directed:5x0",   "directed:5:5",         "directed:-1x5",
        "directed:5x5x5", "directed:268435457x1", "directed:5x4294967295"};
    for (size_t i = 0; i < CB_COUNTOF(specs); i++) {
        char message[256];
        snprintf(message, sizeof message,
                 "directed: expected directed:NxM with N from 1 to 268435456 and M from 1 to "
                 "4294967294, for instance directed:1024x131072, got \"%s\"",
                 specs[i]);
        load_fails(specs[i], message);
    }
}

TEST(neither_generator_nor_file)
{
#define FORMS                                                                                      \
    "expected grid:WxH, road:N, circuit:N, rmat:SCALE[:EDGEFACTOR], uniform:SCALE[:EDGEFACTOR] "   \
    "or directed:NxM"
#define NO_FILE "and no file (No such file or directory)"
    load_fails("gird:10x10", "graph: \"gird:10x10\" is no generator (" FORMS
                             "; did you mean \"grid\"?) " NO_FILE);
    load_fails("rood:10",
               "graph: \"rood:10\" is no generator (" FORMS "; did you mean \"road\"?) " NO_FILE);
    load_fails("torus:4x4", "graph: \"torus:4x4\" is no generator (" FORMS ") " NO_FILE);
    load_fails("/missing/road.gr",
               "graph: \"/missing/road.gr\" is no generator (" FORMS ") " NO_FILE);
    load_fails("roads:4",
               "graph: \"roads:4\" is no generator (" FORMS "; did you mean \"road\"?) " NO_FILE);
    load_fails("grid", "graph: \"grid\" is no generator (" FORMS ") " NO_FILE);
    load_fails("", "graph: \"\" is no generator (" FORMS ") " NO_FILE);
}
