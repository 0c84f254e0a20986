/* SPDX-License-Identifier: Apache-2.0
 *
 * Occupancy discovery (kernels/discovery.clh), by the protocol without a mutex or, with -DMUTEX, the one with it, which
 * is adaptive; with -DPRINTED, too, the one of OOPSLA'16 Figure 3. N workgroups, of which RESIDENT are on the device at
 * once; another starts when one has ended. The poll may be closed at any time. Participants have the ids from 0 on, each
 * once, agree on their number, and are there at the same time: so they can meet at a barrier. There is at least one. With
 * -DNATIVE, ids are then put into the order of native numbers. With -DLIVE those that do not fit may never run; all others come to
 * their end. Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 4
#endif
#ifndef RESIDENT
#define RESIDENT 3
#endif
#define CLOSED 128 /* the top bit of the word; late workgroups add to what is below */

byte poll, total;  /* without a mutex */
byte count;        /* with it */
bool closed, locked;

/* What a proof needs to know and no kernel does. */
byte running, arrived, members, size;
bool has_id[N];
#ifdef NATIVE
bool mark[N];      /* by native number */
byte marked;
byte id_of[N];     /* 1 + the id */
#endif
#ifdef LIVE
byte over_; /* that have ended, or never run */
ltl live { <> (over_==N) }
/* A participant closes the poll once a turn has brought nobody new: cb_discovery_may_close(). */
#ifdef AWAITED
#define MAY_CLOSE (count==N)
#else
#define MAY_CLOSE (count==seen)
#endif
#endif

#define LOCK atomic { !locked -> locked=true }
#define UNLOCK assert(locked); locked=false

/* cb_discover_lockfree() */
inline DISCOVER_LOCKFREE() {
#ifdef TORN
  id=poll; poll=id+1;
#else
  atomic { id=poll; poll++ };
#endif
#ifdef UNASKED
  id=id&~CLOSED;
#endif
  participates=!(id&CLOSED);
  if
  :: participates ->
#ifdef ANYBODY
     CLOSE();
#else
     if :: id==0 -> CLOSE() :: else fi;
#endif
#ifndef UNWAITED
     total>0;
#endif
#ifdef RECOUNTED
     groups=poll&~CLOSED
#else
     groups=total
#endif
  :: else
  fi
}

/* cb_discovery_close() */
inline CLOSE() {
#ifdef HALF
  seen=poll; poll=poll|CLOSED;
#else
  atomic { seen=poll; poll=poll|CLOSED };
#endif
  total=seen
}

/* cb_discover_mutex(), without a delay. The closing phase may be long after the polling phase. */
inline DISCOVER_PRINTED() {
  LOCK;
  participates=!closed;
  if :: participates -> id=count; count++ :: else fi;
  UNLOCK;
  if
  :: participates ->
     LOCK;
#ifdef COUNTED_FIRST
     groups=count;
     UNLOCK;
     LOCK;
#endif
     if :: !closed -> closed=true :: else fi;
     UNLOCK;
#ifndef COUNTED_FIRST
     groups=count
#endif
  :: else
  fi
}

/* cb_ids_native() */
inline NUMBER_NATIVELY() {
#ifndef MARKED_FIRST
  mark[native]=true;
#endif
#ifndef UNMET
  marked++;
  marked==groups;
#endif
  id=0; i=0;
  do
  :: i<native -> id=id+mark[i]; i++
  :: else -> break
  od
}

/* cb_discover_mutex_adaptive() */
inline DISCOVER_MUTEX() {
#ifdef UNGUARDED
  participates=!closed;
  if :: participates -> id=count; count=id+1 :: else fi;
#else
  LOCK;
#ifdef UNSEEN
  participates=true;
#else
  participates=!closed;
#endif
  if :: participates -> id=count; count++ :: else fi;
  UNLOCK;
#endif
  if
  :: participates ->
     seen=id+1; over=false;
     do
     :: !over ->
        LOCK;
#ifdef LIVE
        over=(closed || MAY_CLOSE);
#else
        if :: over=closed :: over=true fi;
#endif
#ifdef BEFORE
        groups=seen;
#endif
        seen=count;
        closed=closed||over;
        UNLOCK
     :: else -> break
     od;
#ifndef BEFORE
     groups=seen
#endif
  :: else
  fi
}

proctype Workgroup(byte native) {
  byte id, seen, groups, i;
  bool participates, over;
#ifdef LIVE
  if
  :: atomic { running<RESIDENT -> running++ }
  :: atomic { running==RESIDENT -> goto missing }
  fi;
#else
  atomic { running<RESIDENT -> running++ };
#endif
#ifdef MARKED_FIRST
  mark[native]=true;
#endif
#ifdef PRINTED
  DISCOVER_PRINTED();
#elif defined(MUTEX)
  DISCOVER_MUTEX();
#else
  DISCOVER_LOCKFREE();
#endif
  if
  :: participates ->
#ifdef NATIVE
     NUMBER_NATIVELY();
     id_of[native]=id+1;
#endif
     atomic {
       assert(id<groups);
       assert(!has_id[id]); has_id[id]=true; members++;
       assert(size==0 || size==groups); size=groups
     };
     atomic { arrived++ };
     arrived==groups
  :: else
  fi;
  running--;
#ifdef LIVE
missing:
  over_++
#endif
}

init {
  byte i;
  atomic { do :: i<N -> run Workgroup(i); i++ :: else -> break od };
  _nr_pr==1;
  assert(members>0 && members==size);
#ifdef NATIVE
  byte before;
  i=0;
  do
  :: i<N ->
     assert(id_of[i]==0 || id_of[i]>before);
     if :: id_of[i]>0 -> before=id_of[i] :: else fi;
     i++
  :: else -> break
  od
#endif
}

/* Checks (README.md):
 *
 * check quick
 * check quick -DN=5 -DRESIDENT=2
 * check quick -DMUTEX -DN=3 -DRESIDENT=2
 * check full -DMUTEX
 * check quick -DPRINTED -DN=3 -DRESIDENT=2
 * check full -DPRINTED
 * check quick -DNATIVE -DN=3
 * check full -DNATIVE
 * bug quick -DTORN -DN=2: an id is drawn by a load and a store, so that two workgroups get the same one
 * bug quick -DHALF -DN=2: participant 0 counts before it closes the poll, and whoever comes in between is not counted
 * bug quick -DRECOUNTED -DN=3: a participant takes the number from the word, to which late workgroups have added
 * bug quick -DANYBODY -DN=3: each participant closes the poll, and publishes what it finds
 * bug quick -DUNWAITED -DN=2: a participant does not wait until the number is there
 * bug quick -DUNASKED -DN=2: a workgroup does not ask whether the poll was closed when it came
 * bug quick -DUNGUARDED -DMUTEX -DN=2: a workgroup joins without the mutex
 * bug quick -DUNSEEN -DMUTEX -DN=2: with the mutex, a workgroup does not look whether the poll is closed
 * bug quick -DBEFORE -DMUTEX -DN=2: a participant takes the number of its turn before the last one
 * bug quick -DCOUNTED_FIRST -DPRINTED -DN=2: as printed, a participant takes the number before the poll is closed
 * bug quick -DUNMET -DNATIVE -DN=2: a participant counts the marks below its own before all have been made
 * bug quick -DMARKED_FIRST -DNATIVE -DN=3: a workgroup makes its mark before it knows that it participates
 * live quick
 * live quick -DMUTEX -DN=3 -DRESIDENT=2
 * stuck quick -DAWAITED -DMUTEX -DN=3 -DRESIDENT=2: the poll is closed once all that were launched have come, and those
 *     that do not fit never do
 */
