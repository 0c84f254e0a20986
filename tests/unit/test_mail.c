/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages to workers, compiled as C as a GPU has it, where a few workers are told and pass them on
 * (kernels/coop/slots.clh, pool.clh): each of those that are meant gets it once, and nobody else.
 * On a CPU nobody passes anything on.
 */
#include <string.h>

static void pause_somewhere(void);
#define CB_WAITER         0u
#define COOP_TOLD_AT_ONCE 4u
#define COOP_IS_ATOMIC    0
#include "tests/unit/coop_worker_c.h"
#include "tests/unit/unit.h"

#define COOP_EACH(X) /* no kernel is joined here */
#include "kernels/coop/pool.clh"
#pragma GCC diagnostic pop

#define WORKERS 90u

static void pause_somewhere(void) {}

static cb_u32 mail[WORKERS * COOP_LINE];
static unsigned got[WORKERS];

/* The workers take their mail until there is none; returns how many were told by the sender. */
static unsigned take_all(unsigned number)
{
    unsigned told = 0, taken;
    for (unsigned i = 0; i < WORKERS; i++)
        told += mail[i * COOP_LINE] != 0;
    do {
        taken = 0;
        for (unsigned i = 0; i < WORKERS; i++) {
            coop_own own = {.workers = WORKERS, .slot = i, .id = i};
            coop_worker w = {.mail = mail, .own = &own};
            const cb_u32 message = mail[i * COOP_LINE];
            if (message == 0)
                continue;
            mail[i * COOP_LINE] = 0;
            assert_int_equal(COOP_MAIL_KIND(message), COOP_MAIL_RESERVE);
            assert_int_equal(COOP_MAIL_NUMBER(message), number);
            got[i]++;
            taken++;
            coop_pass_on(&w, message);
        }
    } while (taken > 0);
    return told;
}

TEST(each_gets_it_once)
{
    for (unsigned first = 0; first < WORKERS; first += 7)
        for (unsigned count = 1; first + count <= WORKERS; count++) {
            memset(got, 0, sizeof got);
            coop_post(mail, WORKERS, 0, first, count, COOP_MAIL_RESERVE, 0x1234);
            const unsigned told = take_all(0x1234);
            assert_int_equal(told, count > COOP_TOLD_AT_ONCE ? (count + 3) / 4 : count);
            for (unsigned i = 0; i < WORKERS; i++)
                assert_int_equal(got[i], i >= first && i < first + count);
        }
}

/* As many as the word has room for. */
TEST(others)
{
    const cb_u32 message = COOP_MAIL(COOP_MAIL_EXIT, 255u, 15u, 0xffffu);
    assert_int_equal(COOP_MAIL_KIND(message), COOP_MAIL_EXIT);
    assert_int_equal(COOP_MAIL_OWNER(message), 255);
    assert_int_equal(COOP_MAIL_OTHERS(message), 15);
    assert_int_equal(COOP_MAIL_NUMBER(message), 0xffff);
}
