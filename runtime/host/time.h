/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's clock.
 */
#pragma once

#include <stdint.h>

/* Host time, monotonic, ns. */
uint64_t cb_now_ns(void);

/* Sleeps until this time; a signal may end the sleep. */
void cb_sleep_until_ns(double then_ns);
