/* SPDX-License-Identifier: Apache-2.0
 *
 * The semaphores `sleeping` and, with -DOPTIMISTIC, `optimistic` (kernels/semaphores/): N workgroups wait and post R
 * times each. At most VALUE are inside, and there is no state in which nobody can go on, as after a turn that is lost.
 * `optimistic` is unfair: whether it lets everybody in at last is not checked. Sequentially consistent, safety only. The
 * checks are at the end.
 */
#ifndef N
#define N 4
#endif
#ifndef R
#define R 2
#endif
#ifndef VALUE
#define VALUE 2
#endif
#define M 32 /* tickets and turns count modulo (kernel: 2^32); half of it is more than come while one does not look */

byte count;              /* words[0]: inside or waiting */
byte ticket_=M-1, turns=M-1; /* words[1], words[CB_LINE_WORDS]; as if many had been before, so that they wrap */
byte inside;             /* what a proof needs to know and no kernel does */

#if defined(PRINTED)
#define HAS_TURN (turns>index)
#elif defined(TEXT)
#define HAS_TURN ((turns+M-index)%M<M/2)
#else
#define HAS_TURN ((turns+M-(index+1))%M<M/2) /* signed difference: reached */
#endif

/* cb_sem_wait_sleeping() */
inline WAIT_SLEEPING() {
#ifdef TORN
  seen=count; count=seen+1;
#else
  atomic { seen=count; count++ };
#endif
  if
  :: seen<VALUE
  :: else ->
     atomic { index=ticket_; ticket_=(ticket_+1)%M };
     HAS_TURN
  fi
}

/* cb_sem_post_sleeping() */
inline POST_SLEEPING() {
#ifdef REREAD
  count--;
  seen=count+1;
#else
  atomic { seen=count; count-- };
#endif
  if
#ifdef INCLUSIVE
  :: seen>=VALUE -> turns=(turns+1)%M
#else
  :: seen>VALUE -> turns=(turns+1)%M
#endif
  :: else
  fi
}

/* cb_sem_wait_optimistic() */
inline WAIT_OPTIMISTIC() {
  do
  ::
#ifdef UNCOMPARED
     count<VALUE; count++; break
#else
     atomic { seen=count; count++ };
#ifdef ONE_MORE
     if :: seen<=VALUE -> break :: else fi;
#else
     if :: seen<VALUE -> break :: else fi;
#endif
#ifndef STAYS
     count--;
#endif
     count<VALUE
#endif
  od
}

#ifdef OPTIMISTIC
#define WAIT() WAIT_OPTIMISTIC()
#define POST() count--
#else
#define WAIT() WAIT_SLEEPING()
#define POST() POST_SLEEPING()
#endif

proctype Worker() {
  byte round, seen, index;
  do
  :: round<R ->
     WAIT();
     atomic { inside++; assert(inside<=VALUE) };
     inside--;
     POST();
     round++
  :: else -> break
  od
}

init {
  byte i;
  atomic { do :: i<N -> run Worker(); i++ :: else -> break od };
  _nr_pr==1;
  assert(count==0 && turns==ticket_)
}

/* Checks (README.md):
 *
 * check quick -DN=3
 * check quick -DN=3 -DVALUE=1
 * check quick -DOPTIMISTIC -DN=3
 * check full
 * check full -DOPTIMISTIC
 * bug quick -DPRINTED -DN=2 -DVALUE=1: the algorithm as printed, "turn > index", unsigned: a workgroup waits for ever
 *     when the turns wrap
 * bug quick -DTEXT -DN=2 -DVALUE=1: the text beside it, "greater than or equal", lets one too many in
 * bug quick -DTORN -DN=2 -DVALUE=1: a wait counts by a load and a store, and two come in
 * bug quick -DINCLUSIVE -DN=2 -DVALUE=1: a post gives a turn although nobody waits, and a later wait goes in by it
 * bug quick -DREREAD -DN=2 -DVALUE=1: a post looks at the count after it has subtracted, when others have come
 * bug quick -DUNCOMPARED -DOPTIMISTIC -DN=2 -DVALUE=1: a wait that has seen room comes in without looking again
 * bug quick -DONE_MORE -DOPTIMISTIC -DN=2 -DVALUE=1: a wait lets one too many in
 * bug quick -DSTAYS -DOPTIMISTIC -DN=2 -DVALUE=1: a wait that has failed does not go back out, and all wait for ever
 */
