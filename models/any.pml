/* SPDX-License-Identifier: Apache-2.0
 *
 * Semantics `any` (kernels/coop/offers/any.clh, kernels/coop/grants/any.clh): any workgroup may be killed at its
 * offer, so that ids are not consecutive. Whoever is first takes a permit of the scheduler, leaves, and says so in a ring
 * of places, by which the scheduler gets its slot and its id; one that forks leaves an order, for which the scheduler
 * takes free slots and free ids. With -DLIVE a run never ends: each task does, and after the last one all workgroups come
 * back. Sequentially consistent. The checks are at the end. -D parameters:
 */
#ifndef N
#define N 3         /* workgroups */
#endif
#ifndef STEPS
#define STEPS 2     /* offers and requests of a workgroup */
#endif
#ifndef TASKS
#define TASKS 2     /* of the host, one after the other */
#endif
#ifndef RUNS
#define RUNS 2      /* of the kernel */
#endif
/* -DMEETS: then each meets all others at a barrier, before it finishes. */
#define NONE 15
#define FROM_START N
#define JOIN(from) ((from)+1)
#define SHARE (N+3)
#define BUSY 14     /* the order is being written */

byte G, T=N;                        /* the word: M, and how many the scheduler wants */
byte issued, taken;                 /* the word of permits: who takes one leaves */
byte A, rounds;                     /* -DMEETS, in the first word: arrived, and barriers so far */
byte tail, ring[N];                 /* places taken, and slot + 1 in each */
byte order_id=NONE, order_k;        /* NONE: there is none; k 0: it is being written */
byte readers[N];                    /* of each id: joiners that have not read its state; */
byte state_of[N], round_of[N];      /* what that is of, and the barriers that it has passed */
byte mail[N], id_of[N], slot_of[N]; /* messages to slots; tables of the kernel */
byte wanted;                        /* workgroups of a task; 0: there is none */
short out;
byte finished;

#ifdef LIVE
#define MORE true
ltl live { [] (wanted>0 -> <> (wanted==0)) && <>[] (G==T && finished==0) }
#else
#define MORE (steps<STEPS)
#endif

/* What a proof needs to know and no kernel does. */
bool at_work[N], has_id[N];
byte shares, number; /* number: of the run */

/* ---- Workers --------------------------------------------------------------------------------------------------- */

/* All others wait at the barrier: nobody changes that but who goes on with it. */
inline COMPLETE() {
  atomic { assert(A==G); A=0; rounds++ } /* rule BARRIER, event LEAVE */
}

inline ANNOUNCE() {
  atomic { place=tail%N; tail=(tail+1)%(4*N) };
  atomic { assert(ring[place]==0); ring[place]=slot+1 } /* no trace: a place of the ring is of one */
}

/* The scheduler issues as many permits as are to leave, so that nobody needs to compare and swap. */
inline TRY_KILL() {
  killed=false;
  atomic { g=G; t=T };
  if
  :: (g>t && issued>taken) ->
     atomic { busy=(issued>taken); taken++ };
     if
     :: busy ->
#ifdef RINGFIRST
        ANNOUNCE();
#endif
        atomic { assert(G>1); G--; killed=true; has_id[id]=false; last=(A==G) }; /* rule KILL, event KILL */
#ifndef UNCOMPLETED
        if :: last -> COMPLETE() :: else fi
#endif
     :: else -> taken--
     fi
  :: else
  fi
}

#ifdef MEETS
inline MEET() {
  atomic { A++; last=(A==G) }; /* event ARRIVE */
  if :: last -> COMPLETE() :: else fi;
meets:
  rounds!=passed;
  passed++
}
#endif

inline TRY_FORK() {
  atomic { g=G; t=T };
  if
#ifdef UNREAD
  :: (t>g) ->
#else
  :: (t>g && readers[id]==0) ->
#endif
#ifdef UNTAKEN
     busy=(order_id!=NONE);
#else
     atomic { busy=(order_id!=NONE); if :: !busy -> order_id=BUSY; order_k=0 :: else fi };
#endif
     if
     :: busy
     :: else ->
        atomic { if :: (G==g && T==t) -> G=t; busy=false :: else -> busy=true fi };
        if
        :: busy -> order_id=NONE
        :: else ->
           out=out+(t-g);
           assert(readers[id]==0); /* rule FORK, event FORK */
           state_of[id]=number; round_of[id]=passed; readers[id]=t-g;
           /* no trace: one order at a time */
           atomic { assert(order_id==NONE || order_id==BUSY); order_k=t-g; order_id=id }
        fi
     fi
  :: else
  fi
}

proctype Worker(byte slot) {
  byte id, from, g, t, place, steps, passed;
  bool killed, busy, last;
in_pool:
end_pool:
  mail[slot]!=0;
  atomic { from=mail[slot]; mail[slot]=0; id=id_of[slot]; assert(!at_work[slot]); at_work[slot]=true }; /* rule TASK */
  if
  :: from==SHARE -> atomic { shares++; at_work[slot]=false }; goto in_pool /* event TASK_BEGIN, event TASK_END */
  :: else -> from=from-1
  fi;
  atomic { assert(!has_id[id]); has_id[id]=true; assert(slot_of[id]==slot) }; /* rule JOIN, event JOIN */
  if
  :: from!=FROM_START -> /* rule JOIN: with the state of this run */
     atomic { assert(state_of[from]==number); passed=round_of[from] }; readers[from]--
  :: else -> passed=0
  fi;
  steps=0;
  do
  :: MORE ->
     TRY_KILL();
     if
     :: killed ->
        at_work[slot]=false;
#ifndef RINGFIRST
        ANNOUNCE();
#endif
        out--;
        goto in_pool
     :: else
     fi;
     TRY_FORK();
#ifdef LIVE
     atomic { g=0; t=0; place=0; busy=false; last=false }
#else
     steps++
#endif
  :: else -> break
  od;
#ifdef MEETS
  MEET();
#endif
  atomic { at_work[slot]=false; has_id[id]=false; finished++ }; /* event FINISH */
  out--;
  goto in_pool
}

/* ---- The scheduler --------------------------------------------------------------------------------------------- */

byte free_slot[N], n_free, free_id[N], n_ids;
byte head, has, tasks, sent, gone; /* gone: in this run, read from the ring */
byte lane[N];

inline PUSH(s) { free_slot[n_free]=s; n_free++ }
inline POP(s)  { assert(n_free>0); n_free--; s=free_slot[n_free] } /* no trace: there is one to take */

/* coop_take_left() */
inline TAKE_LEFT() {
  do
  :: ring[head]!=0 ->
     atomic { s=ring[head]-1; ring[head]=0; head=(head+1)%N;
              i=id_of[s]; slot_of[i]=NONE; free_id[n_ids]=i; n_ids++; PUSH(s); gone++ }
  :: else -> break
  od
}

/* coop_issue_permits(): whoever has taken one and has not been read may have left or not. M is read after the ring. */
#define SURPLUS (G>T -> G-T : 0)
#define UNDER_WAY (issued-gone)
inline ISSUE() {
#ifdef EARLY
  i=SURPLUS; TAKE_LEFT();
#else
  i=SURPLUS;
#endif
  if :: (i>UNDER_WAY) -> atomic { issued=issued+(i-UNDER_WAY) } :: else fi
}
inline REVOKE() {
  i=SURPLUS;
  atomic {
    if
    :: (UNDER_WAY>i && issued>taken) ->
       if :: (UNDER_WAY-i<issued-taken) -> issued=issued-(UNDER_WAY-i) :: else -> issued=taken fi
    :: else
    fi
  }
}

/* coop_serve_order() */
inline SERVE_ORDER() {
  do
  :: (order_id!=NONE && order_id!=BUSY && order_k>0 && sent<order_k && n_free>0) ->
     /* no trace: there is one to take */
     atomic { assert(n_ids>0); POP(s); n_ids--; i=free_id[n_ids]; slot_of[i]=s; id_of[s]=i };
     atomic { assert(mail[s]==0); mail[s]=JOIN(order_id); sent++ } /* no trace: one message at a time */
  :: else -> break
  od;
  if
  :: (sent>0 && sent==order_k) -> sent=0; order_k=0; order_id=NONE
  :: else
  fi
}

/* coop_spare(): free slots that the kernel does not have a claim to. One that is on its way to it counts as its. */
#define CLAIMS (G>T -> G : T)
#ifdef GREEDY
#define SPARE (n_free>0)
#else
#define SPARE (n_free>0 && has<N-CLAIMS)
#endif

inline SEND_FOR() {
  do
  :: (has<wanted && SPARE) ->
     POP(s);
     atomic { assert(mail[s]==0); lane[has]=s; has++; mail[s]=SHARE } /* no trace: one message at a time */
  :: else -> break
  od
}

inline RELEASE() {
  i=0;
  do
  :: i<N -> if :: slot_of[i]!=NONE -> s=slot_of[i]; PUSH(s); slot_of[i]=NONE :: else fi; i++
  :: else -> break
  od
}

/* Each id below M has a slot, and no other has. */
inline START() {
  RELEASE();
  n_ids=0; i=N;
  do :: i>T -> i--; free_id[n_ids]=i; n_ids++ :: else -> break od;
  atomic { issued=0; taken=0; gone=0; A=0; rounds=0 };
  G=T; finished=0; out=out+T; i=0; /* event START */
  do
  :: i<T ->
     POP(s); slot_of[i]=s; id_of[s]=i;
     atomic { assert(mail[s]==0); mail[s]=JOIN(FROM_START) }; /* no trace: one message at a time */
     i++
  :: else -> break
  od
}

/* Ended: nobody is at work for it, and no slot is on its way. */
#define ENDED (G>0 && finished==G && out==0)
#define HAS_ORDER (order_id!=NONE && order_id!=BUSY && order_k>0 && n_free>0)

/* Each of its turns may come at any time, but none that would do nothing: so a state in which nobody can go on is
 * found. */
active proctype Scheduler() {
  byte s, i;
  atomic {
    do :: i<N -> slot_of[i]=NONE; PUSH(i); run Worker(i); i++ :: else -> break od;
  };
  START();
  do
  :: ring[head]!=0 -> TAKE_LEFT()
  :: (G>0 && SURPLUS>UNDER_WAY) -> ISSUE()
#ifdef RESTLESS
  :: atomic { (G>0 && issued>taken) -> issued=taken }
#else
  :: (G>0 && SURPLUS<UNDER_WAY && issued>taken) -> REVOKE()
#endif
  :: HAS_ORDER -> SERVE_ORDER()
  :: (has<wanted && SPARE) -> SEND_FOR()
  :: ENDED ->
#ifndef UNDRAINED
     TAKE_LEFT();
#endif
     assert(taken==gone); /* no trace: all that left have been read; event ENDED */
     G=0; number++;
     if :: number<RUNS -> START() :: else -> RELEASE() fi
  :: (wanted==0 && tasks<TASKS) -> /* a task of one workgroup, or of all but one */
     if :: wanted=1 :: wanted=N-1 fi;
     has=0; shares=0; tasks++; T=N-1 /* event SEEN, event WISH */
  :: (wanted>0 && T>N-wanted) -> T=N-wanted /* as by a limit, meanwhile */
  :: (wanted>0 && has==wanted && shares==wanted) ->
     do :: has>0 -> has--; s=lane[has]; PUSH(s) :: else -> break od;
     wanted=0; T=N /* event DONE */
  :: (number==RUNS && tasks==TASKS && wanted==0) -> break
  od;
  assert(order_id==NONE); /* rule JOIN: all that were forked have */
  i=0;
  do :: i<N -> assert(mail[i]==0 && readers[i]==0); i++ :: else -> break od /* rule JOIN: all that were sent for */
}

/* Checks (README.md):
 *
 * check quick -DN=2 -DSTEPS=1 -DTASKS=1 -DRUNS=1
 * check full -DSTEPS=1 -DTASKS=1 -DRUNS=1
 * check full -DRUNS=1 -DTASKS=1
 * check full -DSTEPS=1 -DTASKS=1
 * check full -DSTEPS=1 -DRUNS=1
 * check full -DSTEPS=1 -DTASKS=1 -DMEETS
 * bug quick -DUNTAKEN -DSTEPS=1 -DTASKS=1: two workgroups write an order at once
 * bug full -DUNREAD -DRUNS=1: a workgroup forks again before all that it has forked have read its state
 * bug quick -DUNDRAINED -DSTEPS=1 -DTASKS=1: the scheduler begins the next run with slots still in the ring
 * bug quick -DGREEDY -DSTEPS=1 -DRUNS=1: a task takes free slots that the kernel has a claim to, and both wait for
 *     ever if the others have finished (the first version of the model had that one)
 * bug full -DEARLY -DSTEPS=1 -DTASKS=1: the scheduler reads M before the ring, and issues permits to the last
 *     workgroup
 * bug quick -DUNCOMPLETED -DSTEPS=1 -DTASKS=1 -DMEETS: a workgroup that leaves does not complete the barrier at which
 *     all others wait
 * bug quick -DRINGFIRST -DN=2 -DSTEPS=2 -DTASKS=1 -DRUNS=1: a workgroup is counted as gone before M has fallen, so
 *     that another permit is issued, to the last one
 * live quick -DN=2 -DTASKS=1
 * live full -DN=2 -DTASKS=2
 * stuck quick -DRESTLESS -DN=2 -DTASKS=1: the scheduler takes permits back that are still wanted, each time before a
 *     workgroup has looked
 */
