/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/safe_groups.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "measure/text/json.h"
#include "runtime/host/text.h"

#define SECTION     "discover"
#define LEAST_LOCAL 1 /* bytes: a kernel that needs none */

static struct cb_safe_groups read(const cJSON *item)
{
    return (struct cb_safe_groups){
        .share = cb_json_number(item, "share"),
        .beside = cb_json_text(item, "beside", ""),
        .wg_size = cb_json_number(item, "wg_size"),
        .local_bytes = cb_json_number(item, "local_bytes"),
        .groups_safe = cb_json_number(item, "groups_safe"),
        .groups_most = cb_json_number(item, "groups_most"),
        .launches = cb_json_number(item, "launches"),
    };
}

static cJSON *write(const struct cb_safe_groups *s)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddNumberToObject(item, "share", s->share);
    cJSON_AddStringToObject(item, "beside", s->beside);
    cJSON_AddNumberToObject(item, "wg_size", s->wg_size);
    cJSON_AddNumberToObject(item, "local_bytes", s->local_bytes);
    cJSON_AddNumberToObject(item, "groups_safe", s->groups_safe);
    cJSON_AddNumberToObject(item, "groups_most", s->groups_most);
    cJSON_AddNumberToObject(item, "launches", s->launches);
    return item;
}

static bool is_of_share(const struct cb_safe_groups *s, double share)
{
    return fabs(s->share - share) < 1e-9;
}

static bool have_one_name(const struct cb_safe_groups *a, const struct cb_safe_groups *b)
{
    return is_of_share(a, b->share) && strcmp(a->beside, b->beside) == 0 &&
           a->wg_size == b->wg_size && a->local_bytes == b->local_bytes;
}

double cb_safe_groups_launches(double share)
{
    return ceil(CB_SAFE_GROUPS_BEYOND / (1 - share) - 1e-6);
}

bool cb_safe_groups_tells(const struct cb_safe_groups *s)
{
    return isfinite(s->groups_safe) && isfinite(s->groups_most) &&
           s->launches >= cb_safe_groups_launches(s->share);
}

/* ---- Keeping --------------------------------------------------------------------------------- */

/* Whether another of the list has the name, and fewer workgroups, or as many and comes first. */
static bool is_surpassed(const struct cb_safe_groups *list, int n, int i)
{
    for (int k = 0; k < n; k++)
        if (k != i && have_one_name(&list[k], &list[i]) &&
            (list[k].groups_safe < list[i].groups_safe ||
             (list[k].groups_safe == list[i].groups_safe && k < i)))
            return true;
    return false;
}

static bool is_older(const cJSON *item, const struct cb_safe_groups *list, int n)
{
    const struct cb_safe_groups kept = read(item);
    for (int i = 0; i < n; i++)
        if (have_one_name(&kept, &list[i]))
            return true;
    return false;
}

void cb_safe_groups_keep(cJSON *profile, const struct cb_safe_groups *list, int n)
{
    cJSON *section = cJSON_GetObjectItemCaseSensitive(profile, SECTION);
    if (!section)
        section = cJSON_AddObjectToObject(profile, SECTION);
    cJSON *kept = cJSON_GetObjectItemCaseSensitive(section, "headroom");
    if (!kept)
        kept = cJSON_AddArrayToObject(section, "headroom");
    for (int i = cJSON_GetArraySize(kept); i-- > 0;)
        if (is_older(cJSON_GetArrayItem(kept, i), list, n))
            cJSON_DeleteItemFromArray(kept, i);
    for (int i = 0; i < n; i++)
        if (!is_surpassed(list, n, i))
            cJSON_AddItemToArray(kept, write(&list[i]));
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static const cJSON *list_of(const cJSON *profile)
{
    const cJSON *section = cJSON_GetObjectItemCaseSensitive(profile, SECTION);
    return cJSON_GetObjectItemCaseSensitive(section, "headroom");
}

/* Whether it answers for this share, and for kernels without much local memory. */
static bool is_asked_for(const struct cb_safe_groups *s, double share)
{
    return is_of_share(s, share) && s->local_bytes <= LEAST_LOCAL && cb_safe_groups_tells(s);
}

static const char *flag_of(const struct cb_device *device)
{
    return cb_device_is_cpu(device) ? " --cpu" : strcmp(device->type, "gpu") == 0 ? " --gpu" : "";
}

enum cb_status cb_safe_groups_check(const cJSON *profile, const struct cb_device *device,
                                    double share, struct cb_err *err)
{
    const cJSON *item;
    cJSON_ArrayForEach (item, list_of(profile)) {
        const struct cb_safe_groups s = read(item);
        if (is_asked_for(&s, share))
            return CB_OK;
    }
    return cb_fail(err, CB_USAGE,
                   "headroom: the profile of %s does not say how many workgroups run at once in "
                   "%.6g %% of launches; `coopbench discover%s --headroom %.6g` measures it, with "
                   "--beside beside what will be there",
                   device->name, 100 * share, flag_of(device), share);
}

/* The one with the smallest workgroups of at least this size beside the same as `like`; wg_size 0:
 * none was measured. */
static struct cb_safe_groups fitting(const cJSON *list, const struct cb_safe_groups *like,
                                     size_t wg_size)
{
    struct cb_safe_groups best = {0};
    const cJSON *item;
    cJSON_ArrayForEach (item, list) {
        const struct cb_safe_groups s = read(item);
        if (is_asked_for(&s, like->share) && strcmp(s.beside, like->beside) == 0 &&
            s.wg_size >= (double)wg_size && (best.wg_size == 0 || s.wg_size < best.wg_size))
            best = s;
    }
    return best;
}

enum cb_status cb_safe_groups_of(const cJSON *profile, const struct cb_device *device, double share,
                                 size_t wg_size, size_t now, size_t *groups,
                                 struct cb_safe_groups *of, struct cb_err *err)
{
    const cJSON *item, *list = list_of(profile);
    double least = INFINITY;
    if (cb_safe_groups_check(profile, device, share, err) != CB_OK)
        return err->status;
    cJSON_ArrayForEach (item, list) {
        const struct cb_safe_groups s = read(item);
        if (!is_asked_for(&s, share))
            continue;
        const struct cb_safe_groups fit = fitting(list, &s, wg_size);
        if (!(fit.wg_size > 0))
            return cb_fail(err, CB_ERROR,
                           "headroom: no workgroups of %zu work-items were measured%s%.100s; "
                           "`coopbench discover%s --headroom %.6g --wg-sizes %zu%s%.100s` does it",
                           wg_size, *s.beside ? " beside " : "", s.beside, flag_of(device), share,
                           wg_size, *s.beside ? " --beside " : "", s.beside);
        const double safe = fit.groups_safe - fmax(0, fit.groups_most - (double)now);
        if (safe < least) {
            least = safe;
            *of = fit;
        }
    }
    if (least < 1)
        return cb_fail(err, CB_UNSUPPORTED,
                       "headroom: no number of workgroups of %zu work-items is safe: %zu run at "
                       "once of this kernel, and in %.6g %% of the launches%s%.100s up to %.0f "
                       "fewer than the most",
                       wg_size, now, 100 * share, *of->beside ? " beside " : "", of->beside,
                       of->groups_most - of->groups_safe);
    *groups = (size_t)fmin(least, (double)now);
    return CB_OK;
}
