/* SPDX-License-Identifier: Apache-2.0
 *
 * The roll call without a scheduler (kernels/wait.clh): waits that have passed their deadline call the roll themselves, to
 * tell a deadlock from waits for work that takes long. N workgroups begin, work, wait and end; the last may begin late, or
 * never, since it does not fit. One at work ends waits, and takes as long as it likes. A deadlock is called only if nobody
 * works; with -DLIVE: each deadlock is called. Sequentially consistent. The checks are at the end.
 *
 * Workgroups count themselves as they begin, and as they end. A call notes first how many have ended: these have done all
 * that they do, and each wait that goes on has looked since. So if all others that have begun answer, as in roll_call.pml,
 * they waited when it was called, and the first of these waits could only be ended by one that has not begun. A lock,
 * which nobody waits for, lets one at a time call the roll, or look whether all have answered.
 */
#ifndef N
#define N 3     /* workgroups */
#endif
#ifndef ACTS
#define ACTS 2  /* waits that are ended before their time, in all */
#endif
#ifndef CALLS
#define CALLS 3 /* roll calls; with -DLIVE, after the last comes 1 again */
#endif

byte begun, left;     /* workgroups */
byte number, answers; /* one word: the call, 0 before the first */
byte gone;            /* `left`, when the roll was called */
bool calling;         /* the lock */
bool called;          /* a deadlock */
bool wake[N];         /* the wait is over */
byte acts;

/* What a proof needs to know and no kernel does. */
bool waits[N], works[N];
#define IS_IDLE(w) (!works[w] && !(waits[w] && wake[w]))
#define NOBODY_WORKS (IS_IDLE(0) && IS_IDLE(1) && IS_IDLE(N-1))
#ifdef LIVE
/* A deadline is far longer than a turn: a call is not old before all that wait have heard it and could answer. */
byte fresh[N];
#define HAS_HEARD(w) (fresh[w]==0 || !waits[w])
#define IS_OLD (HAS_HEARD(0) && HAS_HEARD(1) && HAS_HEARD(N-1))
#define TURN_OF(w) if :: fresh[w]>0 -> fresh[w]=fresh[w]-1 :: else fi
#define ALL_FRESH fresh[0]=3; fresh[1]=3; fresh[N-1]=3
#define MAY_PASS false /* all deadlines have passed */
#define MAY_CALL true
#define NEXT (number%CALLS+1)
ltl live { [] ((NOBODY_WORKS && (waits[0] || waits[1] || waits[N-1])) -> <> (called || !NOBODY_WORKS)) }
#else
#define IS_OLD true
#define TURN_OF(w) skip
#define ALL_FRESH skip
#define MAY_PASS true
#define MAY_CALL number<CALLS
#define NEXT (number+1)
#endif

#ifdef UNLOCKED
#define LOCK true
#define UNLOCK skip
#define IS_LOCKED false
#else
#define LOCK atomic { !calling -> calling=true }
#define UNLOCK calling=false
#define IS_LOCKED calling
#endif

inline NOTE_LEFT() {
#ifdef RECOUNTED
  skip
#else
  note=left; gone=note; note=0
#endif
}

#ifdef RECOUNTED
#define GONE left
#else
#define GONE gone
#endif

inline CALL() {
#ifndef NOTED_LATE
  NOTE_LEFT();
#endif
  atomic { number=NEXT; answers=0; ALL_FRESH };
#ifdef NOTED_LATE
  NOTE_LEFT()
#endif
}

/* Whether all have answered the call that it has seen; if not, and it was old by then, there is a new one. */
inline HEED() {
  if
  :: seen==0 || IS_OLD -> old=true
  :: MAY_PASS || !(seen==0 || IS_OLD)
  fi;
  if
  :: LOCK ->
     atomic { note=answers; same=(number==seen) };
     atomic {
       if
       :: same && seen>0 && note+GONE>=begun -> assert(NOBODY_WORKS); called=true
       :: else
       fi;
       note=0
     };
     if :: !called && same && old && MAY_CALL -> CALL() :: else fi;
     UNLOCK
  :: IS_LOCKED
  fi;
  old=false; same=false
}

/* One turn of a wait that has passed its deadline, and was not over just now. */
inline TURN(w) {
  if
  :: MAY_PASS
  :: true ->
     atomic { seen=number; TURN_OF(w) };
     if
     :: heard==seen && owes ->
        owes=false;
        atomic { if :: number==seen -> answers++ :: else fi }
     :: heard!=seen -> owes=(heard!=0); heard=seen
     :: else
     fi;
     HEED();
     seen=0
  fi
}

proctype Worker(byte me) {
  byte seen, heard, note;
  bool owes, old, same;
  if
#ifdef UNCOUNTED
  :: works[me]=true;
     begun++
#else
  :: atomic { begun++; works[me]=true }
#endif
#ifndef FITS
  :: me==N-1 -> goto end
#endif
  fi;
work:
  do
  :: called -> goto end
  :: atomic { !called && acts<ACTS -> acts++; if :: wake[(me+1)%N]=true :: wake[(me+N-1)%N]=true fi }
  :: atomic { !called -> works[me]=false; waits[me]=true; heard=0; owes=false; break }
#ifdef LEFT_EARLY
  :: !called -> left++; if :: wake[(me+1)%N]=true :: true fi; works[me]=false; goto end
#else
  :: atomic { !called -> left++; works[me]=false; goto end }
#endif
  od;
  do
  :: called -> goto end
  :: atomic { !called && wake[me] -> wake[me]=false; waits[me]=false; works[me]=true; break }
  :: !called && !wake[me] -> TURN(me)
  od;
  goto work;
end:
  skip
}

init {
  byte v;
  atomic { do :: v<N -> run Worker(v); v++ :: else -> break od }
}

/* Checks (README.md):
 *
 * check quick -DN=2 -DACTS=2
 * check quick -DN=3 -DACTS=1 -DCALLS=1
 * check full -DN=3 -DACTS=1 -DCALLS=2
 * check full -DN=3 -DACTS=2 -DCALLS=3
 * bug quick -DRECOUNTED -DN=3 -DACTS=1: those that have ended are counted when all have answered: one of them has ended a
 *     wait since the call
 * bug quick -DNOTED_LATE -DN=3 -DACTS=1: those that have ended are counted after the call
 * bug quick -DUNLOCKED -DN=3 -DACTS=1 -- -DT_REVERSE -UCOLLAPSE: two workgroups call the roll at once
 * bug quick -DUNCOUNTED -DN=2: a workgroup counts itself after it has begun to work
 * bug quick -DLEFT_EARLY -DN=3 -DACTS=1: a workgroup ends a wait after it has counted itself as ended
 * live quick -DN=2 -DACTS=1
 * live full -DN=2 -DACTS=2 -DFITS
 *
 * -DACTS: waits are ended so many times; -DCALLS: so many calls; -DFITS: all workgroups begin.
 */
