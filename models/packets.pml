/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks as launch packets: several in line and in flight from the host, others that workgroups of the kernel submit
 * and may wait for, beside a kernel that resizes. How a barrier resizes is members.pml's subject, and how a queue works
 * is queue.pml's: here both are one step. With -DLIVE: each task ends, and so does the run. Sequentially consistent. The
 * checks are at the end.
 *
 * A task of the host takes `shares` slots that lie together, the highest that no other task has, and its workgroups as
 * they leave the kernel; the kernel has slots from 0 on, and grows as far as the lowest slot of a task. The next in line
 * is gathered meanwhile, if there are slots for all of its workgroups. A task of the device is taken out of a queue by whoever has nothing else
 * to do: a workgroup in the pool, or one that waits for tasks of its own. A task of the host may submit some, too
 * (-DHOSTED): its lane waits for them, and keeps its slots until they have ended.
 */
#ifndef N
#define N 3         /* workgroups */
#endif
#ifndef R
#define R 2         /* barriers of a run */
#endif
#ifndef HOST
#define HOST 2      /* packets of the host */
#endif
#ifndef LANES
#define LANES 2     /* of which so many are in flight at once, 1 or 2 */
#endif
#ifndef DEVICE
#define DEVICE 2    /* packets that each workgroup of the kernel submits before a barrier, at most */
#endif
#ifndef ROOM
#define ROOM 2      /* of the device: descriptors of packets */
#endif
#ifndef SHARES
#define SHARES 2    /* workgroups that a task takes, at most */
#endif
#define MOST_SHARES (SHARES<N->SHARES:N-1) /* of a task of the host */
#define JOIN 1                  /* mail: the kernel */
#define RESERVE(lane) ((lane)+2) /* mail: a share of the task in this lane */
#define NOBODY 255
#define LANE(l) (N+(l))         /* whom to tell: this lane */
#define IS_OF_KERNEL(root) ((root)<N || (root)==NOBODY)

/* The kernel. */
byte A, G=N, T=N, rounds;       /* arrived, groups, target, barriers passed */
byte first_join, end_join;      /* those that the last barrier added, for workgroup 0 to send for */
short pool;                     /* workgroups neither in the kernel nor at a task of the device */
byte finished;
bool ended;                     /* the run has */
byte mail[N];
byte entry_round;

/* Tasks of the host: lanes. */
byte gathered[LANES], go[LANES], done[LANES]; /* go: 1 + packet */

/* Tasks of the device. */
chan ready = [ROOM*SHARES] of { byte };  /* shares of packets, by descriptor */
chan room = [ROOM] of { byte };          /* descriptors that are free */
byte left[ROOM], parent[ROOM];           /* shares that are not done; whom to tell */
bool is_nested[ROOM];
byte waited[N+LANES];                    /* of each slot and lane: its packets that have not ended */
byte pending;                            /* of all slots: the run does not end before */
#ifdef ALL
byte met[R+1];                           /* workgroups that have submitted all of theirs, up to each barrier (-DALL) */
#endif

/* What a proof needs to know and no kernel does. */
byte host_shares[HOST];         /* done */
byte host_wanted[HOST];
bool cancelled[HOST], reported[HOST];
bool in_kernel[N], at_task[N];
byte submitted, executed;       /* of the kernel's */
#ifdef ALL
byte last_submitted[R+1], last_executed[R+1], of_round[ROOM]; /* of these, before each barrier */
#define COUNT_SUBMITTED(e, k) of_round[e]=passed; last_submitted[passed]=last_submitted[passed]+k
#define COUNT_EXECUTED(d)     last_executed[of_round[d]]++
#else
#define COUNT_SUBMITTED(e, k) skip
#define COUNT_EXECUTED(d)     skip
#endif
bool refused;
#ifdef LIVE
bool over;                      /* all tasks and the run have ended */
ltl live { <> over }
#endif

inline COUNT_UP(root) {
  if :: root!=NOBODY -> waited[root]++ :: else fi;
  if :: IS_OF_KERNEL(root) -> pending++ :: else fi
}

inline COUNT_DOWN(root) {
  if :: root!=NOBODY -> assert(waited[root]>0); waited[root]-- :: else fi; /* rule CHILD */
  if :: IS_OF_KERNEL(root) -> assert(pending>0); pending-- :: else fi /* rule CHILD */
}

/* coop_submit(): a packet of k shares, or a status if there is no room. Whoever waits for it counts it before it can
 * end. */
inline SUBMIT(k, to, nested) {
  if
  :: atomic { nempty(room) -> room?e };
     atomic {
       parent[e]=to; left[e]=k; is_nested[e]=nested;
       if
       :: IS_OF_KERNEL(to) -> submitted=submitted+k; COUNT_SUBMITTED(e, k)
       :: else
       fi
     };
#ifndef LATE
     atomic { COUNT_UP(to) };
#endif
     i=0;
     do :: i<k -> ready!e; i++ :: else -> break od;
#ifdef LATE
     atomic { COUNT_UP(to) };
#endif
  :: empty(room) -> refused=true
  fi
}

/* A share of a task of the device, which may submit another for whom it is itself; the last to end frees the
 * descriptor. */
inline MAY_NEST(may, root) {
  if
  :: may -> SUBMIT(1, root, true)
  :: true
  fi
}

inline RUN_DEVICE() { /* event CHILD_BEGIN */
  atomic {
    if
    :: IS_OF_KERNEL(parent[d]) -> executed++; COUNT_EXECUTED(d)
    :: else
    fi
  };
#ifdef ORPHANED
  may_nest=!is_nested[d];
#elif defined(NESTED)
  MAY_NEST(!is_nested[d], parent[d]);
#endif
  atomic { left[d]--; was_last = (left[d]==0) }; /* event CHILD_END */
  if
  :: was_last ->
#ifdef FREED
     room!d;
     atomic { to=parent[d]; COUNT_DOWN(to) }
#else
     to=parent[d];
     room!d;
     atomic { COUNT_DOWN(to) }
#endif
#ifdef ORPHANED
     MAY_NEST(may_nest, to)
#endif
  :: else
  fi
}

proctype Worker(byte slot) {
  byte d, e, i, k, to, lane, passed, round, packets;
  bool was_last, took;
#ifdef ORPHANED
  bool may_nest;
#endif
in_pool:
end_pool:
  do
  :: mail[slot]!=0 -> break
  :: nempty(ready) ->
#ifndef UNCOUNTED
     pool--;
#endif
     atomic { took=nempty(ready); if :: took -> ready?d :: else fi };
     if :: took -> at_task[slot]=IS_OF_KERNEL(parent[d]); RUN_DEVICE(); at_task[slot]=false :: else fi;
#ifndef UNCOUNTED
     pool++
#endif
  od;
  atomic { lane=mail[slot]; mail[slot]=0 };
  if
  :: lane>=RESERVE(0) -> goto share
  :: else
  fi;
  assert(!in_kernel[slot]); in_kernel[slot]=true; /* rule JOIN, event JOIN */
  passed=entry_round;
  do
  :: passed<R ->
     packets=0;
     do
     :: packets<DEVICE ->
        if :: k=1 :: k=SHARES fi;
        if
        :: SUBMIT(k, slot, false)
        :: SUBMIT(k, NOBODY, false)
        fi;
        packets++
     :: true -> break
     od;
#ifdef ALL
     /* join_all_tasks(): after a barrier; others may already be beyond it, and have submitted more */
#ifndef UNMET
     met[passed]++;
     met[passed]==G;
#endif
#define MAY_GO_ON (pending==0)
#else
#define MAY_GO_ON (waited[slot]==0)
#endif
     do /* coop_join(): helps; event AWAIT */
     :: MAY_GO_ON ->
#ifdef ALL
        assert(last_executed[passed]==last_submitted[passed]); /* rule CHILD, event AWAITED */
#endif
        break
#ifndef UNHELPED
     :: nempty(ready) ->
        atomic { took=nempty(ready); if :: took -> ready?d :: else fi };
#ifdef OWN
        if :: (took && parent[d]!=slot) -> ready!d; took=false :: else fi;
#endif
        if :: took -> RUN_DEVICE() :: else fi
#endif
     od;
     /* a resizing barrier */
     round=rounds;
     atomic {
       A++;
       if
       :: A==G ->
          first_join=G; end_join=G;
          if
          :: T<G -> G=T
          :: (T>G && pool==N-G && finished==0) -> pool=pool-(T-G); end_join=T; G=T
          :: else
          fi;
          A=0; rounds++
       :: else
       fi
     };
     rounds!=round;
     passed++;
     if
     :: slot>=G -> /* rule CHILD, event RETIRE */
        assert(waited[slot]==0); atomic { in_kernel[slot]=false; pool++ }; goto in_pool
     :: (slot==0 && end_join>first_join) ->
        entry_round=passed; i=first_join;
        /* no trace: one message at a time */
        do :: i<end_join -> assert(mail[i]==0); mail[i]=JOIN; i++ :: else -> break od
     :: else
     fi
  :: else -> break
  od;
  in_kernel[slot]=false; finished++; pool++; /* event FINISH */
  goto in_pool;
share:
  lane=lane-RESERVE(0);
  gathered[lane]++;
  go[lane]!=0;
  assert(!in_kernel[slot]); /* rule TASK, event TASK_BEGIN */
#ifdef HOSTED
  MAY_NEST(true, LANE(lane));
#endif
  host_shares[go[lane]-1]++; /* event TASK_END */
  done[lane]++;
  goto in_pool
}

/* The scheduler waits for something to do, so that SPIN notices if nothing happens any more. Its target: as many as
 * there are below all tasks. */
#ifdef BEYOND
#define TARGET (wanted>=N->1:N-wanted)
#else
#define TARGET lowest
#endif
#define MAY_WANT (TARGET<T || (TARGET>T && G<=T))

/* coop_place(): a task that ends at slot e, if it can. */
#define OTHER(l) (LANES-1-(l))
#define OVERLAPS(o,b,e) (used[o] && (b)<first[o]+shares[o] && first[o]<(e))
#ifdef OVERLAPPING
#define FITS(e) ((e)>size)
#else
#define FITS(e) ((e)>size && !OVERLAPS(0,(e)-size,e) && !OVERLAPS(LANES-1,(e)-size,e))
#endif
#define HIGHEST_OF(l) (FITS(N)->N:(used[OTHER(l)] && FITS(first[OTHER(l)])->first[OTHER(l)]:0))
#define HIGHEST HIGHEST_OF(l)

/* coop_gather(): from the highest down, those that the kernel cannot have or get any more. */
#define NEXT_SLOT(l) (first[l]+shares[l]-1-reserved[l])
#define GATHERS(l) (used[l] && reserved[l]<shares[l])
#ifdef EARLY
#define IS_FREE(j) true
#else
#define IS_FREE(j) ((j)>=G && (j)>=T)
#endif
#define MAY_GATHER(l) (GATHERS(l) && IS_FREE(NEXT_SLOT(l)))
#define MAY_GO(l) (used[l] && go[l]==0 && gathered[l]==shares[l])
#ifdef ALONE
#define HAS_CHILDREN(l) false
#else
#define HAS_CHILDREN(l) (waited[LANE(l)]!=0)
#endif
#define IS_DONE(l) (used[l] && go[l]!=0 && done[l]==shares[l] && !HAS_CHILDREN(l))
#define ACTS(l) (MAY_GATHER(l) || MAY_GO(l) || IS_DONE(l))
#define HAS_ENDED (!ended && finished==G && pending==0)

inline FIND_LOWEST() {
  lowest=N;
  if :: used[0] -> lowest=first[0] :: else fi;
  if :: (used[LANES-1] && first[LANES-1]<lowest) -> lowest=first[LANES-1] :: else fi
}

init {
  byte l, j, s, next, wanted, lowest=N, size;
  byte packet[LANES], first[LANES], shares[LANES], reserved[LANES];
  bool used[LANES], waits; /* waits: the first in line wants `size` */
  atomic {
    do :: j<ROOM -> room!j; j++ :: else -> break od; j=0;
    do :: j<N -> run Worker(j); mail[j]=JOIN; j++ :: else -> break od; j=0
  };
  do
  :: (ended && next==HOST && wanted==0) -> break
  :: (next<HOST && !waits) -> /* the line is sorted; its first is cancelled, or is to have so many */
     atomic {
       if
       :: cancelled[next]=true; reported[next]=true; next++
       :: waits=true; size=1; host_wanted[next]=1
       :: waits=true; size=MOST_SHARES; host_wanted[next]=size
       fi
     }
  :: (waits && !used[0] && HIGHEST_OF(0)>0) || (waits && !used[LANES-1] && HIGHEST_OF(LANES-1)>0) ->
     atomic {
       l=(used[0]->LANES-1:0);
       first[l]=HIGHEST-size; packet[l]=next; shares[l]=size; reserved[l]=0; next++; wanted=wanted+size; used[l]=true;
       gathered[l]=0; done[l]=0; go[l]=0; waits=false; FIND_LOWEST() /* event SEEN */
     }
  :: MAY_WANT -> /* coop_want(): it is not raised before all have left that are too many for the last */
     T=TARGET
  :: HAS_ENDED -> /* coop_watch_kernel(): read in this order, the last until it holds */
     atomic {
       pool==N;
       assert(executed==submitted); /* rule RUN, event ENDED */
       do :: j<N -> assert(!at_task[j]); j++ :: else -> break od; j=0; /* rule RUN */
       ended=true; G=0
     }
  :: (ACTS(0) || ACTS(LANES-1)) ->
     l=(ACTS(0)->0:LANES-1);
     if
     :: MAY_GATHER(l) ->
        /* no trace: one message at a time */
        atomic { s=NEXT_SLOT(l); assert(mail[s]==0); mail[s]=RESERVE(l); reserved[l]++ }
     :: MAY_GO(l) -> go[l]=packet[l]+1 /* event GATHERED */
     :: IS_DONE(l) -> /* coop_await_shares() */
        atomic {
          assert(waited[LANE(l)]==0); /* rule CHILD, event DONE */
          reported[packet[l]]=true; wanted=wanted-shares[l]; used[l]=false; FIND_LOWEST()
        }
     :: else
     fi
  od;
  j=0;
  do
  :: j<HOST -> /* rule TASK: each share once */
     assert(reported[j] && (cancelled[j] -> host_shares[j]==0 : host_shares[j]==host_wanted[j])); j++
  :: else -> break
  od
#ifdef LIVE
  ;
  over=true
#endif
}

/* Checks (README.md):
 *
 * check quick -DN=3 -DR=2 -DHOST=2 -DDEVICE=0
 * check full -DN=3 -DR=3 -DHOST=3 -DDEVICE=0
 * check full -DN=4 -DR=2 -DHOST=3 -DDEVICE=0
 * check full -DN=2 -DR=2 -DDEVICE=1 -DROOM=1
 * check full -DN=2 -DR=1 -DHOST=1 -DLANES=1 -DDEVICE=1 -DNESTED
 * check full -DN=3 -DR=1 -DHOST=2 -DDEVICE=0 -DROOM=1 -DHOSTED
 * check full -DN=3 -DR=2 -DHOST=1 -DLANES=1 -DDEVICE=0 -DHOSTED -DNESTED
 * check full -DN=2 -DR=2 -DHOST=1 -DLANES=1 -DDEVICE=1 -DROOM=1 -DALL
 * bug quick -DOVERLAPPING -DN=3 -DR=2 -DHOST=2 -DDEVICE=0: tasks that share slots send a workgroup two messages, or
 *     wait for each other's
 * bug quick -DEARLY -DN=3 -DR=2 -DHOST=2 -DDEVICE=0: a workgroup that may still be sent for by the kernel gets two
 *     messages
 * bug quick -DBEYOND -DN=3 -DR=2 -DHOST=2 -DDEVICE=0: a task waits for workgroups of a kernel that may grow over its
 *     slots
 * bug quick -DUNCOUNTED -DN=2 -DR=1 -DHOST=1 -DDEVICE=1 -DROOM=1: a run is said to have ended while a workgroup of
 *     the pool still works at a task of it
 * bug quick -DUNHELPED -DN=2 -DR=1 -DHOST=1 -DDEVICE=1 -DROOM=1: all workgroups wait for tasks that nobody takes
 * bug quick -DFREED -DN=2 -DR=1 -DHOST=1 -DDEVICE=1 -DROOM=1: whoever frees a descriptor before it has read whom to
 *     tell tells another
 * bug quick -DLATE -DN=2 -DR=1 -DHOST=1 -DLANES=1 -DDEVICE=1 -DNESTED: a task ends before it is counted
 * bug quick -DORPHANED -DN=2 -DR=1 -DHOST=1 -DLANES=1 -DDEVICE=1 -DNESTED: a task is submitted only when its share is
 *     no longer counted, and the run ends before it
 * bug quick -DALONE -DN=3 -DR=1 -DHOST=1 -DDEVICE=0 -DROOM=1 -DHOSTED: a task of the host is said to have ended
 *     before one that it submitted
 * bug quick -DUNMET -DN=2 -DR=2 -DHOST=1 -DLANES=1 -DDEVICE=1 -DROOM=1 -DALL: a workgroup goes on before tasks of
 *     others have ended, without the barrier that comes before
 *
 * live full -DN=3 -DR=1 -DHOST=2 -DDEVICE=0
 * live full -DN=2 -DR=1 -DHOST=1 -DLANES=1 -DDEVICE=1 -DROOM=1
 * live full -DN=3 -DR=2 -DHOST=2 -DDEVICE=0
 * live full -DN=2 -DR=1 -DHOST=1 -DLANES=1 -DDEVICE=0 -DHOSTED -DNESTED
 * live full -DN=3 -DR=1 -DHOST=1 -DLANES=1 -DDEVICE=0 -DROOM=1 -DHOSTED
 * stuck full -DOWN -DN=2 -DR=1 -DHOST=1 -DLANES=1 -DDEVICE=1: a workgroup that waits for its tasks puts others' back
 *     at the end of the line, and two take each other's for ever
 *
 * -DNESTED: tasks of the device submit another each, for whom they are themselves; -DHOSTED: so do shares of the host's.
 * -DALL: workgroups wait for the tasks of all others, too, after a barrier, and help with them.
 * By hand alone, -DN=3 -DR=1 -DHOST=1 -DLANES=1 -DDEVICE=1 -DROOM=1 holds, too: it has 165 million states, in some 9 GB.
 */
