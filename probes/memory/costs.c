/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/costs.h"

#include <math.h>

#include "kernels/primitives_abi.h"

/* ---- The model ----
 * A word is served one access at a time: a read of it takes r, an atomic a, a write w (measured
 * under contention, as time a workgroup's access keeps the others waiting). Alone, a read takes R
 * and an atomic A; half of that is the way there, half the way back. A poller reads again as soon
 * as its read is back. While a poll's word has atomics in its line, a read takes h times r, the
 * hostage factor. p: workgroups; v: initial value of a semaphore. */

#define MASTER_ITEMS 128 /* work-items a workgroup that the primitives are measured with */
#define SLEEP_NS     ((CB_PAUSE_MIN + CB_PAUSE_MAX) / 2) /* mean of the pauses that grow */

/* A cost function, and what makes the primitive fast or slow. A row of kernels/primitives_abi.h
 * without one does not compile. */
#define COST(KIND, id, why)                                                                        \
    static const char why_##KIND##_##id[] = why;                                                   \
    static double cost_##KIND##_##id(__attribute__((unused)) const struct cb_machine *m,           \
                                     __attribute__((unused)) double p,                             \
                                     __attribute__((unused)) double v)

/* From one poll to the next, when p poll one word: their reads queue. */
static double poll(const struct cb_machine *m, double p)
{
    return fmax(m->read_latency, p * m->read_service);
}

static double hostage_service(const struct cb_machine *m)
{
    return m->read_service * cb_machine_hostage(m);
}

static double hostage_poll(const struct cb_machine *m, double p)
{
    return fmax(m->read_latency, p * hostage_service(m));
}

/* From one atomic to the next, when p try again and again. */
static double attempt(const struct cb_machine *m, double p)
{
    return fmax(m->atomic_latency, p * m->atomic_service);
}

/* The cost of an attempt with a sleep in between. */
static double sleepy_attempt(const struct cb_machine *m, double p)
{
    return fmax(m->atomic_latency + SLEEP_NS, p * m->atomic_service);
}

/* Until the last of p atomics that come at once has been done. */
static double arrive(const struct cb_machine *m, double p)
{
    return m->atomic_latency / 2 + (p - 1) * m->atomic_service;
}

/* ---- Barriers: until the last workgroup has left --------------------------------------------- */

/* Two hops of a write and a read, each with the wait for the next poll: half a turn on average, a
 * whole one for the last of many. No word has two pollers; each way, a flag of every workgroup is
 * written. With more workgroups than the master has work-items, each of these reads and writes
 * several, one after the other. */
COST(BARRIER, xf, "two hops without atomics, and no word has two pollers")
{
    double each = ceil(p / MASTER_ITEMS);
    return (1.5 + 2 * each) * m->read_latency + 2 * p * m->write_service;
}

COST(BARRIER, xf_rounds, "as xf")
{
    return cost_BARRIER_xf(m, p, v);
}

/* Arrivals queue, also after the polls of workgroups that have arrived; then the last poller's
 * turn. */
COST(BARRIER, counter, "one hop, but arrivals wait for polls of the same word")
{
    return arrive(m, p) + (p - 1) * hostage_service(m) + hostage_poll(m, p) + m->read_latency / 2;
}

/* Twice: arrivals queue after the polls, which are atomics, too; then the last poller's turn. */
COST(BARRIER, two_stage, "two hops, each with as many atomics as workgroups, and polls beside them")
{
    return 2 * (arrive(m, p) + (p - 1) * m->atomic_service + attempt(m, p));
}

/* No poll before the last arrival; then one look of everybody. */
COST(BARRIER, patient, "one hop, and no poll keeps an arrival waiting")
{
    if (m->cpu) /* nothing there keeps awake for so short a time */
        return cost_BARRIER_counter(m, p, v);
    return arrive(m, p) + m->read_latency / 2 + poll(m, p);
}

/* No poll disturbs an arrival; the last one's write queues after the polls of all. */
COST(BARRIER, broadcast, "polls of a word of their own do not keep arrivals waiting")
{
    return arrive(m, p) + m->atomic_latency / 2 + 2 * poll(m, p);
}

/* All come in one by one, and again after the broadcast. */
COST(BARRIER, monitor, "as a mutex that all lock twice")
{
    return 2 * p * fmax(m->atomic_service, 2 * m->read_latency);
}

/* ---- Mutexes: from one unlock to the next ---------------------------------------------------- */

/* The old value's way back, the unlock's way there and through the queue of the others' attempts,
 * then the next attempt to come. */
COST(MUTEX, spin, "the shortest way, as long as few attempts queue before the unlock")
{
    double turn = attempt(m, p);
    return (m->atomic_latency + m->read_latency) / 2 + turn - m->atomic_latency + turn / p;
}

/* Sleeps empty the queue, as far as they are long enough, but the next attempt comes later. */
COST(MUTEX, spin_backoff, "sleeps keep the queue empty before the unlock")
{
    double turn = sleepy_attempt(m, p);
    return (m->atomic_latency + m->read_latency) / 2 + turn - m->atomic_latency - SLEEP_NS +
           turn / p;
}

/* With as many others as an attempt in vain leaves spins, nobody sleeps. */
COST(MUTEX, spin_then_backoff, "as spin where few come, as spin_backoff where many do")
{
    return p <= CB_SPINS ? cost_MUTEX_spin(m, p, v) : cost_MUTEX_spin_backoff(m, p, v);
}

/* The unlock's write queues after the polls of all, then half a turn until the next owner's.
 * Tickets are drawn meanwhile, in another line. */
COST(MUTEX, ticket, "one atomic a lock; the unlock waits for the polls only")
{
    return fmax(m->atomic_service, 1.5 * poll(m, p - 1));
}

/* As with one poller that sleeps between polls: it comes half a sleep too late. */
COST(MUTEX, ticket_linear, "one atomic a lock, and few polls, but the next one may be asleep")
{
    return fmax(m->atomic_service, 2 * m->read_latency + SLEEP_NS / 2);
}

/* As with one poller, and half a read of sleep too long. */
COST(MUTEX, ticket_backoff, "one atomic a lock, and about one poller")
{
    return fmax(m->atomic_service, 2 * m->read_latency);
}

/* As ticket, with two reads a look, the second of which knows its address from the first. */
COST(MUTEX, ring, "one atomic a lock, but each look is two reads")
{
    return fmax(m->atomic_service, 3 * poll(m, p - 1));
}

/* As with one poller. */
COST(MUTEX, array, "one atomic a lock, and one poller on a line of its own")
{
    return fmax(m->atomic_service, 1.5 * m->read_latency);
}

/* ---- Semaphores: from one post to the next ----
 * Where more workgroups come than it lets in, v hand-overs go on side by side. */

static double waiting(double p, double v)
{
    return fmax(0, p - v);
}

/* A wait and a post take the lock word; waiting workgroups take it as often, in vain. */
COST(SEMAPHORE, spin, "two short critical sections, few attempts queue")
{
    double turn = attempt(m, p);
    return (2 + waiting(p, v) / v) * (turn + turn / p);
}

/* A wait sleeps between attempts, a post does not. */
COST(SEMAPHORE, spin_backoff, "waiting workgroups sleep, so posts get in")
{
    double pause = m->atomic_latency + SLEEP_NS, turn = sleepy_attempt(m, p);
    double in_vain = waiting(p, v) * m->atomic_latency / pause / v;
    return (2 + in_vain) * (m->atomic_latency + turn - pause + turn / p);
}

/* A post that has failed comes back half a sleep late. */
COST(SEMAPHORE, spin_backoff_post, "as spin_backoff, but a post in vain sleeps, too")
{
    double sleepy = fmin(1, (p - 1) * m->atomic_service / m->atomic_latency);
    return cost_SEMAPHORE_spin_backoff(m, p, v) + sleepy * SLEEP_NS / 2;
}

/* Count up and down; if others wait, the post raises the turn that they poll. */
COST(SEMAPHORE, sleeping, "a workgroup that need not wait makes two atomics in all")
{
    double alone = 2 * m->atomic_latency / p;
    double hand_over =
        1.5 * m->atomic_latency + 1.5 * hostage_poll(m, waiting(p, v)) - m->read_latency / 2;
    return fmax(2 * m->atomic_service, waiting(p, v) > 0 ? hand_over / v : alone);
}

/* Tail up and a look at the head at once, head up without waiting for it; of the workgroups that
 * wait, the next v poll the head. */
COST(SEMAPHORE, ticket, "a post is one atomic, waiting workgroups only read")
{
    double alone = (m->atomic_latency + m->read_latency) / p;
    double hand_over =
        m->atomic_latency / 2 + 1.5 * hostage_poll(m, fmin(v, waiting(p, v))) - m->read_latency / 2;
    return fmax(m->atomic_service, waiting(p, v) > 0 ? hand_over / v : alone);
}

/* A workgroup that has posted may come back in at once, without a hand-over. An attempt in vain
 * makes two atomics. */
COST(SEMAPHORE, optimistic, "a workgroup that has posted comes back without a hand-over")
{
    double pause = m->atomic_latency + SLEEP_NS;
    double queue = fmax(0, 2 * waiting(p, v) * m->atomic_service - pause);
    return fmax(2 * m->atomic_service, (m->atomic_latency + queue) / fmin(p, v));
}

/* ---- Queues: an enqueue and a dequeue -------------------------------------------------------- */

/* Two atomics, and two slots that nobody else polls. */
COST(QUEUE, tickets, "two atomics, and waits that disturb no other")
{
    return fmax(2 * m->atomic_service, 2 * (m->atomic_latency + m->read_latency) / p);
}

COST(QUEUE, monitor, "as a mutex that is locked twice")
{
    return 2 * cost_MUTEX_ticket_backoff(m, p, v);
}

/* ---- The table ------------------------------------------------------------------------------- */

#define ROW(KIND, id, ...) [CB_##KIND##_##id] = {cost_##KIND##_##id, why_##KIND##_##id},

const struct cb_cost cb_costs[CB_PRIMITIVE_COUNT] = {CB_PRIMITIVES(ROW)};
