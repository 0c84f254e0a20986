/* SPDX-License-Identifier: Apache-2.0
 *
 * The condition variable (kernels/condition.clh) over a mutex. N workgroups, half of them producers, hand R elements
 * each through a buffer of one place, with a condition for "not full" and one for "not empty" and a signal for each
 * change (kernels/queues/monitor.clh); or, with -DBROADCAST, meet at R barriers (kernels/barriers/condition.clh).
 * Checked: nobody waits for ever, which is what a lost wake-up would do; a signal wakes one, and only one that waits;
 * nobody passes a barrier early. Sequentially consistent. -DUNGUARDED: the bug that a waiting workgroup unlocks
 * before it has said that it waits.
 */
#ifndef N
#define N 4
#endif
#ifndef R
#define R 2
#endif
#define M 8 /* tickets count modulo (kernel: 2^32) */

bool locked;
byte next_[2] = M-1, granted[2] = M-1; /* of each condition: next ticket, tickets that may go */
byte count, passed[N];
byte arrived, generation;

#define LOCK   atomic { !locked -> locked=true }
#define UNLOCK assert(locked); locked=false
#define WAITING(c) ((next_[c]+M-granted[c])%M)

/* cb_condition_wait() */
inline WAIT(c) {
#ifdef UNGUARDED
  UNLOCK;
  atomic { ticket=next_[c]; next_[c]=(next_[c]+1)%M };
#else
  ticket=next_[c]; next_[c]=(next_[c]+1)%M;
  UNLOCK;
#endif
  (granted[c]+M-ticket-1)%M<M/2; /* signed difference: reached */
  LOCK
}

/* cb_condition_signal(), cb_condition_broadcast() */
inline SIGNAL(c) {
  if :: granted[c]!=next_[c] -> granted[c]=(granted[c]+1)%M
     :: else fi;
  assert(WAITING(c)<=N)
}
inline WAKE_ALL(c) { granted[c]=next_[c] }

proctype Worker(byte me) {
  byte ticket, round, mine;
  do
  :: round<R ->
     LOCK;
#ifdef BROADCAST
     arrived++;
     if
     :: arrived==N -> arrived=0; generation=(generation+1)%M; WAKE_ALL(0)
     :: else ->
        mine=generation;
        do :: generation==mine -> WAIT(0) :: else -> break od
     fi;
     passed[me]++;
     mine=0;
     do :: mine<N -> assert(passed[mine]+1>=passed[me]); mine++ :: else -> break od;
#else
     if
     :: me%2==0 ->
        do :: count==1 -> WAIT(0) :: else -> break od;
        count++; assert(count==1); SIGNAL(1)
     :: else ->
        do :: count==0 -> WAIT(1) :: else -> break od;
        count--; assert(count==0); SIGNAL(0)
     fi;
#endif
     UNLOCK;
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
 *     spin -a condition.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000
 *     spin -DBROADCAST -DN=3 -a condition.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000
 */
