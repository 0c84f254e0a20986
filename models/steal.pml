/* SPDX-License-Identifier: Apache-2.0
 *
 * The lock-free work-stealing deque (kernels/steal.clh): its owner pushes TASKS tasks, one or two at a time, and pops
 * the newest, while THIEVES workgroups steal the oldest. Both ends are in one word. What the owner knows of the ends
 * may be wrong, and anything when it begins, as after it has joined under the id of another. Each task is taken once,
 * and none is lost. With -DLIVE they push, pop and steal for ever: tasks are taken for ever, and each pop ends, however
 * many thieves there are. Sequentially consistent. The checks are at the end.
 */
#ifndef THIEVES
#define THIEVES 2
#endif
#ifndef TASKS
#define TASKS 4
#endif
#ifndef TRIES
#define TRIES 2     /* of a thief */
#endif
#ifndef ROOM
#define ROOM 2      /* a power of two */
#endif
#define M 8         /* indices count modulo (kernel: 2^32), so that they wrap */

byte oldest=M-1, behind=M-1; /* the word `ends`: both are read and written at once */
byte place[ROOM];
/* What a proof needs to know and no kernel does; tasks count from 1. */
#ifdef LIVE
bit turn;                    /* changes with each that is taken */
bool pops;
ltl live { []<> (turn==0) && []<> (turn==1) && [] (pops -> <> !pops) }
#else
byte taken[TASKS+1];
#endif

#define NEXT(index) (((index)+1)%M)
#define BEFORE(index) (((index)+M-1)%M)
#define SIZE(from, to) (((to)+M-(from))%M)
#ifdef LIVE
#define TAKE(task) turn=1-turn
#define NOTE_POPS(does) pops=does
#define NUMBER(i) 1
#else
#define TAKE(task) assert(task>0 && taken[task]==0); taken[task]++
#define NUMBER(i) (pushed+1+(i))
#endif

#ifdef HALVES /* it compares the index of its end alone, and writes both */
#define IS_AS_SEEN (oldest==seen_oldest)
#elif defined(BLIND) /* it adds, and does not compare */
#define IS_AS_SEEN true
#else
#define IS_AS_SEEN (oldest==seen_oldest && behind==seen_behind)
#endif

/* cb_deque_steal() */
inline STEAL() {
  atomic { seen_oldest=oldest; seen_behind=behind };
  if
  :: SIZE(seen_oldest, seen_behind)==0
  :: else ->
#ifndef LATE
     task=place[seen_oldest%ROOM];
#endif
     atomic {
       swapped=IS_AS_SEEN;
       if
       :: swapped ->
          oldest=NEXT(oldest);
#ifdef HALVES
          behind=seen_behind;
#endif
#ifndef LATE
          TAKE(task)
#endif
       :: else
       fi
     }
#ifdef LATE
     if
     :: swapped -> atomic { task=place[seen_oldest%ROOM]; TAKE(task) }
     :: else
     fi
#endif
  fi;
  atomic { task=0; seen_oldest=0; seen_behind=0; swapped=false }
}

proctype Thief() {
  byte tries, task, seen_oldest, seen_behind;
  bool swapped;
  do
#ifdef LIVE
  :: true -> STEAL()
#else
  :: tries<TRIES -> STEAL(); tries++
#endif
  :: else -> break
  od
}

/* cb_deque_push() of n tasks; the caller has looked whether there is room */
inline PUSH(n) {
  i=0;
#ifdef EARLY
  behind=(behind+n)%M;
#endif
  do
  :: i<n -> place[((mine_behind+i)%M)%ROOM]=NUMBER(i); i++
  :: else -> break
  od;
#ifndef EARLY
  behind=(behind+n)%M;
#endif
#ifndef UNADDED
  mine_behind=(mine_behind+n)%M;
#endif
#ifndef LIVE
  pushed=pushed+n;
#endif
  i=0
}

#ifdef INEXACT /* room for one is taken for room for all */
#define HAS_ROOM(n) (SIZE(mine_oldest, mine_behind)<ROOM)
#else
#define HAS_ROOM(n) (SIZE(mine_oldest, mine_behind)+(n)<=ROOM)
#endif
#define MAY_PUSH(n) (knows && pushed+(n)<=TASKS && HAS_ROOM(n))

/* cb_deque_pop() */
inline POP() {
  if
  :: (SIZE(mine_oldest, mine_behind)==0 || SIZE(mine_oldest, mine_behind)>ROOM) ->
     atomic { mine_oldest=oldest; mine_behind=behind }
  :: else
  fi;
  got=false;
  do
  :: (!got && SIZE(mine_oldest, mine_behind)>0) ->
     task=place[BEFORE(mine_behind)%ROOM];
     atomic {
#ifdef STORED
       got=true;
#else
       got=(oldest==mine_oldest && behind==mine_behind);
#endif
       if
       :: got ->
#ifdef NEWEST
          mine_behind=BEFORE(mine_behind);
#else
          if
          :: SIZE(mine_oldest, mine_behind)==1 -> mine_oldest=NEXT(mine_oldest)
          :: else -> mine_behind=BEFORE(mine_behind)
          fi;
#endif
          oldest=mine_oldest; behind=mine_behind;
          TAKE(task)
#ifdef UNRELOADED
       :: else
#else
       :: else -> mine_oldest=oldest; mine_behind=behind
#endif
       fi
     }
  :: else -> break
  od;
  knows=true; task=0
}

init {
  byte i, task, pushed, mine_oldest, mine_behind;
  bool got, knows;
  atomic {
    do :: i<THIEVES -> run Thief(); i++ :: else -> break od;
    do :: mine_oldest<M-1 -> mine_oldest++ :: break od;
    do :: mine_behind<M-1 -> mine_behind++ :: break od
  };
  do
  :: MAY_PUSH(1) -> PUSH(1)
  :: MAY_PUSH(2) -> PUSH(2)
#ifdef LIVE
  :: (!knows || SIZE(mine_oldest, mine_behind)>0) -> NOTE_POPS(true); POP(); NOTE_POPS(false)
#else
  :: true -> POP(); if :: (!got && pushed==TASKS) -> break :: else fi
#endif
  od;
#ifndef LIVE
  i=1;
  do
  :: i<=TASKS -> taken[i]==1; i++ /* for ever, if it is lost */
  :: else -> break
  od
#endif
}

/* Checks (README.md):
 *
 * check quick
 * check full -DTASKS=6 -DROOM=4
 * check full -DTHIEVES=3
 * bug quick -DNEWEST: the last task is popped from the new end: a word `ends` comes again, and means another task
 * bug quick -DHALVES: a thief compares the oldest index alone, and takes back what the owner has pushed or popped
 * bug quick -DBLIND: a thief adds one to the oldest index, whatever it has become
 * bug quick -DLATE: a thief reads its task after the swap, when the owner may have written the place again
 * bug quick -DEARLY: the owner says that there is a task before it has written it
 * bug quick -DSTORED: the owner stores the ends without comparing
 * bug quick -DUNADDED: the owner does not count what it has pushed, and writes over it
 * bug quick -DINEXACT: the owner looks for room for one task, and pushes two
 * live quick -DTHIEVES=1
 * live full
 * stuck quick -DTHIEVES=1 -DUNRELOADED: the owner does not look at the ends again after a swap that a thief has made fail
 */
