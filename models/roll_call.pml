/* SPDX-License-Identifier: Apache-2.0
 *
 * The roll call, by which the scheduler tells a deadlock from waits for work that takes long (kernels/wait.clh,
 * kernels/coop/roll_call.clh). N workgroups work, and wait at a barrier or in the pool. One at work ends waits, by itself
 * or by an order to the scheduler, leaves a share that anybody of the pool may take, and waits again, all for as long as
 * it likes. A deadlock is called only if nobody works, or is about to; with -DLIVE: each deadlock is called.
 * Sequentially consistent. The checks are at the end.
 *
 * One word has a call's number, how many have answered it, and whether a wait is in doubt, since it has passed its
 * deadline. A wait answers a call that it has heard as a new one, so that it began before it, and only if it has looked
 * since whether it is over: what was done for it before the call has been seen. So all who have answered waited when the
 * roll was called, and after it nobody but the scheduler can end the first of these waits: it calls the roll anew if it
 * has done so.
 */
#ifndef N
#define N 2    /* workgroups */
#endif
#ifndef LAST
#define LAST 3 /* the number after which 1 comes again */
#endif

byte number=1, answers;  /* one word: the call, */
#ifdef LIVE
bool doubt;              /* and whether somebody is in doubt; without it, the scheduler may always heed */
#define HAS_DOUBT doubt
#define FORGET_DOUBT doubt=false
#else
#define HAS_DOUBT true
#define FORGET_DOUBT skip
#endif
bool called;             /* a deadlock */
bool wake[N];            /* mail, or a barrier that is complete: the wait is over */
bool order[N];           /* the scheduler is to send for it */
bool waits[N], plain[N]; /* plain: not in the pool */
#ifdef SHARES
bool share;              /* of a child, for anybody of the pool */
#define MAY_TAKE(w) (share && !plain[w])
#else
#define MAY_TAKE(w) false
#endif
#ifdef ITEMS
/* Of the first workgroup two work-items wait, which answer once. */
bool answered[2], helps; /* a bit for each of two calls; the second waits, too */
#endif

/* What a proof needs to know and no kernel does. */
#define IS_IDLE(w) (waits[w] && !wake[w] && !order[w] && !MAY_TAKE(w))
#define NOBODY_WORKS (IS_IDLE(0) && IS_IDLE(1) && IS_IDLE(N-1))
/* Calls since a wait has looked: no turn takes as long as all numbers take. The last is the helper's. */
byte since[N+1];
#define LOOKS(i) since[i]<LAST-1
#ifdef ITEMS
#define ALL_LOOK (LOOKS(0) && LOOKS(1) && LOOKS(N-1) && LOOKS(N))
#else
#define ALL_LOOK (LOOKS(0) && LOOKS(1) && LOOKS(N-1))
#endif
#define ONE_MORE(i) if :: waits[i] -> since[i]++ :: else fi
#ifdef LIVE
/* A deadline is far longer than a turn: a call is not old before all that wait have heard it and could answer. */
byte fresh[N];
#define IS_OLD (fresh[0]==0 && fresh[1]==0 && fresh[N-1]==0)
#define TURN_OF(w) if :: fresh[w]>0 -> fresh[w]=fresh[w]-1 :: else fi
#define MAY_PASS false /* all deadlines have passed, and all turns look at the call */
ltl live { [] ((NOBODY_WORKS && (plain[0] || plain[1] || plain[N-1])) -> <> called) }
#else
#define IS_OLD true
#define TURN_OF(w) skip
#define MAY_PASS true
#endif

#ifdef ACTS
byte acts; /* by which waits end: so many in all */
#define MAY_ACT acts<ACTS
#define HAS_ACTED acts++
#else
#define MAY_ACT true
#define HAS_ACTED skip
#endif
#ifdef CALLS
#define MAY_CALL number<CALLS
#else
#define MAY_CALL ALL_LOOK
#endif

/* Once in each call. The swap fails if the next one has been called. */
inline ANSWER(i) {
#ifdef ITEMS
#ifndef TWICE
  if :: (i==0 || i==N) -> atomic { was=answered[seen%2]; answered[seen%2]=true } :: else fi;
#endif
  if
  :: !was -> atomic { if :: number==seen -> answers++ :: else fi }
  :: else
  fi;
  was=false
#elif defined(STALE)
  answers++
#else
  atomic { if :: number==seen -> answers++ :: else fi }
#endif
}

/* One turn of a wait that is not over. i: of `since`. */
inline TURN(w, i) {
  if
  :: MAY_PASS
  :: true ->
     atomic { seen=number; since[i]=0; TURN_OF(w) };
#ifdef LIVE
     if :: plain[w] -> doubt=true :: else fi;
#endif
     atomic {
       if
       :: seen!=heard ->
#ifdef NEWCOMER
          owes=true;
#else
          owes=(heard!=0);
#endif
          heard=seen;
#ifdef AT_ONCE
          answers_now=owes; owes=false
#endif
       :: else -> answers_now=owes; owes=false
       fi;
#ifdef ITEMS
     };
     if :: answers_now -> answers_now=false; ANSWER(i) :: else fi;
     seen=0
#else
       if :: answers_now -> answers_now=false; ANSWER(i) :: else fi;
       seen=0
     }
#endif
  fi
}

proctype Worker(byte me) {
  byte v, seen, heard;
  bool owes, was, answers_now;
work:
  do
  :: called -> goto end
  :: atomic {
       !called && MAY_ACT ->
       if :: v=(me+1)%N :: v=(me+N-1)%N fi;
       if :: wake[v]=true :: order[v]=true fi;
       v=0;
       HAS_ACTED
     }
#ifdef SHARES
  :: atomic { !called && MAY_ACT -> share=true; HAS_ACTED }
#endif
  :: atomic { !called -> waits[me]=true; if :: plain[me]=true :: plain[me]=false fi;
#ifndef KEPT
       heard=0; owes=false;
#endif
#ifdef ITEMS
       helps=helps || me==0;
#endif
       break
     }
  od;
  do
  :: called -> goto end
  :: atomic { !called && wake[me] -> wake[me]=false; waits[me]=false; since[me]=0; break }
#ifdef SHARES
  :: atomic { !called && share && !plain[me] && !wake[me] -> share=false; waits[me]=false; since[me]=0; break }
#endif
  :: !called && !wake[me] && !MAY_TAKE(me) -> TURN(me, me)
  od;
#ifdef ITEMS
  if :: me==0 -> (!helps || called) :: else fi;
#endif
  goto work;
end:
  skip
}

#ifdef ITEMS
/* The second work-item of the first workgroup. Either may be the first to see that the wait is over. */
proctype Helper() {
  byte seen, heard;
  bool owes, was, answers_now;
  do
  :: called -> break
  :: atomic { !called && helps && waits[0] -> heard=0; owes=false };
     do
     :: atomic { called || !waits[0] || wake[0] -> helps=false; since[N]=0; break }
     :: !called && waits[0] && !wake[0] -> TURN(0, N)
     od
  :: atomic { helps && !waits[0] -> helps=false }
  od
}
#endif

inline CALL() {
#ifdef ITEMS
#ifndef CLEARED
  answered[(number%LAST+1)%2]=false;
#endif
#endif
  atomic {
    acted=false;
#ifndef SAME
    number=number%LAST+1;
    ONE_MORE(0); ONE_MORE(1);
#if N>2
    ONE_MORE(2);
#endif
#ifdef ITEMS
    if :: helps -> since[N]++ :: else fi;
#endif
#endif
#ifndef COUNTED
    answers=0;
#endif
    FORGET_DOUBT
#ifdef LIVE
    ; fresh[0]=3; fresh[1]=3; fresh[N-1]=3
#endif
  }
#ifdef ITEMS
#ifdef CLEARED
  ; answered[number%2]=false
#endif
#endif
}

init {
  byte v;
  bool acted;
  atomic {
    do :: v<N -> run Worker(v); v++ :: else -> break od; v=0
#ifdef ITEMS
    ; run Helper()
#endif
  };
  do
  :: called -> break
  :: !called ->
     if
     :: HAS_DOUBT -> /* coop_heed_waits() */
#ifdef BUSY
        acted=false;
#endif
        if
        :: atomic { answers>=N && !acted -> assert(NOBODY_WORKS); called=true }
        :: (answers>=N -> acted : IS_OLD) && MAY_CALL -> CALL()
        :: MAY_PASS || (answers<N && !IS_OLD)
        fi
     :: else
     fi;
     /* its other duties of this turn */
     do
     :: v<N ->
        atomic { if :: order[v] -> order[v]=false; wake[v]=true; acted=true :: else fi; v++ }
     :: else -> v=0; break
     od
  od
}

/* Checks (README.md):
 *
 * check quick -DN=2 -DACTS=1
 * check full -DN=2
 * check quick -DN=2 -DSHARES -DACTS=1 -DCALLS=2
 * check full -DN=2 -DSHARES -DACTS=1
 * check full -DN=2 -DSHARES -DACTS=2
 * check quick -DN=2 -DITEMS -DLAST=8 -DCALLS=2 -DACTS=1
 * check full -DN=2 -DITEMS -DLAST=8 -DCALLS=3 -DACTS=1
 * check full -DN=2 -DITEMS -DLAST=8 -DCALLS=4 -DACTS=1
 * bug quick -DSTALE -DN=2: an answer is counted in the call after the one that it was for, and given there again:
 *     kernels/wait.clh had that
 * bug quick -DAT_ONCE -DN=2 -DACTS=2: a wait answers as soon as it hears a call, and may be over already: kernels/wait.clh
 *     had that
 * bug quick -DBUSY -DN=2: the scheduler has sent for a workgroup that had answered: the roll call had that
 * bug quick -DNEWCOMER -DN=2: a wait answers a call that was made while its workgroup worked
 * bug quick -DKEPT -DN=2: a wait goes on from what the workgroup's last one had heard
 * bug quick -DCOUNTED -DN=2 -DACTS=2: the count is not begun anew with a call
 * bug quick -DTWICE -DN=2 -DITEMS -DLAST=8 -DCALLS=4 -DACTS=1: two work-items count as two workgroups
 * bug quick -DCLEARED -DN=2 -DITEMS -DLAST=8 -DCALLS=4 -DACTS=1: bits of those that have answered are cleared after
 *     the call
 * live quick -DN=2 -DACTS=0
 * live full -DN=2 -DACTS=1
 * live full -DN=2 -DACTS=2
 * stuck quick -DSAME -DN=2 -DACTS=1: a call is made anew by its old number, which nobody answers again
 *
 * -DACTS: waits are ended so many times; -DCALLS: so many calls, without those that use numbers again; -DSHARES: with
 * shares of children; -DITEMS: two work-items of a workgroup wait.
 */
