/* SPDX-License-Identifier: Apache-2.0
 *
 * Suite files that are JSON, but not right.
 */
#include "config_fixture.h"
#include "tests/unit/unit.h"

/* --- Files that are not right ----------------------------------------------------------------- */

TEST(schema)
{
    refuses("[1]", "FILE:1: top level: expected an object, got an array");
    refuses("\n\n7", "FILE:3: top level: expected an object, got a number");
    refuses("\n{}", "FILE:2: top level: missing key \"schema\" (\"schema\": \"coopbench-config\")");
    refuses("{\"schema\":\n1}", "FILE:1: top level: \"schema\": expected a string, got a number");
    refuses("{\n\"schema\": \"coopbench-run\"}",
            "FILE:2: schema: expected \"coopbench-config\", got \"coopbench-run\"");
    refuses("{\"schema\": \"coopbench-config\"}",
            "FILE:1: top level: missing key \"schema_version\" (\"schema_version\": \"1.0\")");
    refuses("{\"schema\": \"coopbench-config\",\n\"schema_version\": 1.0}",
            "FILE:2: top level: \"schema_version\": expected a string, got a number");
    refuses("{\"schema\": \"coopbench-config\",\n\"schema_version\": \"2.0\"}",
            "FILE:2: schema_version: this coopbench reads 1.x, got \"2.0\"");
    refuses("{\"schema\": \"coopbench-config\",\n\"schema_version\": \"1\"}",
            "FILE:2: schema_version: this coopbench reads 1.x, got \"1\"");
}

TEST(top_level)
{
    refuses(HEAD "\"setings\": {}," SUITE,
            "FILE:2: top level: unknown key \"setings\" (did you mean \"settings\"?)");
    refuses(HEAD "\"x\": {}," SUITE, "FILE:2: top level: unknown key \"x\"");
    refuses(HEAD "\"Suite\": []}",
            "FILE:2: top level: unknown key \"Suite\" (did you mean \"suite\"?)");
    refuses(HEAD "\"description\": [],\n" SUITE,
            "FILE:2: description: expected a string, got an array");
    refuses(HEAD "\"settings\": [],\n" SUITE, "FILE:2: settings: expected an object, got an array");
    refuses(HEAD "\"suite\": {}}", "FILE:2: suite: expected an array, got an object");
    refuses(HEAD "\"suite\":\n []}",
            "FILE:2: suite: expected at least one benchmark, got an empty array");
    refuses(HEAD "\"name\": \"x\"}",
            "FILE:1: top level: missing key \"suite\" (an array of benchmarks)");
}

TEST(name)
{
    static const char *const wrong[] = {"\"\"",    "\"A\"", "\"a b\"", "\"a/b\"",     "\"..\"",
                                        "\"-rf\"", "null",  "5",       "\"\xC3\xA4\""};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "\"name\": %s," SUITE, wrong[i]);
        refuses(text, "FILE:2: name: expected 1 to 63 letters of a-z 0-9 _ . - that do not begin "
                      "with . or -");
    }
    char longest[64] = "", text[256];
    memset(longest, 'a', 63);
    snprintf(text, sizeof text, HEAD "\"name\": \"%s\"," SUITE, longest);
    struct cb_config config = loads(text);
    assert_string_equal(config.name, longest);
    cb_config_free(&config);
    snprintf(text, sizeof text, HEAD "\"name\": \"%sa\"," SUITE, longest);
    refuses(text, "FILE:2: name: expected 1 to 63 letters of a-z 0-9 _ . - that do not begin with "
                  ". or -");
}

TEST(duplicates)
{
    refuses(HEAD "\"name\": \"a\",\n\n\"name\": \"a\"," SUITE,
            "FILE:4: top level: duplicate key \"name\" (first in line 2)");
    refuses(HEAD "\"settings\": {\"runs\": 5,\n\"runs\": 5}," SUITE,
            "FILE:3: settings: duplicate key \"runs\" (first in line 2)");
    refuses(HEAD
            "\"suite\": [{}, {\"bench\": \"discover\",\n \"delay\": [1,\n2],\n \"delay\": 3}]}",
            "FILE:5: suite[1]: duplicate key \"delay\" (first in line 3)");
    refuses(HEAD "\"suite\": [{\"x\": [{\"y\": 1, \"y\": 1}]}]}",
            "FILE:2: suite[0].x[0]: duplicate key \"y\" (first in line 2)");
    refuses("{\"a\": \"}\\\"{\\\\\",\n\"a\": 1}", /* quotes and braces in a string do not count */
            "FILE:2: top level: duplicate key \"a\" (first in line 1)");
}

TEST(settings)
{
    refuses(HEAD "\"settings\": {\n\"run\": 5}," SUITE,
            "FILE:3: settings: unknown key \"run\" (did you mean \"runs\"?)");
    refuses(HEAD "\"settings\": {\n\"protocol\": \"ticket\"}," SUITE, /* of a bench, not global */
            "FILE:3: settings: unknown key \"protocol\"");
    refuses(HEAD "\"settings\": {\n\"runs\":\n0}," SUITE,
            "FILE:3: settings.runs: expected an integer from 1 to 1000000, got \"0\"");
    refuses(HEAD "\"settings\": {\"runs\": 1.5}," SUITE,
            "FILE:2: settings.runs: expected an integer from 1 to 1000000, got \"1.5\"");
    refuses(HEAD "\"settings\": {\"runs\": \"5x\"}," SUITE,
            "FILE:2: settings.runs: expected an integer from 1 to 1000000, got \"5x\"");
    refuses(HEAD "\"settings\": {\"seed\": -1}," SUITE,
            "FILE:2: settings.seed: expected an integer from 0 to 18446744073709551615, "
            "got \"-1\"");
    refuses(HEAD "\"settings\": {\"stop\": \"cI\"}," SUITE,
            "FILE:2: settings.stop: expected one of count, ci, time, got \"cI\" (did you mean "
            "\"ci\"?)");
    refuses(HEAD "\"settings\": {\"max-time\": 1e5}," SUITE,
            "FILE:2: settings.max-time: expected a number from 0.01 to 86400, got \"100000\"");
    refuses(HEAD "\"settings\": {\"output-dir\": \"\"}," SUITE,
            "FILE:2: settings.output-dir: expected a text that is not empty, got \"\"");
}

TEST(kinds_of_values)
{
    refuses(HEAD "\"settings\": {\"runs\": null}," SUITE,
            "FILE:2: settings.runs: expected a string or a number, got null");
    refuses(HEAD "\"settings\": {\"output-dir\": true}," SUITE,
            "FILE:2: settings.output-dir: expected a string or a number, got true");
    refuses(HEAD "\"settings\": {\"runs\": {}}," SUITE,
            "FILE:2: settings.runs: expected a string or a number, got an object");
    refuses(HEAD "\"settings\": {\"runs\": [5]}," SUITE,
            "FILE:2: settings.runs: expected one value, got an array");
    refuses(HEAD "\"settings\": {\"quiet\": \"true\"}," SUITE,
            "FILE:2: settings.quiet: expected true or false, got a string");
    refuses(HEAD "\"settings\": {\"quiet\": 1}," SUITE,
            "FILE:2: settings.quiet: expected true or false, got a number");
    refuses(HEAD "\"settings\": {\"device\": null}," SUITE,
            "FILE:2: settings.device: expected a string, a number or an array of them, got null");
    refuses(HEAD "\"settings\": {\"device\": []}," SUITE,
            "FILE:2: settings.device: expected at least one value, got an empty array");
    refuses(HEAD "\"settings\": {\"device\": [\"gpu\",\n[\"cpu\"]]}," SUITE,
            "FILE:3: settings.device[1]: expected a string, a number or an array of them, got an "
            "array");
    const char *large = "FILE:2: settings.seed: a number this large is not exact in JSON: write it "
                        "as a string";
    refuses(HEAD "\"settings\": {\"seed\": 18446744073709551615}," SUITE, large);
    refuses(HEAD "\"settings\": {\"seed\": 1e999}," SUITE, large);
    refuses(HEAD "\"settings\": {\"seed\": -1e999}," SUITE, large);
}

TEST(entries)
{
    refuses(HEAD "\"suite\": [\n\"discover\"]}",
            "FILE:3: suite[0]: expected an object, got a string");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\"},\n{\"runs\": 1}]}",
            "FILE:3: suite[1]: missing key \"bench\" (which benchmark to run)");
    refuses(HEAD "\"suite\": [{\n\"bench\": 1}]}",
            "FILE:3: suite[0]: \"bench\": expected a string, got a number");
    refuses(HEAD "\"suite\": [{\n\"bench\": \"discovr\"}]}",
            "FILE:3: suite[0]: unknown benchmark \"discovr\" (did you mean \"discover\"?); "
            "'coopbench list benchmarks' shows all");
    refuses(HEAD "\"suite\": [{\"bench\": \"q\"}]}",
            "FILE:2: suite[0]: unknown benchmark \"q\"; 'coopbench list benchmarks' shows all");
    refuses(HEAD "\"suite\": [\n{\"bench\": \"discover\",\n \"protocl\": 1}]}",
            "FILE:4: suite[0]: unknown key \"protocl\" (did you mean \"protocol\"?)");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\", \"rusn\": 1}]}",
            "FILE:2: suite[0]: unknown key \"rusn\" (did you mean \"runs\"?)");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\",\n\"protocol\": [\"ticket\",\n\"tiket\"]}]}",
            "FILE:4: suite[0].protocol[1]: expected one of ticket, spin, lockfree, unsafe, got "
            "\"tiket\" (did you mean \"ticket\"?)");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\",\n\"protocol\": \"ticket,spin\"}]}",
            "FILE:3: suite[0].protocol: expected one of ticket, spin, lockfree, unsafe, got "
            "\"ticket,spin\"; several values are an array: [\"a\", \"b\"]");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\"}, {\"bench\": \"discover\",\n\"runs\": 0}]}",
            "FILE:3: suite[1].runs: expected an integer from 1 to 1000000, got \"0\"");
}
