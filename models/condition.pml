/* SPDX-License-Identifier: Apache-2.0
 *
 * The condition variable (kernels/condition.clh) over a mutex. N workgroups, half of them producers, hand R elements
 * each through a buffer of one place, with a condition for "not full" and one for "not empty" and a signal for each
 * change (kernels/queues/monitor.clh); or, with -DBROADCAST, meet at R barriers (kernels/barriers/monitor.clh).
 * Checked: nobody waits for ever, which is what a lost wake-up would do; a signal wakes one, and only one that waits;
 * nobody passes a barrier early. With -DLIVE all go on for ever, over a mutex that may be unfair: elements are handed over
 * for ever, and each workgroup passes each barrier. Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 4
#endif
#ifndef R
#define R 2
#endif
#define M 8 /* tickets count modulo (kernel: 2^32) */
#ifdef LIVE
#define MORE true
#else
#define MORE (round<R)
#endif

bool locked;
byte next_[2] = M-1, granted[2] = M-1; /* of each condition: next ticket, tickets that may go */
byte count, passed[N];
byte arrived, generation;
#ifdef LIVE
bool waits; /* the first workgroup does, at a barrier */
#ifdef BROADCAST
ltl live { [] (waits -> <> !waits) }
#else
ltl live { []<> (count==0) && []<> (count==1) }
#endif
#endif

#define LOCK   atomic { !locked -> locked=true }
#define UNLOCK assert(locked); locked=false
#define WAITING(c) ((next_[c]+M-granted[c])%M)

#ifdef EXACT
#define REACHED(now, goal) ((now)==(goal)%M)
#elif defined(UNSIGNED)
#define REACHED(now, goal) ((now)>=(goal)%M)
#else
#define REACHED(now, goal) (((now)+M-(goal))%M<M/2) /* signed difference */
#endif

/* cb_condition_wait() */
inline WAIT(c) {
#ifdef UNGUARDED /* a ticket after the mutex is unlocked */
  UNLOCK;
  atomic { ticket=next_[c]; next_[c]=(next_[c]+1)%M };
#else
  ticket=next_[c]; next_[c]=(next_[c]+1)%M;
  UNLOCK;
#endif
  REACHED(granted[c], ticket+1);
#ifndef UNLOCKED
  LOCK
#endif
}

/* cb_condition_signal(), cb_condition_broadcast() */
inline SIGNAL(c) {
#ifdef STORED
  granted[c]=(granted[c]+1)%M;
#else
  if :: granted[c]!=next_[c] -> granted[c]=(granted[c]+1)%M
     :: else fi;
#endif
  assert(WAITING(c)<=N)
}
#ifdef SINGLE
inline WAKE_ALL(c) { SIGNAL(c) }
#else
inline WAKE_ALL(c) { granted[c]=next_[c] }
#endif

/* As kernel code waits: a condition is looked at again. */
inline UNTIL_NOT(condition, c) {
#ifdef ONCE
  if :: condition -> WAIT(c) :: else fi
#elif defined(AWAKE)
  do :: condition -> UNLOCK; LOCK :: else -> break od
#else
  do :: condition -> WAIT(c) :: else -> break od
#endif
}

proctype Worker(byte me) {
  byte ticket, round, mine;
  do
  :: MORE ->
#ifdef LIVE
     atomic { ticket=0; if :: me==0 -> waits=true :: else fi };
#endif
     LOCK;
#ifdef BROADCAST
     arrived++;
     if
     :: arrived==N -> arrived=0; generation=(generation+1)%M; WAKE_ALL(0)
     :: else ->
        mine=generation;
        UNTIL_NOT(generation==mine, 0)
     fi;
#ifdef LIVE
     atomic { mine=0; if :: me==0 -> waits=false :: else fi };
#else
     passed[me]++;
     mine=0;
     do :: mine<N -> assert(passed[mine]+1>=passed[me]); mine++ :: else -> break od;
#endif
#else
     if
     :: me%2==0 ->
        UNTIL_NOT(count==1, 0);
        count++; assert(count==1); SIGNAL(1)
     :: else ->
        UNTIL_NOT(count==0, 1);
        count--; assert(count==0); SIGNAL(0)
     fi;
#endif
#ifdef LIVE
     UNLOCK
#else
     UNLOCK;
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
 * check quick -DBROADCAST -DN=3
 * bug quick -DUNGUARDED -DN=2: a waiting workgroup unlocks before it has said that it waits, and misses the signal
 * bug quick -DSTORED -DN=2: a signal is granted although nobody waits, and a later wait returns at once
 * bug quick -DUNLOCKED -DN=2: a woken workgroup goes on without the mutex
 * bug quick -DUNSIGNED -DN=2: tickets are compared as unsigned numbers, and a wait returns at once when they wrap
 * bug quick -DONCE: a woken workgroup does not look again whether another has taken what it waits for
 * bug quick -DEXACT: a workgroup waits until exactly its ticket is granted, and misses it when the next one follows
 * bug quick -DSINGLE -DBROADCAST -DN=3: who comes last to the barrier wakes one, and not all
 * live quick -DN=2
 * live full -DN=3
 * live quick -DBROADCAST -DN=3
 * stuck quick -DAWAKE -DN=2: a workgroup that waits looks again and again instead of going to sleep, and takes the mutex
 *     each time before the one that it waits for
 */
