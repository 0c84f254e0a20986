/* SPDX-License-Identifier: Apache-2.0
 *
 * What a megakernel cannot have at once is refused as it is opened, before anything is asked of a
 * device, and by name.
 */
#include <string.h>

#include "runtime/coop/coop.h"
#include "tests/unit/unit.h"

static void refuses(const struct cb_coop_config *config, const char *words)
{
    struct cb_session session = {0};
    struct cb_coop *coop = NULL;
    struct cb_err err = {0};
    assert_int_equal(cb_coop_open(&session, config, &coop, &err), CB_UNSUPPORTED);
    assert_null(coop);
    assert_non_null(strstr(err.text, "app.cl"));
    assert_non_null(strstr(err.text, words));
}

TEST(refused)
{
    struct cb_coop_config config = {.path = "app.cl", .mode = COOP_COOPERATIVE, .submits = true};
    config.semantics = COOP_WHOLE;
    refuses(&config, "semantics 'whole'");
    config.semantics = COOP_HIGHEST;
    config.others[0] = "other.cl";
    refuses(&config, "several cooperative kernels");
    config.submits = false;
    config.semantics = COOP_WHOLE;
    refuses(&config, "one cooperative kernel");
    config.semantics = COOP_ANY;
    refuses(&config, "one cooperative kernel");
}
