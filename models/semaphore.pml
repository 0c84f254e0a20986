/* SPDX-License-Identifier: Apache-2.0
 *
 * The semaphores `sleeping` and, with -DOPTIMISTIC, `optimistic`, with -DSPIN, `spin`, of which those with backoff differ
 * in pauses only (kernels/semaphores/): N workgroups wait and post R times each. At most VALUE are inside, and there is no state in which nobody can go on, as after a turn that is lost.
 * With -DLIVE they wait and post for ever: `sleeping` lets each in at last, `optimistic` is unfair and lets some in.
 * Sequentially consistent. The checks are at the end.
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
#ifdef LIVE
#define M 16 /* tickets and turns count modulo (kernel: 2^32); half of it is more than come while one does not look */
#define MORE true
#else
#define M 32
#define MORE (round<R)
#endif

#define NONE 255

byte count;              /* words[0]: inside or waiting */
byte ticket_=M-1, turns=M-1; /* words[1], words[CB_LINE_WORDS]; as if many had been before, so that they wrap */
byte inside;             /* what a proof needs to know and no kernel does */
#ifdef LIVE
bool waits;              /* the first workgroup does */
/* Tickets that are held. Nobody draws one while another is nearly half of M behind, as one that has its turn and does
 * not look would miss it; the first workgroup may a little longer, so that the others cannot keep it from drawing. */
byte held[N]=NONE;
#define MAY_WITH(w) (w>=N || held[w%N]==NONE || (ticket_+M-held[w%N])%M<M/2-2+(me==0))
#define MAY_DRAW (MAY_WITH(0) && MAY_WITH(1) && MAY_WITH(2))
#define NOTE_TICKET(t) held[me]=t
#if defined(OPTIMISTIC) && !defined(EACH)
ltl live { []<> (inside>0) }
#else
ltl live { [] (waits -> <> !waits) }
#endif
#else
#define MAY_DRAW true
#define NOTE_TICKET(t) skip
#endif

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
     atomic { MAY_DRAW -> index=ticket_; ticket_=(ticket_+1)%M; NOTE_TICKET(index) };
     atomic { HAS_TURN -> NOTE_TICKET(NONE) };
#ifdef POLITE
     do
     :: atomic {
          ticket_!=(index+1)%M -> /* others wait, too */
          turns=(turns+1)%M; index=ticket_; ticket_=(ticket_+1)%M; NOTE_TICKET(index)
        };
        atomic { HAS_TURN -> NOTE_TICKET(NONE) }
     :: else -> break
     od
#endif
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
#ifndef RETRIED
     count<VALUE
#endif
#endif
  od
}

#define LOCKED 255

/* cb_sem_wait_spin() */
inline WAIT_SPIN() {
  do
  ::
#ifdef SEPARATE
     seen=count; count=LOCKED;
#else
     atomic { seen=count; count=LOCKED };
#endif
     if
     :: seen==LOCKED
     :: seen==VALUE -> count=seen
#ifdef ONE_MORE
     :: seen<=VALUE -> count=seen+1; break
#else
     :: seen<VALUE -> count=seen+1; break
#endif
     fi
  od
}

/* cb_sem_post_spin() */
inline POST_SPIN() {
  do
  :: atomic { seen=count; count=LOCKED };
     if :: seen!=LOCKED -> count=seen-1; break :: else fi
  od
}

#if defined(SPIN)
#define WAIT() WAIT_SPIN()
#define POST() POST_SPIN()
#elif defined(OPTIMISTIC)
#define WAIT() WAIT_OPTIMISTIC()
#define POST() count--
#else
#define WAIT() WAIT_SLEEPING()
#define POST() POST_SLEEPING()
#endif

proctype Worker(byte me) {
  byte round, seen, index;
  do
  :: MORE ->
#ifdef LIVE
     if :: me==0 -> waits=true :: else fi;
#endif
     WAIT();
     atomic { inside++; assert(inside<=VALUE) };
     inside--;
#ifdef LIVE
     atomic { if :: me==0 -> waits=false :: else fi; seen=0; index=0 };
     POST()
#else
     POST();
     round++
#endif
  :: else -> break
  od
}

init {
  byte i;
  atomic { do :: i<N -> run Worker(i); i++ :: else -> break od };
  _nr_pr==1;
  assert(count==0 && turns==ticket_)
}

/* Checks (README.md):
 *
 * check quick -DN=3
 * check quick -DN=3 -DVALUE=1
 * check quick -DOPTIMISTIC -DN=3
 * check quick -DSPIN -DN=3
 * check full
 * check full -DOPTIMISTIC
 * check full -DSPIN
 * bug quick -DPRINTED -DN=2 -DVALUE=1: the algorithm as printed, "turn > index", unsigned: a workgroup waits for ever
 *     when the turns wrap
 * bug quick -DTEXT -DN=2 -DVALUE=1: the text beside it, "greater than or equal", lets one too many in
 * bug quick -DTORN -DN=2 -DVALUE=1: a wait counts by a load and a store, and two come in
 * bug quick -DINCLUSIVE -DN=2 -DVALUE=1: a post gives a turn although nobody waits, and a later wait goes in by it
 * bug quick -DREREAD -DN=2 -DVALUE=1: a post looks at the count after it has subtracted, when others have come
 * bug quick -DUNCOMPARED -DOPTIMISTIC -DN=2 -DVALUE=1: a wait that has seen room comes in without looking again
 * bug quick -DONE_MORE -DOPTIMISTIC -DN=2 -DVALUE=1: a wait lets one too many in
 * bug quick -DSEPARATE -DSPIN -DN=2 -DVALUE=1: a wait takes the word by a load and a store, and two come in
 * bug quick -DONE_MORE -DSPIN -DN=2 -DVALUE=1: a wait comes in at capacity
 * bug quick -DSTAYS -DOPTIMISTIC -DN=2 -DVALUE=1: a wait that has failed does not go back out, and all wait for ever
 * live quick -DN=3 -DVALUE=1
 * live quick -DN=3
 * live quick -DOPTIMISTIC -DN=3 -DVALUE=1
 * live quick -DOPTIMISTIC -DN=3
 * stuck quick -DPOLITE -DN=3 -DVALUE=1: a workgroup whose turn has come lets the next one go first, which does the same
 * stuck quick -DRETRIED -DOPTIMISTIC -DN=3 -DVALUE=1: a wait that has failed comes in again at once, without waiting for
 *     room: two that do so see each other there for ever
 * stuck quick -DSPIN -DN=2 -DVALUE=1: no bug but why the spinning ones starve: a post may come in vain for ever, when
 *     waits in vain have the word
 * stuck quick -DEACH -DOPTIMISTIC -DN=2 -DVALUE=1: no bug but why `optimistic` is said to be unfair: one workgroup may
 *     be overtaken for ever
 */
