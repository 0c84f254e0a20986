/* SPDX-License-Identifier: Apache-2.0
 *
 * The barriers of flags, `xf` (kernels/barriers/xf.clh, OOPSLA'16 Fig. 2) and, with -DROUNDS, `xf_rounds`, without the
 * workgroup barriers that it has besides: N workgroups of ITEMS work-items pass R barriers. Workgroup 0 is the master,
 * whose work-items wait for the slaves' flags and let them go. Whoever comes out of a barrier finds that all work-items
 * of all workgroups have come to it, and none further than to the next one. With -DGIVES_UP waits may be given up; what
 * their workgroup does then counts for nothing, and that of the others as before. With -DLIVE barriers are passed for
 * ever. Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef R
#define R 3
#endif
#ifdef LIVE
#define M 4 /* rounds count modulo */
#define MORE true
ltl live { ([]<> (at[0]==0)) && ([]<> (at[0]==2)) && ([]<> (at[N*ITEMS-1]==0)) && ([]<> (at[N*ITEMS-1]==2)) }
#else
#define M 16
#define MORE (passed<R)
#endif

byte flag[N];          /* the slave is here; with -DROUNDS, at which barrier */
byte release[N];       /* -DROUNDS: the barrier that it may leave */
byte came[N], turn[N]; /* workgroup barriers: work-items that have come, and barriers passed modulo 2 */
bool aborted;          /* a wait was given up */

/* What a proof needs to know and no kernel does: barriers that a work-item has come to. */
byte at[N*ITEMS];

#if defined(ROUNDS) && !defined(UNCOUNTED)
#define ROUND ((passed+1)%M)
#define IS_REACHED(word) (word==ROUND)
#elif defined(ROUNDS)
#define ROUND 1
#define IS_REACHED(word) (word==1)
#endif

inline WORKGROUP_BARRIER() {
  atomic {
    mine=turn[group];
    came[group]++;
    if
    :: came[group]==ITEMS -> came[group]=0; turn[group]=1-mine
    :: else
    fi
  };
  atomic { turn[group]!=mine -> mine=0 }
}

/* A bounded wait: `failed` if it was given up. */
inline WAIT(condition) {
  if
  :: atomic { condition -> skip }
#ifdef GIVES_UP
  :: atomic { aborted=true; failed=true }
#endif
  fi
}

/* Each of the master's work-items for its slaves. */
#ifdef ONE_EACH
#define NEXT_SLAVE(g) N
#else
#define NEXT_SLAVE(g) (g+ITEMS)
#endif

inline AWAIT_SLAVES() {
  g=item+1;
  do
  :: g<N && !failed ->
#ifdef ROUNDS
     WAIT(IS_REACHED(flag[g]));
#else
     WAIT(flag[g]==1);
#endif
     g=NEXT_SLAVE(g)
  :: else -> break
  od;
  g=0
}

inline RELEASE_SLAVES() {
#ifndef UNLOOKED
  if :: aborted -> failed=true :: else fi;
#endif
  g=item+1;
  do
  :: g<N && !failed ->
#ifdef ROUNDS
     release[g]=ROUND;
#else
     flag[g]=0;
#endif
     g=NEXT_SLAVE(g)
  :: else -> break
  od;
  g=0
}

inline ARRIVE_AND_WAIT() {
#ifdef ROUNDS
  flag[group]=ROUND;
  WAIT(IS_REACHED(release[group]))
#else
  flag[group]=1;
#ifdef AGAIN
  do
  :: flag[group]==0 -> break
  :: flag[group]!=0 -> flag[group]=1
  od
#else
  WAIT(flag[group]==0)
#endif
#endif
}

inline BARRIER() {
  if
  :: group==0 && !failed -> AWAIT_SLAVES()
  :: else
  fi;
#ifdef UNJOINED
  if :: group!=0 -> WORKGROUP_BARRIER() :: else fi;
#elif defined(UNENTERED)
  if :: group==0 -> WORKGROUP_BARRIER() :: else fi;
#else
  WORKGROUP_BARRIER();
#endif
  if
  :: group==0 && !failed -> RELEASE_SLAVES()
  :: group!=0 && item==0 && !failed -> ARRIVE_AND_WAIT()
  :: else
  fi;
#ifndef UNLEFT
  if :: group!=0 -> WORKGROUP_BARRIER() :: else fi
#endif
}

/* A work-item of a slave does not learn that its first one has given up. */
#define COUNTS (!failed && (group==0 || item==0 || !aborted))

proctype Item(byte group, item) {
  byte passed, mine, g;
  bool failed;
  do
  :: MORE ->
     at[group*ITEMS+item]=(passed+1)%M;
     BARRIER();
     atomic {
       g=0;
       do
       :: g<N*ITEMS && COUNTS -> assert(at[g]==(passed+1)%M || at[g]==(passed+2)%M); g++
       :: else -> break
       od;
       g=0;
       passed=(passed+1)%M
     }
  :: else -> break
  od
}

init {
  byte i;
  atomic { do :: i<N*ITEMS -> run Item(i/ITEMS, i%ITEMS); i++ :: else -> break od };
  _nr_pr==1
}

/* Checks (README.md):
 *
 * check quick
 * check quick -DROUNDS
 * check quick -DN=4 -DR=1
 * check quick -DGIVES_UP -DR=1
 * check full -DN=4 -DR=2
 * check full -DN=4 -DR=2 -DROUNDS
 * check full -DGIVES_UP -DR=2
 * check full -DGIVES_UP -DROUNDS -DR=2
 * bug quick -DUNJOINED: a work-item of the master lets its slaves go when they have come, and not all
 * bug quick -DUNENTERED: a slave says that it is here before all of its work-items are
 * bug quick -DUNLEFT: the other work-items of a slave do not wait for the first one's turn to go
 * bug quick -DONE_EACH -DN=4: as the figure is printed, a work-item of the master has one slave, and there are more slaves
 * bug quick -DAGAIN: a slave says again that it is here as long as it waits, and writes over the release
 * bug quick -DUNCOUNTED -DROUNDS: two flags that nobody resets, without the number of the round
 * bug quick -DUNLOOKED -DGIVES_UP: the master lets its slaves go although another of its work-items has given up
 * live quick -DN=2
 * live full
 * live full -DROUNDS
 */
