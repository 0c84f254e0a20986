/* SPDX-License-Identifier: Apache-2.0
 *
 * Images and samplers of a setup.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup_reader.h"
#include "measure/text/json.h"

const char *const cb_setup_sizes[CB_IMAGE_SIZES] = {"width", "height", "depth", "layers"};

#define PIXELS_ROW(id, word, of, bytes) {word, {of, bytes, 1}},
static const struct {
    const char *name;
    struct cb_element element;
} pixels[] = {CB_PIXELS(PIXELS_ROW)};

/* The number of a key's word in a list that ends with NULL; -1: there is no such word. */
static int word_of(const cJSON *node, const char *key, const char *otherwise,
                   const char *const words[])
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(node, key);
    const char *word = cb_json_text(node, key, given ? "" : otherwise);
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

/* ---- Images ---------------------------------------------------------------------------------- */

/* Makes the layout of a pixel of the kernel's. */
static enum cb_status read_pixel(struct cb_config_reader *r, const cJSON *node,
                                 struct cb_setup_argument *a)
{
    static const char *const channels[] = {"r", "rg", "rgba", NULL};
    const char *names[CB_COUNTOF(pixels) + 1] = {NULL};
    for (size_t i = 0; i < CB_COUNTOF(pixels); i++)
        names[i] = pixels[i].name;
    const int type = word_of(node, "type", "unorm8", names),
              width = word_of(node, "channels", "rgba", channels);
    if (type < 0)
        return cb_config_fail(r, cJSON_GetObjectItemCaseSensitive(node, "type"), a->name,
                              "type: expected \"unorm8\", \"snorm8\", \"uint8\", \"int8\", their "
                              "like with 16, \"uint32\", \"int32\", \"half\" or \"float\"");
    if (width < 0)
        return cb_config_fail(r, cJSON_GetObjectItemCaseSensitive(node, "channels"), a->name,
                              "channels: expected \"r\", \"rg\" or \"rgba\"");
    struct cb_layout *l = &a->layout;
    l->members = calloc(1, sizeof *l->members);
    char *name = strdup("");
    if (!l->members || !name) {
        free(name);
        return cb_config_no_memory(r);
    }
    a->pixels = (enum cb_setup_pixels)type;
    l->members[0] =
        (struct cb_layout_member){.name = name, .element = pixels[type].element, .count = 1};
    l->members[0].element.width = 1u << width;
    l->n_members = 1;
    l->bytes = l->alignment = cb_element_bytes(&l->members[0].element);
    return CB_OK;
}

/* Those that the kind of image has; 0: the setup does not say. */
static enum cb_status read_sizes(struct cb_config_reader *r, const cJSON *node,
                                 struct cb_setup_argument *a)
{
    for (unsigned i = 0; i < CB_IMAGE_SIZES; i++) {
        const cJSON *given = cJSON_GetObjectItemCaseSensitive(node, cb_setup_sizes[i]);
        double size = 0;
        a->sizes[i] = 1;
        if (!cb_image_has(&a->layout.image, i)) {
            if (given)
                return cb_config_fail(r, given, a->name, "%s: an %s has none", cb_setup_sizes[i],
                                      a->layout.image.type);
            continue;
        }
        if (cb_setup_number(r, node, a->name, cb_setup_sizes[i], 1, 4294967295.0, true, &size) !=
            CB_OK)
            return r->err->status;
        a->sizes[i] = (size_t)size;
    }
    return CB_OK;
}

static enum cb_status check_sizes(struct cb_config_reader *r, const cJSON *node,
                                  struct cb_setup_argument *a)
{
    double bytes = (double)a->layout.bytes;
    for (unsigned i = 0; i < CB_IMAGE_SIZES; i++) {
        bytes *= (double)a->sizes[i];
        if (a->sizes[i] == 0)
            return cb_config_fail(r, node, a->name,
                                  "is an %s: expected its \"%s\", or a \"file\" that tells it",
                                  a->layout.image.type, cb_setup_sizes[i]);
    }
    if (bytes > CB_SETUP_BYTES)
        return cb_config_fail(r, node, a->name, "its pixels have more than %.0e bytes",
                              CB_SETUP_BYTES);
    a->bytes = (size_t)bytes;
    return CB_OK;
}

enum cb_status cb_setup_read_image(struct cb_config_reader *r, const cJSON *node,
                                   struct cb_setup_argument *a)
{
    static const char *const keys[] = {"width", "height", "depth", "layers", "channels",
                                       "type",  "fill",   "seed",  "below",  "file",
                                       "check", "expect", NULL};
    if (!cJSON_IsObject(node))
        return cb_config_fail(r, node, a->name,
                              "is an %s: expected {\"width\": pixels, ...} or {\"file\": ...}",
                              a->layout.image.type);
    if (cb_setup_keys(r, node, a->name, keys) != CB_OK || read_pixel(r, node, a) != CB_OK ||
        read_sizes(r, node, a) != CB_OK ||
        cb_setup_read_data(r, node, "file", a, &a->begin) != CB_OK ||
        check_sizes(r, node, a) != CB_OK)
        return r->err->status;
    return cb_setup_read_contents(r, node, a);
}

/* ---- Samplers -------------------------------------------------------------------------------- */

enum cb_status cb_setup_read_sampler(struct cb_config_reader *r, const cJSON *node,
                                     struct cb_setup_argument *a)
{
    static const char *const keys[] = {"filter", "addressing", "normalized", NULL},
                             *const filters[] = {"nearest", "linear", NULL},
                             *const ways[] = {"none",   "clamp",           "clamp_to_edge",
                                              "repeat", "mirrored_repeat", NULL};
    if (!cJSON_IsObject(node))
        return cb_config_fail(r, node, a->name,
                              "is a sampler: expected {\"filter\": \"nearest\", \"addressing\": "
                              "\"clamp_to_edge\", \"normalized\": false}");
    if (cb_setup_keys(r, node, a->name, keys) != CB_OK)
        return r->err->status;
    const cJSON *normalized = cJSON_GetObjectItemCaseSensitive(node, "normalized");
    const int filter = word_of(node, "filter", "nearest", filters),
              addressing = word_of(node, "addressing", "clamp_to_edge", ways);
    if (filter < 0)
        return cb_config_fail(r, node, a->name, "filter: expected \"nearest\" or \"linear\"");
    if (addressing < 0)
        return cb_config_fail(r, node, a->name,
                              "addressing: expected \"none\", \"clamp\", \"clamp_to_edge\", "
                              "\"repeat\" or \"mirrored_repeat\"");
    if (normalized && !cJSON_IsBool(normalized))
        return cb_config_fail(r, normalized, a->name, "normalized: expected true or false");
    a->sampler.filter = (unsigned)filter;
    a->sampler.addressing = (unsigned)addressing;
    a->sampler.normalized = cJSON_IsTrue(normalized);
    if (!a->sampler.normalized && a->sampler.addressing >= CB_ADDRESS_REPEAT)
        return cb_config_fail(r, node, a->name,
                              "addressing: \"%s\" needs \"normalized\": true, and the kernel "
                              "coordinates from 0 to 1",
                              ways[addressing]);
    return CB_OK;
}
