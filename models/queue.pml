/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounded queue with a ticket for each slot (kernels/queues/tickets.clh): N workgroups, each of which enqueues and
 * dequeues R times, through CAP slots. Checked: what is dequeued is what was enqueued with the same ticket (so that
 * each element comes out once, and those of a producer in order), and nobody waits for ever. With -DLIVE they do so for
 * ever: each wait ends. Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 3
#endif
#ifndef R
#define R 2
#endif
#ifndef CAP
#define CAP 2       /* the kernel's is a power of two, from 2 on; with 1, "full" and "empty again" are the same */
#endif
#define M 8         /* tickets count modulo (kernel: 2^32), so that they wrap */

byte tail = M-CAP, head = M-CAP, turn[CAP] = M-CAP, value[CAP];
/* What a proof needs to know and no kernel does. */
#ifdef LIVE
bool waits; /* the first workgroup does */
#define MORE true
#define NOTE_ENQUEUED skip
#define NOTE_DEQUEUED skip
#define NOTE_WAITS(does) if :: me==0 -> waits=does :: else fi
ltl live { [] (waits -> <> !waits) }
#else
byte order_[N*R], enqueued, dequeued;
#define MORE (round<R)
#define NOTE_ENQUEUED order_[enqueued]=v; enqueued++
#define NOTE_DEQUEUED at=dequeued; dequeued++
#define NOTE_WAITS(does) skip
#endif

#define BASE(t) ((t)-(t)%CAP)
#ifdef LAPLESS
#define IS_FULL(t) (turn[(t)%CAP]%CAP==1)
#else
#define IS_FULL(t) (turn[(t)%CAP]==(BASE(t)+1)%M)
#endif
#ifdef UNLAPPED
#define EMPTY_AGAIN(t) BASE(t)
#else
#define EMPTY_AGAIN(t) ((BASE(t)+CAP)%M)
#endif

proctype Worker(byte me) {
  byte t, at, round, v;
  do
  :: MORE ->
     v=me*R+round;
#ifdef TORN
     t=tail;
     atomic { tail=(t+1)%M; NOTE_ENQUEUED };
#elif defined(RETURNED)
     NOTE_WAITS(true);
     do
     :: atomic { t=tail; tail=(tail+1)%M };
        if
        :: turn[t%CAP]==BASE(t) -> break
        :: atomic { (turn[t%CAP]!=BASE(t) && tail==(t+1)%M) -> tail=t }
        fi
     od;
#else
     atomic { NOTE_WAITS(true); t=tail; tail=(tail+1)%M; NOTE_ENQUEUED };
#endif
#ifndef HASTY
     atomic { turn[t%CAP]==BASE(t) -> NOTE_WAITS(false) };
#endif
#ifdef UNWRITTEN
     turn[t%CAP]=(BASE(t)+1)%M;
     value[t%CAP]=v;
#else
     value[t%CAP]=v;
     turn[t%CAP]=(BASE(t)+1)%M;
#endif
     atomic { NOTE_WAITS(true); t=head; head=(head+1)%M; NOTE_DEQUEUED };
     atomic { IS_FULL(t) -> NOTE_WAITS(false) };
#ifdef UNREAD
     turn[t%CAP]=EMPTY_AGAIN(t);
     v=value[t%CAP];
#else
     v=value[t%CAP];
     turn[t%CAP]=EMPTY_AGAIN(t);
#endif
#ifndef LIVE
     assert(v==order_[at]);
     round++
#endif
  :: else -> break
  od
}

init {
  byte i;
  atomic { do :: i<N -> run Worker(i); i++ :: else -> break od }
}

/* Checks (README.md):
 *
 * check quick
 * check quick -DR=1 -DCAP=4
 * bug quick -DUNWRITTEN -DN=2 -DR=1: a slot is said to be full before it is
 * bug quick -DUNREAD -DN=2: a slot is said to be empty again before its element has been read
 * bug quick -DTORN -DN=2 -DR=1: a ticket is drawn by a load and a store, so that two workgroups get the same one
 * bug quick -DHASTY -DN=2: a workgroup writes its element without waiting until the slot is empty
 * bug quick -DUNLAPPED -DN=2: a slot that is empty again has the turn of the lap that is over
 * bug quick -DLAPLESS: "full" is taken without its lap, so that the element of an earlier ticket is read twice
 * bug quick -DCAP=1 -DN=2: a queue must have two slots
 * live quick -DN=2
 * live quick
 * stuck quick -DRETURNED: a workgroup that would have to wait gives its ticket back and comes again, and others are
 *     always before it
 */
