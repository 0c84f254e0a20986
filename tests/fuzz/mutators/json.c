/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes JSON into other JSON: what libFuzzer does to bytes is mostly no JSON any more, and its
 * readers end at the first byte that is wrong. One change in four is libFuzzer's own.
 */
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "runtime/host/error.h"

#define TEXT_BYTES 64

/* libFuzzer's. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static const double numbers[] = {0,     1,     -1,           0.5,          2,  1e300, -1e300, 1e19,
                                 1e-30, 65536, 4294967295.0, 2147483648.0, 1e6};

static unsigned below(struct cb_random *random, size_t n)
{
    return cb_random_below(random, (unsigned)n);
}

static size_t count(const cJSON *node)
{
    size_t n = 1;
    for (const cJSON *child = node->child; child; child = child->next)
        n += count(child);
    return n;
}

/* The node that comes as number *i; *i is lowered by those passed by. */
static cJSON *find(cJSON *node, size_t *i)
{
    cJSON *found = *i == 0 ? node : NULL;
    --*i;
    for (cJSON *child = node->child; child && !found; child = child->next)
        found = find(child, i);
    return found;
}

static cJSON *choose(cJSON *tree, struct cb_random *random)
{
    size_t i = below(random, count(tree));
    return find(tree, &i);
}

static cJSON *parent_of(cJSON *tree, const cJSON *node)
{
    cJSON *found = NULL;
    for (cJSON *child = tree->child; child && !found; child = child->next)
        found = child == node ? tree : parent_of(child, node);
    return found;
}

static cJSON *change_text(const char *text)
{
    char changed[TEXT_BYTES + 1] = "";
    size_t n = strnlen(text, TEXT_BYTES);
    memcpy(changed, text, n);
    n = LLVMFuzzerMutate((uint8_t *)changed, n, TEXT_BYTES);
    changed[n] = '\0';
    return cJSON_CreateString(changed);
}

/* Makes what takes the place of a node. */
static cJSON *replacement(cJSON *tree, const cJSON *node, struct cb_random *random)
{
    switch (below(random, 8)) {
    case 0:
        return cJSON_CreateNull();
    case 1:
        return cJSON_CreateBool(below(random, 2) == 1);
    case 2:
        return below(random, 2) ? cJSON_CreateArray() : cJSON_CreateObject();
    case 3:
        return cJSON_Duplicate(choose(tree, random), true);
    case 4:
    case 5:
        if (cJSON_IsNumber(node))
            return cJSON_CreateNumber(node->valuedouble * (below(random, 5) / 2.0) - 1);
        return change_text(cJSON_IsString(node) ? node->valuestring : "");
    default:
        return cJSON_CreateNumber(numbers[below(random, CB_COUNTOF(numbers))]);
    }
}

/* Adds a copy, takes away, or replaces. */
static void change(cJSON *tree, struct cb_random *random)
{
    cJSON *node = choose(tree, random), *parent = parent_of(tree, node);
    if (!parent)
        return;
    unsigned what = below(random, 6);
    if (what == 0)
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, node));
    else if (what == 1 && cJSON_IsArray(parent))
        cJSON_AddItemToArray(parent, cJSON_Duplicate(node, true));
    else if (what == 1)
        cJSON_AddItemToObject(parent, node->string, replacement(tree, node, random));
    else if (cJSON_IsObject(parent))
        cJSON_ReplaceItemInObjectCaseSensitive(parent, node->string,
                                               replacement(tree, node, random));
    else
        cJSON_ReplaceItemViaPointer(parent, node, replacement(tree, node, random));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct cb_random random = {seed};
    cJSON *tree = below(&random, 4) ? cJSON_ParseWithLength((const char *)data, size) : NULL;
    for (unsigned i = 0; tree && i <= below(&random, 3); i++)
        change(tree, &random);
    char *text = tree ? cJSON_PrintUnformatted(tree) : NULL;
    size_t n = text ? strlen(text) : 0;
    bool fits = n > 0 && n <= max_size;
    if (fits)
        memcpy(data, text, n);
    free(text);
    cJSON_Delete(tree);
    return fits ? n : LLVMFuzzerMutate(data, size, max_size);
}
