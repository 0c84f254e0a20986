/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages that come early, as on CPU devices (kernels/coop/wishes.clh: coop_used_ids()): a megakernel of one kernel, with
 * the barrier `atomic`. The scheduler sends for the slots of a task that the kernel is to give up by a wish which has not
 * come to pass; the message waits in the mailbox of a workgroup that is still in the kernel. With limits of the host,
 * wishes that are replaced, tasks that are withdrawn, lanes used again, runs that end before the barrier of the wish and
 * begin again. -DGPU: the message is sent once the slots have left. Nobody gets a second message, and nobody takes one
 * that is not for him. Safety only. Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 3      /* workgroups */
#endif
#ifndef R
#define R 3      /* barriers of a run */
#endif
#ifndef RUNS
#define RUNS 2
#endif
#ifndef LIMITS
#define LIMITS 2 /* of the host */
#endif
#ifndef TASKS
#define TASKS 2
#endif
#ifndef LANES
#define LANES 1  /* 1 or 2 */
#endif
#define START 1  /* mail: the kernel, at the beginning of a run */
#define JOIN 2   /* mail: the kernel, with the state of workgroup 0 */
#define RESERVE(lane) (3+(lane)) /* mail: a share of the task in this lane */

/* The kernel's word, and who is where. */
byte arrivals, wish, wish_round, finished;
short out;                                     /* workgroups that are not in the pool */
byte mail[N];
byte entry_groups, entry_round, entry_base;    /* of workgroup 0, for those that it sends for */
byte first_groups, readers;
byte gathered[LANES], go[LANES], ended[LANES]; /* of the task of a lane */
bool withdrawn[LANES], used[LANES];
byte first[LANES], groups[LANES], reserved[LANES];

/* What a proof needs to know and no kernel does. */
bool in_kernel[N];
byte agreed[R+1]; /* M after so many barriers of the run */

/* A message to each of [j, end). */
inline POST(end, message) {
  do
  :: atomic { j<end -> assert(mail[j]==0); mail[j]=message; j++ } /* no trace: one message at a time */
  :: else -> break
  od;
  j=0
}

proctype Worker(byte slot) {
  byte m, g, round, base, old_wish, old_round, sw, sr, before, j, l;
in_pool:
  atomic { g=0; round=0; base=0; old_wish=0; old_round=0; sw=0; sr=0; before=0; j=0; l=0; m=0 };
end_pool:
  atomic { mail[slot]!=0 -> m=mail[slot]; mail[slot]=0; assert(!in_kernel[slot]) }; /* rule TASK */
  if
  :: m>=RESERVE(0) ->
     l=m-RESERVE(0); m=0; gathered[l]++;
     go[l]!=0;
     assert(used[l] && !in_kernel[slot]); /* rule TASK, event TASK_BEGIN, event TASK_END */
     ended[l]++;
     goto in_pool
  :: m==START -> atomic { g=first_groups; assert(slot<g); in_kernel[slot]=true } /* rule JOIN, event JOIN */
  :: m==JOIN ->
     atomic { g=entry_groups; round=entry_round; base=entry_base; assert(slot<g); in_kernel[slot]=true }; /* rule JOIN */
     readers--
  fi;
  m=0;
  do
  :: round<R ->
     atomic { arrivals++; base=base+g; round++ }; /* coop_pass(); event ARRIVE */
     atomic {
       arrivals>=base -> sw=wish; sr=wish_round; before=g;
       if
       :: (sw==old_wish && sr==old_round)
       :: else -> /* coop_apply() */
          if :: sr!=round -> old_wish=sw; old_round=sr :: else fi;
          if :: (sr==round-1 && sw!=0) -> g=sw :: else fi
       fi;
       sw=0; sr=0;
       assert(agreed[round]==0 || agreed[round]==g); agreed[round]=g; /* rule BARRIER, event LEAVE */
       if :: slot>=g -> in_kernel[slot]=false :: else fi
     };
     if
     :: slot>=g -> atomic { out--; goto in_pool } /* event RETIRE */
     :: (slot==0 && g>before) -> /* coop_resize() */
        out=out+(g-before);
        atomic {
          assert(readers==0); /* no trace: what joiners read stays until they have; event FORK */
          entry_groups=g; entry_round=round; entry_base=base; readers=g-before
        };
        j=before;
        POST(g, JOIN)
     :: else
     fi
  :: else -> break
  od;
  atomic { finished++; in_kernel[slot]=false }; /* event FINISH */
  atomic { out--; goto in_pool }
}

/* ---- The scheduler ----------------------------------------------------------------------------- */

/* The lowest slot that a task has. */
inline HOLD_SLOTS() {
  lowest=N; i=0;
  do
  :: i<LANES -> if :: (used[i] && first[i]<lowest) -> lowest=first[i] :: else fi; i++
  :: else -> break
  od;
  i=0
}

/* coop_follow(): after a read of the arrivals. */
inline FOLLOW() {
  if
  :: (pending && seen>=s_base+(s_wish_round-s_round+1)*M) ->
     s_base=s_base+(s_wish_round-s_round+1)*M; s_round=s_wish_round+1; M=s_wish; pending=false
  :: else
  fi;
  if :: (!pending && M>0) -> t=(seen-s_base)/M; s_round=s_round+t; s_base=s_base+t*M :: else fi;
  t=0; seen=0
}

#define SETTLED (out==M && finished==0)
#define LATE_GONE (!wished || s_round-s_wish_round>=2)
#ifdef BEYOND
#define TARGET limit
#else
#define TARGET (limit<lowest -> limit : lowest)
#endif

/* coop_used_ids(): from here on, slots are in the pool, or on their way, or leave by the wish. */
#define MOST_OF_BOTH (pending && s_wish>M -> s_wish : M)
#ifdef LOOSE
#define USED_IDS (pending -> s_wish : M)
#elif defined(GPU)
#define USED_IDS MOST_OF_BOTH
#else
#define USED_IDS (pending && s_wish_round>0 -> s_wish : MOST_OF_BOTH)
#endif

/* coop_want_by_wish() */
inline WANT() {
  atomic { seen=arrivals; FOLLOW() };
  if
  :: (pending || (SETTLED && LATE_GONE && TARGET!=M)) && TARGET!=(pending -> s_wish : M) ->
     atomic { replaces=pending; seen=arrivals; arrivals--; FOLLOW() };
     atomic {
       arrivals++;
       if
       :: pending==replaces ->
          s_wish_round=(replaces -> s_wish_round : s_round); s_wish=TARGET;
          wish=s_wish; wish_round=s_wish_round; wished=true; pending=true /* event WISH */
       :: else
       fi
     }
  :: else
  fi;
  replaces=false
}

inline BEGIN_RUN() {
  atomic {
    do :: i<=R -> agreed[i]=0; i++ :: else -> break od;
    i=0;
    M=TARGET; arrivals=0; wish=0; wish_round=0; finished=0; out=out+M;
    s_round=0; s_base=0; s_wish=0; s_wish_round=0; wished=false; pending=false; first_groups=M
  };
  POST(M, START) /* event START */
}

#define FROM(l) (USED_IDS>first[l] -> USED_IDS : first[l])
#define END(l) (first[l]+groups[l]-reserved[l])

/* coop_send_for(), grants/one.clh: from the highest down, all at once. */
inline SEND_FOR(l) {
  from=FROM(l); end=END(l);
  if
  :: from<end -> j=from; POST(end, RESERVE(l)); reserved[l]=reserved[l]+(end-from)
  :: else
  fi;
  from=0; end=0
}

#define IS_FREE(l) (!used[l])
#define IS_USED(l) used[l]
#define MAY_SEND(l) (used[l] && go[l]==0 && FROM(l)<END(l))
#define MAY_GO(l) (used[l] && go[l]==0 && reserved[l]==groups[l] && gathered[l]==groups[l])
#define IS_DONE(l) (used[l] && go[l]!=0 && ended[l]==groups[l])
#if LANES==2
#define SOME(X) (X(0) || X(1))
#define PICK(X) l=(X(0)->0:1)
#else
#define SOME(X) X(0)
#define PICK(X) l=0
#endif

init {
  byte i, j, lowest=N, limit=N, M, s_round, s_base, s_wish, s_wish_round, seen, t, l, from, end, runs, tasks, limits, size;
  bool pending, wished, replaces;
  atomic { do :: i<N -> run Worker(i); i++ :: else -> break od; i=0 };
  BEGIN_RUN();
  do
  :: (M>0 && finished==M && out==0) -> /* coop_has_ended(), which reads M anew */
     atomic { seen=arrivals; FOLLOW() };
     if :: (finished==M && out==0) -> atomic { M=0; pending=false; runs++ } :: else fi /* event ENDED */
  :: (M==0 && runs<RUNS) -> BEGIN_RUN()
  :: limits<LIMITS -> atomic { limits++; if :: limit=1 :: limit=N-1 :: limit=N fi } /* event LIMIT */
  :: (tasks<TASKS && SOME(IS_FREE)) -> /* coop_place(): the highest slots that are free */
     PICK(IS_FREE);
     atomic {
       if :: size=1 :: size=N-1 fi;
       end=N;
#if LANES==2
       if :: (used[1-l] && first[1-l]+groups[1-l]>N-size) -> end=first[1-l] :: else fi;
#endif
       if
       :: end>size ->
          first[l]=end-size; groups[l]=size; reserved[l]=0; withdrawn[l]=false; gathered[l]=0; ended[l]=0; go[l]=0;
          used[l]=true; tasks++; HOLD_SLOTS() /* event SEEN */
       :: else
       fi;
       end=0
     }
  :: (used[0] && go[0]==0 && !withdrawn[0]) -> /* coop_withdraw_task(); event WITHDRAWN */
     atomic { first[0]=first[0]+groups[0]-reserved[0]; groups[0]=reserved[0]; withdrawn[0]=true; HOLD_SLOTS() }
  :: (pending && arrivals>=s_base+(s_wish_round-s_round+1)*M) -> atomic { seen=arrivals; FOLLOW() } /* coop_look() */
  :: (M>0 && TARGET!=(pending -> s_wish : M)) -> WANT()
  :: SOME(MAY_SEND) -> PICK(MAY_SEND); SEND_FOR(l)
  :: SOME(MAY_GO) -> PICK(MAY_GO); go[l]=1 /* event GATHERED */
  :: SOME(IS_DONE) -> PICK(IS_DONE); atomic { used[l]=false; HOLD_SLOTS() } /* event DONE */
  :: (runs==RUNS && M==0 && tasks==TASKS && !SOME(IS_USED)) -> break
  od;
  i=0;
  do :: i<N -> assert(mail[i]==0); i++ :: else -> break od /* rule TASK: all that were sent for have come */
}

/* Checks (README.md):
 *
 * check quick -DN=2
 * check full -DN=2 -DGPU
 * check full -DR=2
 * bug quick -DLOOSE -DN=2: a message is sent although the workgroup may still find one that has not been taken
 * bug quick -DBEYOND -DN=2: the kernel is wished to have as many as the limit says, and a task has some of these
 */
