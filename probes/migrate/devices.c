/* SPDX-License-Identifier: Apache-2.0
 *
 * The two devices of a batch, and their inputs. All that the other device may lack is found out
 * here, before anything runs on the first.
 */
#include "probes/migrate/migrate.h"

#include <stdlib.h>
#include <string.h>

#include "apps/host/move.h"
#include "kernels/local_memory.h"

/* Apps have one form for CPUs and one for GPUs, and some another where there is little local memory
 * (kernels/local_memory.h): what one form leaves is not always what another goes on from. */
static bool have_same_form(const struct cb_device *a, const struct cb_device *b)
{
    const bool little =
        CB_LOCAL_IS_LITTLE(a->local_mem_bytes) || CB_LOCAL_IS_LITTLE(b->local_mem_bytes);
    return cb_device_is_cpu(a) == cb_device_is_cpu(b) &&
           (!little || a->local_mem_bytes == b->local_mem_bytes);
}

static enum cb_status no_other(const struct cb_device *device, struct cb_err *err)
{
    const bool is_pocl = strcmp(device->platform, CB_POCL_PLATFORM) == 0;
    return cb_fail(err, CB_UNSUPPORTED,
                   "there is no device to move to: %s is the only one of its kind ('coopbench list "
                   "devices'%s)",
                   device->name,
                   is_pocl ? "; POCL_DEVICES=\"pthread pthread\" has PoCL be two" : "");
}

static enum cb_status check_other(const struct cb_device *device, const struct cb_device *other,
                                  struct cb_err *err)
{
    if (strcmp(device->id, other->id) == 0)
        return cb_fail(err, CB_USAGE,
                       "to: %s is the device that the app begins on: name another one ('coopbench "
                       "list devices')",
                       other->index);
    if (!have_same_form(device, other))
        return cb_fail(err, CB_UNSUPPORTED,
                       "to: %s (%s) is not of the same kind as %s (%s): apps have another form for "
                       "it, by its type or its local memory",
                       other->name, other->type, device->name, device->type);
    return CB_OK;
}

enum cb_status cb_migrate_choose(const struct cb_devices *all, const struct cb_device *device,
                                 const char *to, const struct cb_device **other, struct cb_err *err)
{
    int *chosen = calloc((size_t)all->count + 1, sizeof *chosen), n = 0;
    const bool named = to && *to;
    if (!chosen)
        return cb_no_memory(err);
    enum cb_status status = cb_device_select(all, named ? to : "all", chosen, &n, err);
    if (status == CB_NO_DEVICE) /* no status of a row */
        status = err->status = CB_UNSUPPORTED;
    if (status != CB_OK)
        cb_context(err, "to");
    *other = NULL;
    for (int i = 0; i < n && status == CB_OK && !*other; i++) {
        const struct cb_device *d = &all->items[chosen[i]];
        if (strcmp(d->id, device->id) != 0 && have_same_form(device, d))
            *other = d;
    }
    if (status == CB_OK && named && !*other) /* to say why none of them will do */
        *other = &all->items[chosen[0]];
    free(chosen);
    if (status != CB_OK)
        return status;
    return *other ? check_other(device, *other, err) : no_other(device, err);
}

static enum cb_status open_other(struct cb_session *session, const char *to,
                                 struct cb_session *other, struct cb_err *err)
{
    struct cb_devices all;
    const struct cb_device *chosen;
    char id[sizeof session->info.id] = "";
    struct cb_session_options options = {.defines = session->defines,
                                         .wait_deadline_ns = session->wait_deadline_ns,
                                         .rehearsal = session->rehearsal};
    if (cb_devices_enumerate(&all, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_migrate_choose(&all, &session->info, to, &chosen, err);
    if (status == CB_OK)
        memcpy(id, chosen->id, sizeof id);
    if (status == CB_OK && strcmp(chosen->platform, session->info.platform) == 0) {
        options.atomics = session->info.atomics; /* as the user chose them */
        options.clock = session->info.clock;
    }
    cb_devices_free(&all);
    if (status != CB_OK)
        return status;
    return cb_session_open(other, id, &options, err) == CB_OK && cb_clock_open(other, err) == CB_OK
               ? CB_OK
               : cb_context(err, "to %s", id);
}

static enum cb_status open_inputs(struct cb_session *session, struct cb_migrate_devices *d,
                                  const struct cb_app_case *c, struct cb_err *err)
{
    struct cb_session *const sessions[2] = {session, &d->other};
    const size_t here = cb_app_room(session), there = cb_app_room(&d->other);
    for (int i = 0; i < 2; i++)
        if (cb_app_open_input_for(sessions[i], c->app, c->input, here > there ? here : there,
                                  &d->on[i], err) != CB_OK)
            return i == 0 ? err->status : cb_context(err, "on %s", d->other.info.name);
    return cb_pinned_open(&d->other, CB_APP_COPY_BYTES, &d->through, err);
}

enum cb_status cb_migrate_open_devices(struct cb_session *session, const cJSON *params,
                                       void **devices, struct cb_err *err)
{
    struct cb_migrate_devices *d = *devices = calloc(1, sizeof *d);
    struct cb_migrate_case p;
    struct cb_app_case c;
    if (!d)
        return cb_no_memory(err);
    cb_fields_read(params, cb_migrate_fields, &p);
    if (cb_app_case_make(&c, &p.app, err) != CB_OK)
        return err->status;
    const struct cb_coop_config config = cb_app_case_config(&c, COOP_COOPERATIVE);
    const char *why = cb_app_cannot_move(c.app, &config);
    if (why)
        return cb_fail(err, CB_UNSUPPORTED, "%s cannot move: %s", c.app->id, why);
    if (open_other(session, p.to, &d->other, err) != CB_OK)
        return err->status;
    return open_inputs(session, d, &c, err);
}

void cb_migrate_close_devices(void *devices)
{
    struct cb_migrate_devices *d = devices;
    for (int i = 0; i < 2; i++)
        cb_app_close_input(&d->on[i]);
    if (d->other.context) {
        cb_pinned_close(&d->other, &d->through);
        cb_session_close(&d->other);
    }
    free(d);
}
