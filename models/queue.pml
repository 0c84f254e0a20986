/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounded queue with a ticket for each slot (kernels/queues/tickets.clh): N workgroups, each of which enqueues and
 * dequeues R times, through CAP slots. Checked: what is dequeued is what was enqueued with the same ticket (so that
 * each element comes out once, and those of a producer in order), and nobody waits for ever. Sequentially consistent.
 * -DUNWRITTEN: the bug that a slot is said to be full before it is.
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
byte order_[N*R], enqueued, dequeued; /* what a proof needs to know and no kernel does */

#define BASE(t) ((t)-(t)%CAP)

proctype Worker(byte me) {
  byte t, at, round, v;
  do
  :: round<R ->
     v=me*R+round;
     atomic { t=tail; tail=(tail+1)%M; order_[enqueued]=v; enqueued++ };
     turn[t%CAP]==BASE(t);
#ifdef UNWRITTEN
     turn[t%CAP]=(BASE(t)+1)%M;
     value[t%CAP]=v;
#else
     value[t%CAP]=v;
     turn[t%CAP]=(BASE(t)+1)%M;
#endif
     atomic { t=head; head=(head+1)%M; at=dequeued; dequeued++ };
     turn[t%CAP]==(BASE(t)+1)%M;
     v=value[t%CAP];
     turn[t%CAP]=(BASE(t)+CAP)%M;
     assert(v==order_[at]);
     round++
  :: else -> break
  od
}

init {
  byte i;
  atomic { do :: i<N -> run Worker(i); i++ :: else -> break od }
}

/* Commands:
 *
 *     spin -a queue.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000
 *     spin -DR=1 -DCAP=4 -a queue.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000
 */
