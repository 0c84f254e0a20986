/* SPDX-License-Identifier: Apache-2.0
 *
 * The barriers, mutexes, semaphores and queues of the library, a row each: host and kernels take
 * from here what there is. A new mutex is a file mutexes/<id>.clh, a row, its cost
 * (probes/memory/costs.c) and its words of --help (probes/primitives/plan.c); the compiler names
 * the one that is missing.
 */
#pragma once

/* X(KIND, kind, folder). -DCB_<KIND>=<id> chooses an implementation. */
#define CB_PRIMITIVE_KINDS(X)                                                                      \
    X(BARRIER, barrier, barriers)                                                                  \
    X(MUTEX, mutex, mutexes)                                                                       \
    X(SEMAPHORE, semaphore, semaphores)                                                            \
    X(QUEUE, queue, queues)

/* X(KIND, id, pauses, slots, quick).
 *   pauses  NONE; PAUSES: longer and longer ones where attempts fail; PLACES: one for each place in
 *           line (backoff.clh)
 *   slots   1: a queue lock, which needs a slot for each workgroup. It is no default, because a
 *           kernel that does not choose it makes no room for it.
 *   quick   0: a form to compare with, measured with --full only. Learnt as the best, if it is. */
#define CB_BARRIERS(X)                                                                             \
    X(BARRIER, xf, NONE, 0, 1)                                                                     \
    X(BARRIER, xf_rounds, NONE, 0, 0)                                                              \
    X(BARRIER, counter, NONE, 0, 1)                                                                \
    X(BARRIER, two_stage, NONE, 0, 0)                                                              \
    X(BARRIER, broadcast, NONE, 0, 1)                                                              \
    X(BARRIER, patient, NONE, 0, 1)                                                                \
    X(BARRIER, monitor, NONE, 0, 0)

#define CB_MUTEXES(X)                                                                              \
    X(MUTEX, spin, NONE, 0, 1)                                                                     \
    X(MUTEX, spin_backoff, PAUSES, 0, 1)                                                           \
    X(MUTEX, spin_then_backoff, PAUSES, 0, 0)                                                      \
    X(MUTEX, ticket, NONE, 0, 1)                                                                   \
    X(MUTEX, ticket_linear, PAUSES, 0, 0)                                                          \
    X(MUTEX, ticket_backoff, PLACES, 0, 1)                                                         \
    X(MUTEX, ring, NONE, 1, 0)                                                                     \
    X(MUTEX, array, NONE, 1, 1)

#define CB_SEMAPHORES(X)                                                                           \
    X(SEMAPHORE, spin, NONE, 0, 1)                                                                 \
    X(SEMAPHORE, spin_backoff, PAUSES, 0, 1)                                                       \
    X(SEMAPHORE, spin_backoff_post, PAUSES, 0, 0)                                                  \
    X(SEMAPHORE, sleeping, NONE, 0, 1)                                                             \
    X(SEMAPHORE, ticket, PLACES, 0, 1)                                                             \
    X(SEMAPHORE, optimistic, PAUSES, 0, 1)

#define CB_QUEUES(X)                                                                               \
    X(QUEUE, tickets, NONE, 0, 0)                                                                  \
    X(QUEUE, monitor, NONE, 0, 0)

#define CB_PRIMITIVES(X) CB_BARRIERS(X) CB_MUTEXES(X) CB_SEMAPHORES(X) CB_QUEUES(X)

/* Pauses in ns where nobody says otherwise: the first and the longest of those that grow, in steps
 * of the first; the one for a place in line. */
#define CB_PAUSE_MIN   64
#define CB_PAUSE_MAX   4096
#define CB_PAUSE_PLACE 250

/* Attempts of spin_then_backoff before its pauses: those of a lock that is free within about ten
 * hand-overs. */
#define CB_SPINS 32u
