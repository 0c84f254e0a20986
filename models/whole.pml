/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole kernel may be taken from the device and come back (kernels/coop/whole/): a megakernel of one kernel, with
 * the barrier `atomic` or `query`, tasks of the host, one at a time, that may have all slots, and a limit of the host of
 * no workgroups. A run that has no workgroups is *away*, and has not ended. Workgroup 0 keeps what those need that come
 * back, before it counts itself as left; the scheduler brings the run back only when nobody is out of the pool.
 * With -DLIVE: all tasks end, and the run does, once the host waits for it. Sequentially consistent. The checks are at
 * the end.
 */
#ifndef N
#define N 3         /* workgroups */
#endif
#ifndef R
#define R 3         /* barriers of the run */
#endif
#ifndef CHANGES
#define CHANGES 3   /* tasks and limits, in all */
#endif
/* -DQUERY: that barrier. */

#define START 1     /* mail */
#define JOIN 2      /* from workgroup 0 */
#define RESERVE 3   /* and the number of the task */
#define NOBODY 255  /* a wish for no workgroups; 0: none */
#ifdef ZERO
#define WISH_FOR(m) (m)
#else
#define WISH_FOR(m) ((m)==0 -> NOBODY : (m))
#endif
#define WISHED(w) ((w)==NOBODY -> 0 : (w))

/* The word of `atomic`: arrivals, and a wish for a barrier. That of `query`: arrived, M, target, barriers passed. */
byte arrivals, wish, wish_round;
byte A, G, T, Rd;
byte before_, after_; /* of `query`: what the last barrier decided */
byte out, finished;
byte mail[N];
byte entry_groups, entry_round, entry_base, entry_passed, readers; /* of workgroup 0 */
byte state;         /* its transmit state, as sent or kept: barriers passed */
byte gathered, go, shares;

/* What a proof needs to know and no kernel does. */
bool in_kernel[N];
byte completed;     /* barriers */
byte agreed[R+1];   /* M after so many, and 1 */
#ifdef LIVE
bool over;          /* the run and all tasks */
ltl live { <> over }
#endif

inline POST(first,count,message) {
  j=first;
  do
  :: atomic { j<first+count -> assert(mail[j]==0); mail[j]=message; j++ } /* no trace: one message at a time */
  :: else -> break
  od;
  j=0
}

/* The kernel's state in workgroup 0 is the number of barriers passed. */
inline AGREE() {
  assert(agreed[passed]==0 || agreed[passed]==groups+1); /* rule BARRIER, event LEAVE */
  agreed[passed]=groups+1;
  if :: passed>completed -> completed=passed
     :: else fi
}

/* Sends for the ids from `before` to `groups`, which are out of the pool. */
inline SEND_JOINS() {
  /* no trace: what joiners read stays until they have; event FORK */
  atomic { assert(readers==0); state=passed; entry_groups=groups; entry_round=round; entry_base=base;
           entry_passed=passed; readers=groups-before };
  POST(before,groups-before,JOIN)
}

/* By workgroup 0 as all leave: two writes, which others could see one by one. */
inline KEEP() {
  state=passed;
  entry_passed=passed
}

#ifdef QUERY
/* coop_meet_word() */
inline MEET() {
  atomic { A++; sw=A; before=G; sr=T };
  if
  :: sw==before ->
     do
     :: groups=before;
        if
        :: sr<before -> groups=sr
        :: sr>before -> atomic { if :: (out==before && finished==0) -> out=out+(sr-before); groups=sr :: else fi }
        :: else
        fi;
        atomic { before_=before; after_=groups };
        atomic {
          if
          :: T==sr -> A=0; G=groups; Rd=(Rd+1)%4; break
          :: else -> out=out-(groups>before -> groups-before : 0); sr=T
          fi
        }
     od
  :: else -> (Rd!=round || slot>=G)
  fi;
  atomic { before=before_; groups=after_; round=(round+1)%4; passed++; sw=0; sr=0;
    if :: slot<groups || slot==0 -> AGREE() /* a killed one may be late, and see a later, smaller M */
       :: else fi }
}
#else
/* coop_pass(), coop_apply() */
inline MEET() {
  atomic { arrivals++; base=base+groups; round++; passed++ };
  atomic {
    arrivals>=base -> sw=wish; sr=wish_round; before=groups;
    if :: (sr==round-1 && sw!=0) -> groups=WISHED(sw)
       :: else fi;
    AGREE(); sw=0; sr=0
  }
}
#endif

proctype Worker(byte slot) {
  byte m, groups, round, base, passed, sw, sr, before, j;
in_pool:
  atomic { m=0; groups=0; round=0; base=0; passed=0; before=0 };
end_pool:
  atomic { mail[slot]!=0 -> m=mail[slot]; mail[slot]=0; assert(!in_kernel[slot]) }; /* rule JOIN */
  if
  :: atomic { m>=RESERVE -> gathered++ };
     atomic { go==m-RESERVE -> assert(!in_kernel[slot]); shares++ }; /* rule TASK, event TASK_BEGIN, event TASK_END */
     goto in_pool
  :: else
  fi;
  in_kernel[slot]=true;
  if
  :: m==START -> groups=entry_groups
  :: else ->
     atomic { groups=entry_groups; round=entry_round; base=entry_base; passed=entry_passed };
     atomic { assert(state==passed && passed==completed); readers-- } /* rule JOIN: with the last state */
  fi;
  assert(slot<groups); /* rule JOIN, event JOIN */
  m=0;
  do
  :: passed<R ->
     MEET(); /* event ARRIVE */
     if
     :: slot>=groups ->
        in_kernel[slot]=false;
#ifdef UNKEPT
        out--;
#endif
        if :: (slot==0) -> KEEP() /* event RETIRE */
           :: else fi;
#ifndef UNKEPT
        out--;
#endif
        goto in_pool
     :: (slot==0 && groups>before) ->
#ifndef QUERY
        out=out+(groups-before);
#endif
        SEND_JOINS()
     :: else
     fi
  :: else -> break
  od;
  atomic { finished++; in_kernel[slot]=false }; /* event FINISH */
  out--;
  goto in_pool
}

/* ---- The scheduler ----------------------------------------------------------------------------- */

#define MOST (limit && !STOPS -> 0 : N)
#ifdef HELD /* a stop leaves the limit as it is */
#define STOPS false
#else
#define STOPS stopping
#endif
#define TARGET (MOST<lowest -> MOST : lowest)
#define AWAY (running && M==0)
#ifdef HASTY /* while some are on their way to the pool */
#define MAY_COME true
#else
#define MAY_COME (out==0)
#endif

#ifdef QUERY
#define HAS_NEWS (running && M!=G)
#define LOOK() M=G
#define USED_IDS (M>0 && T>lowest -> N : M) /* it is not sent for before the target is as it is to be */
#define HAS_FINISHED (M>0 && M==G && finished==M && out==0)
#define MAY_WANT (M>0 && TARGET!=T && !(G>T && TARGET>T))
inline WANT() {
  atomic { target=TARGET; if :: MAY_WANT -> T=target :: else fi };
  atomic { M=G; target=0 }
}
inline OPEN(groups_) {
  A=0; G=groups_; T=groups_; Rd=0
}
#else
#define COMPLETE (s_base+(s_wish_round-s_round+1)*M)
#define HAS_NEWS (M>0 && arrivals>=(pending -> COMPLETE : s_base+M))
/* coop_follow() */
#define LOOK() seen=arrivals; FOLLOW()
inline FOLLOW() {
  if
  :: (pending && seen>=COMPLETE) -> s_base=COMPLETE; s_round=s_wish_round+1; M=s_wish; pending=false
  :: else
  fi;
  if
  :: (!pending && M>0) -> t=(seen-s_base)/M; s_round=s_round+t; s_base=s_base+t*M
  :: else
  fi;
  t=0; seen=0
}
#define USED_IDS (pending && s_wish>M -> s_wish : M)
#define HAS_FINISHED (M>0 && finished==M && out==0)
#ifdef REWRITTEN
#define IS_NEW (pending || TARGET!=M)
#else
#define IS_NEW (TARGET!=(pending -> s_wish : M))
#endif
#define MAY_WANT (M>0 && IS_NEW && \
                  (pending || (out==M && finished==0 && (!wished || s_round-s_wish_round>=2))))
/* coop_want_by_wish(): an arrival is taken away meanwhile. */
inline WANT() {
  atomic {
    replaces=pending; target=TARGET; seen=arrivals; arrivals--;
    FOLLOW()
  };
  atomic {
    arrivals++;
    if
    :: pending==replaces ->
       s_wish_round=(replaces -> s_wish_round : s_round);
       s_wish=target; wish=WISH_FOR(target); wish_round=s_wish_round; wished=true; pending=true
    :: else
    fi;
    target=0; replaces=false
  }
}
inline OPEN(groups_) {
#ifdef STALE
  if :: M==0 && !begun -> arrivals=0 :: else fi;
#else
  arrivals=0; wish=0; wish_round=0;
#endif
  s_round=0; s_base=0; s_wish=0; s_wish_round=0; wished=false; pending=false
}
#endif

#define ENDED (ended && !running)

init {
  byte j, t, seen, target, changes, tasks, st, size, got, lowest=N, M;
  byte s_round, s_base, s_wish, s_wish_round;
  bool pending, wished, replaces, begun, running, ended, limit, stopping;
  atomic { do :: j<N -> run Worker(j); j++ :: else -> break od; j=0 };
  do
  :: (ENDED && stopping && st==0) -> break
  :: else ->
     if
     :: (!begun && TARGET>0) ->
        atomic { M=TARGET; OPEN(M); begun=true; running=true; entry_groups=M; out=M };
        POST(0,M,START)
     :: atomic { HAS_NEWS -> LOOK() }
     /* rule RUN, event ENDED */
     :: atomic { (running && HAS_FINISHED) -> assert(completed==R); M=0; pending=false; running=false; ended=true }
#ifdef OVER
     :: atomic { AWAY -> running=false; ended=true; assert(completed==R) } /* rule RUN: not while it is away */
#endif
     :: atomic { MAY_WANT -> skip }; WANT()
     :: (AWAY && MAY_COME && TARGET>0) -> /* it is brought back: event RETURN */
        atomic { target=TARGET; OPEN(target); M=target; out=out+M; entry_groups=M; entry_round=0; entry_base=0;
                 readers=M; target=0 };
        POST(0,M,JOIN)
     :: (st==0 && changes<CHANGES && !stopping) -> /* a task, of the highest slots */
        size=1; do :: size<N -> size++ :: break od;
        atomic { changes++; tasks++; gathered=0; shares=0; got=0; st=1; lowest=N-size }
     :: atomic { /* it gets them from the highest on */
          (st==1 && got<size && N-1-got>=USED_IDS) ->
          assert(mail[N-1-got]==0); mail[N-1-got]=RESERVE+tasks; got++ /* no trace: one message at a time */
        }
     :: (st==1 && gathered==size) ->
        atomic {
          do :: t<size -> assert(!in_kernel[N-1-t]); t++ :: else -> break od; /* rule TASK, event GATHERED */
          t=0; go=tasks; st=2
        }
     :: (st==2 && shares==size) -> /* event DONE */
        atomic { st=0; lowest=N; size=0; got=0 }
     :: atomic { (changes<CHANGES && !stopping) -> changes++; limit=!limit } /* event LIMIT */
     :: atomic { !stopping -> stopping=true }
     fi
  od;
  assert(completed==R && !AWAY); /* rule RUN: it came back */
#ifdef LIVE
  over=true;
#endif
end_scheduler:
  (finished==255)
}

/* Checks (README.md):
 *
 * check quick -DR=2 -DCHANGES=1
 * check quick -DR=2 -DCHANGES=1 -DQUERY
 * check full
 * check full -DQUERY
 * bug quick -DHASTY -DR=2 -DCHANGES=1: the run is brought back while some are still on their way to the pool
 * bug quick -DHASTY -DR=2 -DCHANGES=1 -DQUERY: the same
 * bug quick -DUNKEPT -DR=2 -DCHANGES=1: workgroup 0 counts itself as left before it has kept its state: others begin
 *     with an old one
 * bug quick -DUNKEPT -DR=2 -DCHANGES=1 -DQUERY: the same
 * bug quick -DOVER -DR=2 -DCHANGES=1: a run that is away is taken for one that has ended
 * bug quick -DOVER -DR=2 -DCHANGES=1 -DQUERY: the same
 * bug quick -DHELD -DR=2 -DCHANGES=1: a stop leaves a limit of none as it is, and the run never comes back
 * bug quick -DHELD -DR=2 -DCHANGES=1 -DQUERY: the same
 * bug quick -DZERO -DR=2 -DCHANGES=1: a wish for no workgroups is written as 0, which means that there is no wish:
 *     the scheduler takes the run for away while it goes on
 * bug quick -DSTALE -DR=2 -DCHANGES=1: the word is left as it was, and those that come back count from 0
 * live quick -DN=2 -DR=2 -DCHANGES=1
 * live quick -DN=2 -DR=2 -DCHANGES=1 -DQUERY
 * live full -DR=2 -DCHANGES=2
 * live full -DR=2 -DCHANGES=2 -DQUERY
 * stuck quick -DREWRITTEN -DN=2 -DR=2 -DCHANGES=1: the scheduler writes the same wish again and again, and takes an
 *     arrival away each time while workgroups look whether all have arrived
 */
