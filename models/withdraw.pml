/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks that the host takes back because they are gathered too slowly, to run them elsewhere (FSE'17 Section 5.5,
 * hybrid preemption; kernels/coop/withdraw.clh). The scheduler alone decides whether a task has begun, so that the host
 * asks and waits for the answer. Workgroups that have been sent for may be on their way: the task keeps their slots,
 * and they are let go with nothing to do; the slots of the others go back at once. Each task is done once, by the
 * kernel's workgroups or by the host, nobody gets a second message, and in the end the kernel has all slots again.
 * With -DLIVE: each task ends, and so does the host. How a kernel resizes is members.pml's subject: here it is one step.
 * Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 3 /* workgroups */
#endif
#ifndef K
#define K 2 /* of a task; at most N - 1 */
#endif
#ifndef TASKS
#define TASKS 3
#endif
#define LANES 2
#define JOIN 1                   /* mail: the kernel */
#define RESERVE(lane) ((lane)+2) /* mail: a share of the task in this lane */
#define EMPTY 255                /* in `go`: there is nothing to do */
#define TASK 1                   /* commands */
#define WITHDRAW 2
#define DONE 1                   /* fates */
#define WITHDRAWN 2

byte G=N, T=N, mail[N];                        /* groups, target */
byte gathered[LANES], go[LANES], ended[LANES]; /* go: 1 + task, or EMPTY */
chan commands = [2] of { byte, byte };
byte fate[TASKS];
bool heard[TASKS];                             /* the answer to a withdrawal */
bool host_over, over;

/* What a proof needs to know and no kernel does. */
byte shares_done[TASKS], elsewhere[TASKS];
#ifdef LIVE
ltl live { <> over }
#endif

inline ANSWER(i, what) {
  assert(fate[i]==0); /* rule TASK: answered once */
  fate[i]=what
}

proctype Worker(byte slot) {
  byte lane;
in_kernel:
  do
  :: atomic { (slot>0 && slot==G-1 && G>T) -> G-- }; break
  :: atomic { (slot==0 && G<T) -> assert(mail[G]==0); mail[G]=JOIN; G++ } /* no trace: one message; event FORK */
  :: over -> goto out
  od;
in_pool:
end_pool:
  atomic { mail[slot]!=0 -> lane=mail[slot]; mail[slot]=0 };
  if
  :: lane==JOIN -> goto in_kernel
  :: else -> lane=lane-RESERVE(0)
  fi;
  gathered[lane]++;
  go[lane]!=0;
  if
  :: go[lane]==EMPTY -> skip
  :: else -> shares_done[go[lane]-1]++ /* event TASK_BEGIN, event TASK_END */
  fi;
  ended[lane]++;
  goto in_pool;
out:
  skip
}

/* Waits for a while, which may be any; then it withdraws the task. */
proctype Host() {
  byte i;
  do
  :: i<TASKS ->
     commands!TASK, i;
     if
     :: fate[i]!=0
     :: true ->
#ifdef UNASKED
        elsewhere[i]++;
#endif
        commands!WITHDRAW, i;
        heard[i];
     fi;
     fate[i]!=0;
#ifndef UNASKED
     if
#ifdef RETRIED
     :: fate[i]==WITHDRAWN -> atomic { fate[i]=0; heard[i]=false }; i--
#else
     :: fate[i]==WITHDRAWN -> elsewhere[i]++
#endif
     :: else
     fi;
#endif
     i++
  :: else -> break
  od;
  host_over=true
}

#define OTHER(l) (LANES-1-(l))
#define OVERLAPS(o,b,e) (used[o] && (b)<first[o]+shares[o] && first[o]<(e))
#define FITS(e) ((e)>K && !OVERLAPS(0,(e)-K,e) && !OVERLAPS(1,(e)-K,e))
#define HIGHEST_OF(l) (FITS(N)->N:(used[OTHER(l)] && FITS(first[OTHER(l)])->first[OTHER(l)]:0))
#define NEXT_SLOT(l) (first[l]+shares[l]-1-reserved[l])
#define MAY_GATHER(l) (used[l] && reserved[l]<shares[l] && NEXT_SLOT(l)>=G && NEXT_SLOT(l)>=T)
#define MAY_GO(l) (used[l] && go[l]==0 && gathered[l]==shares[l])
#define IS_DONE(l) (used[l] && go[l]!=0 && ended[l]==shares[l])
#define ACTS(l) (MAY_GATHER(l) || MAY_GO(l) || IS_DONE(l))
#define MAY_WANT (lowest<T || (lowest>T && G<=T))
#ifdef BEGUN
#define IS_GATHERED(l, i) (used[l] && number[l]==i && !withdrawn[l])
#else
#define IS_GATHERED(l, i) (used[l] && number[l]==i && !withdrawn[l] && go[l]==0)
#endif

inline FIND_LOWEST() {
  lowest=N;
  if :: used[0] -> lowest=first[0] :: else fi;
  if :: (used[1] && first[1]<lowest) -> lowest=first[1] :: else fi
}

/* The lowest slot of the tasks, if one keeps those from `kept` on. */
#define LOWEST_WITH(l, kept) (used[OTHER(l)] && first[OTHER(l)]<(kept)->first[OTHER(l)]:(kept))

/* coop_withdraw_task(). */
inline TAKE_BACK(l, i) {
  ANSWER(i, WITHDRAWN); /* event WITHDRAWN */
  kept=first[l]+shares[l]-reserved[l];
#ifdef HASTY
  used[l]=false;
#else
#ifndef KEPT
  first[l]=first[l]+shares[l]-reserved[l];
#endif
  shares[l]=reserved[l];
  withdrawn[l]=true;
#endif
#ifndef UNHELD
  FIND_LOWEST();
#endif
#ifndef HASTY
  assert(lowest==LOWEST_WITH(l, kept)); /* rule SLOTS: the others go back at once */
#endif
  kept=0
}

init {
  byte l, j, i, kind, lowest=N, next, kept;
  byte number[LANES], first[LANES], shares[LANES], reserved[LANES];
  bool used[LANES], withdrawn[LANES], waits;
  atomic {
    do :: j<N -> run Worker(j); j++ :: else -> break od;
    run Host()
  };
  do
  :: nempty(commands) ->
     atomic {
       commands?kind, i;
       if
       :: kind==TASK -> waits=true; next=i
       :: else ->
          if
          :: (waits && next==i) -> waits=false; ANSWER(i, WITHDRAWN)
          :: IS_GATHERED(0, i) -> TAKE_BACK(0, i)
          :: IS_GATHERED(1, i) -> TAKE_BACK(1, i)
          :: else /* too late */
          fi;
          heard[i]=true
       fi
     }
  :: (waits && !used[0] && HIGHEST_OF(0)>0) || (waits && !used[1] && HIGHEST_OF(1)>0) ->
     atomic {
       l=(!used[0] && HIGHEST_OF(0)>0->0:1);
       first[l]=HIGHEST_OF(l)-K; number[l]=next; shares[l]=K; reserved[l]=0; withdrawn[l]=false; used[l]=true;
       gathered[l]=0; ended[l]=0; go[l]=0; waits=false; FIND_LOWEST()
     }
  :: MAY_WANT -> T=lowest
  :: (ACTS(0) || ACTS(1)) ->
     l=(ACTS(0)->0:1);
     if
     :: MAY_GATHER(l) -> /* no trace: one message at a time */
        atomic { assert(mail[NEXT_SLOT(l)]==0); mail[NEXT_SLOT(l)]=RESERVE(l); reserved[l]++ }
     :: MAY_GO(l) ->
#ifdef FULL
        go[l]=number[l]+1
#else
        go[l]=(withdrawn[l]->EMPTY:number[l]+1)
#endif
     :: IS_DONE(l) ->
        atomic {
#ifdef LOUD
          ANSWER(number[l], DONE);
#else
          if :: !withdrawn[l] -> ANSWER(number[l], DONE) :: else fi;
#endif
          used[l]=false; FIND_LOWEST()
        }
     :: else
     fi
  :: (host_over && !used[0] && !used[1] && G==N && T==N) -> break
  od;
  i=0;
  do
  :: i<TASKS ->
     /* rule TASK: each share once, here or elsewhere */
     assert((fate[i]==DONE && shares_done[i]==K && elsewhere[i]==0) ||
            (fate[i]==WITHDRAWN && shares_done[i]==0 && elsewhere[i]==1));
     i++
  :: else -> break
  od;
  over=true
}

/* Checks (README.md):
 *
 * check quick
 * check full -DN=4 -DK=2
 * check full -DN=4 -DK=3
 * bug quick -DUNASKED -DTASKS=1: a task is done twice, since the host does not wait to hear that it has not begun
 * bug quick -DBEGUN -DTASKS=1: a task that has begun is said to be withdrawn
 * bug quick -DFULL -DTASKS=1: the workgroups that had been sent for do it all the same
 * bug quick -DHASTY -DTASKS=1: a slot that has been sent for is handed back, so that its workgroup waits for a task
 *     that is not there
 * bug quick -DKEPT -DTASKS=1: the slots of those that have not been sent for do not go back
 * bug quick -DUNHELD -DTASKS=1: the kernel does not hear that they have
 * bug quick -DLOUD -DTASKS=1: a withdrawn task is answered again
 * live quick -DTASKS=2
 * live full
 * live full -DN=4 -DK=3 -DTASKS=2
 * stuck quick -DRETRIED -DTASKS=1: a task that was withdrawn is sent to the same kernel again
 */
