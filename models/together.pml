/* SPDX-License-Identifier: Apache-2.0
 *
 * Several cooperative kernels in one megakernel, with the barrier `atomic` (kernels/coop/resizing/atomic.clh) and tasks
 * of the host, one at a time, which get slots as they come free. A slot, a workgroup's place, belongs to a kernel, to a
 * task, or to nobody. The scheduler *grants* free slots to a kernel, in the order of its ids, and wishes for no more
 * workgroups than it has granted. It *revokes* those that no wish can bring back; their workgroups may still be on their
 * way to the pool, and find their next message there. With -DWITHDRAWS the host takes tasks back
 * (kernels/coop/withdraw.clh). Each kernel counts those of its slots that are in the pool, so that
 * it settles without the others (the runtime counts those that are not: `out`).
 * With -DLIVE: all runs and tasks end. Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 3         /* workgroups */
#endif
#ifndef R
#define R 2         /* barriers of a run */
#endif
#ifndef CHANGES
#define CHANGES 3   /* grants beyond the first, wishes, and tasks, in all */
#endif
#ifndef K
#define K 2         /* kernels, 1 or 2 */
#endif
#ifndef RUNS
#define RUNS 1      /* of each kernel */
#endif
#define TASK K      /* an owner of slots, too */
#define NOBODY 255
#define JOIN(k,start) (1+2*(k)+(start)) /* mail */
#define RESERVE(task) (1+2*K+(task)) /* the number of the task */
#define IS_JOIN(m) ((m)<RESERVE(0))
#define PASS_ON 32 /* added to a message: it is to be passed on to the next id (-DPASSED) */

/* Of each kernel, the word: arrivals, and a wish for a barrier. */
byte arrivals[K], wish[K], wish_round[K];
short idle[K];      /* of its slots, those in the pool */
byte finished[K];
byte entry_groups[2*K], entry_round[2*K], entry_base[2*K]; /* of workgroup 0, and of the beginning */
byte readers[K];
byte mail[N];
byte slot_of[(K+1)*N]; /* of an owner's ids */
#define SLOT(o,i) slot_of[(o)*N+(i)]
byte id_of[N];
byte gathered, go, shares;
#ifdef WITHDRAWS
bool withdrawn;     /* the task: its workgroups have nothing to do */
byte run_of_it;     /* shares of it that were run */
#endif

/* What a proof needs to know and no kernel does. */
byte owner[N];      /* of each slot */
byte kernel_of[N];  /* in which the workgroup is; NOBODY: in none */
byte agreed[K*(R+1)]; /* M after so many barriers */
byte runs[K];       /* that have ended */
#ifdef LIVE
bool over;          /* all runs and tasks */
ltl live { <> over }
#endif

/* A message each to `count` ids from `first` on. */
inline POST(o,first,count,message) {
  j=first;
  do
  :: atomic {
       /* no trace: a slot is of one owner, and has one message at a time */
       j<first+count -> assert(owner[SLOT(o,j)]==o); assert(mail[SLOT(o,j)]==0);
#ifdef PASSED
       if
       :: j+1<first+count -> mail[SLOT(o,j)]=message+PASS_ON; j=j+2
       :: else -> mail[SLOT(o,j)]=message; j++
       fi
#else
       mail[SLOT(o,j)]=message; j++
#endif
     }
  :: else -> break
  od;
  j=0
}

inline AGREE() {
  assert(agreed[k*(R+1)+round]==0 || agreed[k*(R+1)+round]==groups); /* rule BARRIER, event LEAVE */
  agreed[k*(R+1)+round]=groups
}

#ifdef OWN
#define LEFT (owner[slot]<K -> owner[slot] : k)
#else
#define LEFT k
#endif

/* Each step reads or writes one word that others write. */
proctype Worker(byte slot) {
  byte k, id, m, groups, round, base, old_wish, old_round, sw, sr, before, j;
in_pool:
  atomic { k=0; id=0; groups=0; round=0; base=0; old_wish=0; old_round=0; sw=0; sr=0; before=0 };
end_pool:
  atomic { mail[slot]!=0 -> m=mail[slot]; mail[slot]=0; assert(kernel_of[slot]==NOBODY) }; /* rule TASK */
#ifdef UNPASSED
  if :: m>=PASS_ON -> m=m-PASS_ON :: else fi;
#endif
  if /* coop_pass_on() */
  :: atomic {
       m>=PASS_ON -> m=m-PASS_ON; k=(IS_JOIN(m) -> (m-1)/2 : TASK);
       assert(owner[SLOT(k,id_of[slot]+1)]==k); assert(mail[SLOT(k,id_of[slot]+1)]==0); /* no trace: as POST() */
       mail[SLOT(k,id_of[slot]+1)]=m; k=0
     }
  :: else
  fi;
  if
  :: atomic { !IS_JOIN(m) -> assert(owner[slot]==TASK); gathered++ }; /* coop_take_share(); rule TASK */
     /* rule TASK, event TASK_BEGIN, event TASK_END */
     atomic {
       go==m-RESERVE(0) -> assert(owner[slot]==TASK && kernel_of[slot]==NOBODY); /* rule TASK */
#ifdef WITHDRAWS
       if :: !withdrawn -> run_of_it++ :: else fi;
#endif
       shares++; m=0
     };
     goto in_pool
  :: else
  fi;
  atomic {
    k=(m-1)/2; kernel_of[slot]=k; id=id_of[slot];
    assert(owner[slot]==k); /* rule JOIN, event JOIN */
    groups=entry_groups[m-1]; round=entry_round[m-1]; base=entry_base[m-1];
    assert(id<groups) /* rule JOIN: one of 0 to M - 1 */
  };
  if :: (m-1)%2==0 -> readers[k]--
     :: else fi;
  m=0;
  do
  :: atomic { round<R -> arrivals[k]++; base=base+groups; round++ }; /* coop_pass(); event ARRIVE */
     atomic {
       arrivals[k]>=base -> sw=wish[k]; sr=wish_round[k];
       before=groups;
       if
       :: (sw==old_wish && sr==old_round) -> skip
       :: else -> /* coop_apply() */
          if :: sr!=round -> old_wish=sw; old_round=sr
             :: else fi;
          if :: (sr==round-1 && sw!=0) -> groups=sw
             :: else fi
       fi;
       sw=0; sr=0;
       AGREE();
       if :: id>=groups -> kernel_of[slot]=NOBODY
          :: else fi
     };
     if
     :: id>=groups -> atomic { idle[LEFT]++; goto in_pool } /* event RETIRE */
     :: (id==0 && groups>before) -> /* coop_resize() */
        idle[k]=idle[k]-(groups-before);
        atomic {
          assert(readers[k]==0); /* no trace: what joiners read stays until they have; event FORK */
          entry_groups[2*k]=groups; entry_round[2*k]=round; entry_base[2*k]=base; readers[k]=groups-before
        };
        POST(k,before,groups-before,JOIN(k,0))
     :: else
     fi
  :: else -> break
  od;
  atomic { finished[k]++; kernel_of[slot]=NOBODY }; /* event FINISH */
  atomic { idle[k]++; goto in_pool }
}

/* ---- The scheduler ----------------------------------------------------------------------------- */

byte granted[K], M[K], s_round[K], s_base[K], s_wish[K], s_wish_round[K];
bool pending[K], wished[K], begun[K];

/* coop_follow(): after a read of the arrivals. */
inline FOLLOW(k) {
  if
  :: (pending[k] && seen>=s_base[k]+(s_wish_round[k]-s_round[k]+1)*M[k]) ->
     s_base[k]=s_base[k]+(s_wish_round[k]-s_round[k]+1)*M[k];
     s_round[k]=s_wish_round[k]+1; M[k]=s_wish[k]; pending[k]=false
  :: else
  fi;
  if
  :: !pending[k] -> t=(seen-s_base[k])/M[k]; s_round[k]=s_round[k]+t; s_base[k]=s_base[k]+t*M[k]
  :: else
  fi;
  t=0; seen=0
}

#ifdef HASTY /* a wish while some are still on their way to the pool */
#define SETTLED(k) true
#else
#define SETTLED(k) (idle[k]==granted[k]-M[k] && finished[k]==0)
#endif
#ifdef EARLY /* and one before all have read the last one */
#define LATE_GONE(k) true
#else
#define LATE_GONE(k) (!wished[k] || s_round[k]-s_wish_round[k]>=2)
#endif
#ifdef EAGER /* slots are taken that a wish brings back */
#define IN_USE(k) M[k]
#else
#define IN_USE(k) (pending[k] && s_wish[k]>M[k] -> s_wish[k] : M[k])
#endif

/* A free slot becomes the next id of a kernel. */
inline GRANT(k) {
  atomic {
    s=0;
    do :: (s<N && owner[s]!=NOBODY) -> s++ :: else -> break od;
    if
    :: s<N -> owner[s]=k; SLOT(k,granted[k])=s; id_of[s]=granted[k]; granted[k]++; idle[k]++; free--
    fi;
    s=0
  }
}

/* The highest id of a kernel. */
inline REVOKE(k) {
  granted[k]--; free++; owner[SLOT(k,granted[k])]=NOBODY;
#ifndef UNCOUNTED
  idle[k]--
#endif
}

inline START(k) {
  atomic {
    M[k]=granted[k]; begun[k]=true; entry_groups[2*k+1]=M[k]; idle[k]=idle[k]-M[k];
    arrivals[k]=0; wish[k]=0; wish_round[k]=0; finished[k]=0;
    s_round[k]=0; s_base[k]=0; s_wish[k]=0; s_wish_round[k]=0; wished[k]=false
  };
  POST(k,0,M[k],JOIN(k,1)) /* event START */
}

#ifdef REWRITTEN
#define IS_NEW(k,target) (pending[k] || target!=M[k])
#define WANTS_AGAIN(k) :: (begun[k] && pending[k]) -> WANT(k, s_wish[k])
#else
#define IS_NEW(k,target) (target!=(pending[k] -> s_wish[k] : M[k]))
#define WANTS_AGAIN(k)
#endif

/* coop_want() */
inline WANT(k,target) {
  atomic { seen=arrivals[k]; FOLLOW(k) };
  may = (pending[k] || (SETTLED(k) && LATE_GONE(k) && target!=M[k]));
  if
  :: (may && target<=granted[k] && IS_NEW(k, target)) ->
     atomic {
       replaces=pending[k];
       seen=arrivals[k]; arrivals[k]--;
       FOLLOW(k)
     };
     atomic {
       arrivals[k]++;
       if
       :: pending[k]==replaces ->
          s_wish_round[k]=(replaces -> s_wish_round[k] : s_round[k]);
          s_wish[k]=target; wish[k]=target; wish_round[k]=s_wish_round[k];
          wished[k]=true; pending[k]=true /* event WISH */
       :: else
       fi
     }
  :: else
  fi;
  atomic { may=false; replaces=false }
}

/* coop_watch_kernel() */
inline WATCH(k) {
  f=finished[k];
  atomic { seen=arrivals[k]; FOLLOW(k) };
  atomic {
    if
    :: (f==M[k] && idle[k]==granted[k]) ->
       runs[k]++; begun[k]=false; pending[k]=false; /* event ENDED */
       do :: granted[k]>0 -> REVOKE(k) :: else -> break od;
       do :: t<=R -> agreed[k*(R+1)+t]=0; t++ :: else -> break od;
       t=0
    :: else
    fi;
    f=0
  }
}

#define ENDED(k) (runs[k]==RUNS)
#define HAS_PASSED(k) (arrivals[k] >= s_base[k]+(pending[k] -> (s_wish_round[k]-s_round[k]+1)*M[k] : M[k]))
#define HAS_FINISHED(k) (finished[k]==M[k] && idle[k]==granted[k])

/* What the scheduler may do next with a kernel. A turn that changes nothing is left out, so that SPIN sees if all wait
 * for ever. */
#define TURNS(k) \
  :: (!begun[k] && !ENDED(k) && granted[k]==0 && free>0) -> GRANT(k) \
  :: (!begun[k] && granted[k]>0) -> START(k) \
  :: atomic { (begun[k] && HAS_PASSED(k)) -> seen=arrivals[k]; FOLLOW(k) } \
  :: (begun[k] && HAS_FINISHED(k)) -> WATCH(k) \
  :: (granted[k]>0 && free>0 && changes<CHANGES) -> changes++; GRANT(k) \
  :: (begun[k] && changes<CHANGES) -> \
     changes++; \
     target=1; do :: target<granted[k] -> target++ :: break od; \
     WANT(k,target) \
  :: atomic { (begun[k] && granted[k]>IN_USE(k)) -> REVOKE(k) } \
  WANTS_AGAIN(k)

init {
  byte j, s, t, f, seen, free=N, changes, st, target, size, got;
  byte tasks;
  bool may, replaces;
  atomic {
    do :: s<N -> owner[s]=NOBODY; kernel_of[s]=NOBODY; run Worker(s); s++ :: else -> break od;
    s=0
  };
  do
  :: (ENDED(0) && ENDED(K-1) && st==0) -> break
  :: else ->
     if
     TURNS(0)
#if K>1
     TURNS(1)
#endif
     :: (st==0 && changes<CHANGES) -> /* a task */
        if :: size=1 :: size=2 fi;
#ifdef WITHDRAWS
        atomic { withdrawn=false; run_of_it=0 };
#endif
        atomic { changes++; tasks++; gathered=0; shares=0; got=0; st=1 }
#ifdef WITHDRAWS
     :: (st==1 && !withdrawn) -> /* coop_withdraw_task(); event WITHDRAWN */
#ifdef HASTY_BACK
        atomic { do :: got>0 -> got--; owner[SLOT(TASK,got)]=NOBODY; free++ :: else -> break od; size=0; st=0 }
#else
        atomic { size=got; withdrawn=true }
#endif
#endif
     :: atomic { /* it gets slots as they come free */
          (st==1 && got<size && free>0) ->
          do :: (s<N && owner[s]!=NOBODY) -> s++ :: else -> break od;
          if
          :: s<N ->
             owner[s]=TASK; SLOT(TASK,got)=s; id_of[s]=got; got++; free--;
             assert(mail[s]==0); mail[s]=RESERVE(tasks) /* no trace: one message at a time */
          fi;
          s=0
        }
     :: (st==1 && gathered==size) -> atomic { go++; st=2 } /* event GATHERED */
     :: (st==2 && shares==size) -> /* event DONE */
        atomic {
#ifdef WITHDRAWS
          assert(run_of_it==(withdrawn -> 0 : size)); /* rule TASK: none of one that was withdrawn */
#endif
          do :: t<size -> owner[SLOT(TASK,t)]=NOBODY; SLOT(TASK,t)=0; free++; t++ :: else -> break od;
          t=0; size=0; got=0; st=0
        }
     fi;
     target=0
  od;
#ifdef LIVE
  over=true;
#endif
end_scheduler:
  (finished[0]==255)
}

/* Checks (README.md):
 *
 * check quick -DK=1 -DCHANGES=2
 * check full -DK=1 -DCHANGES=3
 * check full -DCHANGES=1 -DRUNS=2
 * check full -DCHANGES=2
 * check full -DCHANGES=2 -DPASSED
 * check full -DK=1 -DR=3 -DCHANGES=4 -DRUNS=2
 * check full
 * check quick -DWITHDRAWS -DK=1 -DCHANGES=2
 * check full -DWITHDRAWS -DCHANGES=2
 * bug quick -DHASTY -DK=1: a wish comes while some workgroups are still on their way to the pool, and they disagree
 *     on their number
 * bug quick -DEARLY -DK=1: a wish comes before all have read the last one, with the same end
 * bug quick -DEAGER -DCHANGES=2: the scheduler revokes slots that a wish is about to bring back: a workgroup is sent
 *     for that is another kernel's
 * bug quick -DUNCOUNTED -DCHANGES=1: a revoked slot is still counted as one of the kernel's in the pool: the kernel
 *     never settles, and does not end
 * bug full -DOWN -DCHANGES=2: a workgroup that leaves adds to the count of the kernel that has its slot now, and not
 *     to that of the one it left
 * bug quick -DHASTY_BACK -DWITHDRAWS -DK=1 -DCHANGES=2: the slots of a withdrawn task go back although their workgroups
 *     have been sent for
 * bug quick -DUNPASSED -DPASSED -DK=1 -DCHANGES=1: a workgroup does not pass a message on
 * live quick -DN=2 -DK=1 -DCHANGES=2
 * live full -DK=1 -DCHANGES=3
 * live full -DR=1 -DCHANGES=1
 * stuck quick -DREWRITTEN -DN=2 -DK=1 -DCHANGES=2: the scheduler writes the same wish again and again, and takes an
 *     arrival away each time while workgroups look whether all have arrived
 *
 * Of one kernel, with slots that are its ids, the checks with -DK=1 are what the runtime does today.
 */
