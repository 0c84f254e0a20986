/* SPDX-License-Identifier: Apache-2.0
 *
 * The membership word (kernels/coop_abi.h): offers, forks, and the barriers `query`, `regular`, `literal`, `model` and
 * `master`, with pool and mail (kernels/coop/). With -DLIVE a run never ends: barriers are passed for ever, and once the
 * scheduler does not change the target any more, M becomes what it is. Sequentially consistent. The checks are at the end.
 * -D parameters:
 */
#ifndef N
#define N 4         /* workgroups */
#endif
#ifndef R
#define R 2         /* barriers of a run; `literal` takes two each time, `model` three */
#endif
#ifndef OFFERS
#define OFFERS 1    /* before each barrier */
#endif
#ifndef CHANGES
#define CHANGES 2   /* of the target, by the scheduler */
#endif
#ifndef FIRST
#define FIRST N     /* target at the start */
#endif
/* -DREGULAR, -DLITERAL, -DMODEL, -DMASTER: these barriers; else `query`.
 * -DPRINTED: an offer is as the paper prints it, as with all barriers but `query`. -DKEEPS: no barrier resizes.
 * -DNEXT=t: the scheduler changes the target to t, and not to any. -DFEW: slots 0 and 1 do not offer.
 * -DFORK: each requests a fork before each barrier. */
#if defined(REGULAR) || defined(LITERAL) || defined(MODEL) || defined(MASTER)
#define PRINTED
#else
#define QUERY
#endif
#if defined(REGULAR) || defined(MASTER)
#define SLAVES
#endif
#ifdef FEW
#define OFFERS_OF(slot) (slot < 2 -> 0 : OFFERS)
#else
#define OFFERS_OF(slot) OFFERS
#endif
#define ROUNDS 4    /* the word's round counts modulo (kernel: 16) */
#ifdef LIVE
#define VERSIONS 1  /* no matter: nobody compares it */
#else
#define VERSIONS 8  /* and its version (kernel: 4096) */
#endif
#define JOIN(s) ((s)+1)
#define FROM_START N
#define HERE 1      /* in a slave's flag: it has arrived */
#define GO(m) ((m)+1) /* it may go on, and M is m */
#define MOST(a,b) ((a)>(b) -> (a) : (b))

byte A, G=N, T=FIRST, O, Rd, V; /* the word: arrived, groups, target, offered, round, version */
byte number_, before_, after_;  /* the word `resized`: of which barrier, M before, M after */
short pool;
byte finished;
byte mail[N], entry_round[N], entry_passed[N], entry_groups[N], readers[N];
bool entry_inside[N];               /* those that join begin inside the sender's barrier */
byte flag[N];                       /* `master`: of each slave */

/* What a proof needs to know and no kernel does. */
#ifdef LIVE
#define PASSED 8                    /* barriers passed count modulo; the kernel's tags do, too */
#define MORE true
#define IS_LATER(a,b) ((a)!=(b) && ((a)+PASSED-(b))%PASSED<PASSED/2)
#define NOTE_COMPLETED(m) skip
#define ASSERT_DONE(barrier) skip
#define ASSERT_AFTER(barrier,is) skip
bit turn;                           /* changes with each barrier of workgroup 0 */
/* event LIMITED: once M is as wanted */
ltl live { <>[] (G==T) && []<> (turn==0) && []<> (turn==1) }
#else
#define PASSED 255
#define MORE (passed<R)
#define IS_LATER(a,b) ((a)>(b))
/* rule BARRIER: once */
#define NOTE_COMPLETED(m) assert(!done_of[completed]); done_of[completed]=true; after_of[completed]=m; completed++
#define ASSERT_DONE(barrier) assert(done_of[barrier]) /* rule BARRIER: all had arrived */
#define ASSERT_AFTER(barrier,is) assert(is after_of[barrier]) /* rule BARRIER: and agree on M */
byte completed;                     /* barriers */
byte after_of[R+1]; bool done_of[R+1];
byte agreed[R+1];                   /* M, as those see it that have passed so many barriers; 0: nobody yet */
#endif
#define PASS passed=(passed+1)%PASSED
bool in_kernel[N];
byte may=N;                         /* what M may become: slots beyond may have a task's message */

#define LOAD sa=A; sg=G; st=T; so=O; sr=Rd; sv=V
#define IS_SURPLUS (slot>0 && slot>=st && slot<sg)
#define SET_NEXT(a_,g_,o_,r_,v_) na=a_; ng=g_; no=o_; nr=(r_)%ROUNDS; nv=(v_)%VERSIONS

inline SWAP(ok) {
  atomic { if
    :: (A==sa && G==sg && T==st && O==so && Rd==sr && V==sv) ->
       if :: nr!=Rd -> NOTE_COMPLETED(ng)
          :: else fi;
       assert(ng<=G || ng<=may); /* rule FORK, rule LIMIT: no slot of a task */
       assert(ng>0);             /* rule KILL: never the first */
       A=na; G=ng; O=no; Rd=nr; V=nv;
       sa=na; sg=ng; so=no; sr=nr; sv=nv; ok=true
    :: else -> LOAD; ok=false
  fi }
}

/* coop_publish(): gives up if what is there is of a later barrier. */
inline PUBLISH(groups) {
#ifdef UNTAGGED
  atomic { before_=groups; after_=groups }
#else
  atomic { pn=number_; pb=before_; pa=after_ };
  do
  :: IS_LATER(pn,passed) -> break
  :: else ->
     atomic { if
     :: (number_==pn && before_==pb && after_==pa) -> number_=passed; before_=groups; after_=groups; break
     :: else -> pn=number_; pb=before_; pa=after_
     fi }
  od
#endif
}

#ifdef PRINTED
#define WAIT_AT_OFFERS(n) 0
#else
#define WAIT_AT_OFFERS(n) (n)
#endif

/* coop_without() */
inline WITHOUT(first) {
  last = (sa==first);
  atomic { SET_NEXT((last->0:sa), first, so-WAIT_AT_OFFERS(sg-first), sr+last, sv+(sg-first)) };
  if :: last -> PUBLISH(first)
     :: else fi
}

#ifdef PRINTED
/* coop_leave_as_highest() */
inline LEAVE_AS_HIGHEST() {
  killed=false;
  atomic { LOAD };
  do
#ifdef LOWER
  :: (!killed && IS_SURPLUS) -> WITHOUT(slot); SWAP(killed)
#else
  :: (!killed && IS_SURPLUS && slot+1==sg) -> WITHOUT(slot); SWAP(killed)
#endif
  :: else -> break
  od
}

/* coop_try_kill() of printed.clh; event OFFER */
inline TRY_KILL() { LEAVE_AS_HIGHEST() }
#else
/* coop_offer() */
inline OFFER() {
  atomic { O++; LOAD }; /* event OFFER */
  do
  :: (slot<sg && so==sg-st) -> WITHOUT(st); SWAP(ok)
  :: else -> break
  od
}

/* coop_try_kill() of together.clh */
inline TRY_KILL() {
  killed=false;
  atomic { LOAD };
  if
  :: IS_SURPLUS ->
     OFFER();
#ifdef LIVE /* at its offer for a while, at the end of which it looks again */
     if :: IS_SURPLUS -> atomic { LOAD } :: true fi;
#else
     do /* at its offer, for as long as it likes */
     :: IS_SURPLUS -> atomic { LOAD }
     :: true -> break
     od;
#endif
     swapped=false; highest=false;
     do
     :: (!swapped && slot<sg) ->
#ifdef TOGETHER
        highest=false;
#elif defined(LOWER)
        highest = IS_SURPLUS;
#else
        highest = (IS_SURPLUS && slot+1==sg);
#endif
        if :: highest -> WITHOUT(slot)
           :: else -> atomic { SET_NEXT(sa,sg,so-1,sr,sv) } fi;
        SWAP(swapped)
     :: else -> break
     od;
     killed = (!swapped || highest)
  :: else
  fi
}
#endif

#ifdef HASTY
#define IS_SETTLED true
#else
#define IS_SETTLED (pool==N-sg && finished==0)
#endif

/* coop_try_fork() */
inline TRY_FORK() {
  atomic { LOAD };
  if
  :: (st>sg && readers[slot]==0) ->
     atomic { reserved = IS_SETTLED; if :: reserved -> pool=pool-(st-sg) :: else fi };
     if
     :: reserved ->
        atomic { bef=sg; aft=st; SET_NEXT(sa,st,so,sr,sv+1) };
        SWAP(ok);
        if :: ok -> SEND_JOINS(false) /* event FORK */
           :: else -> pool=pool+(aft-bef) fi
     :: else
     fi
  :: else
  fi
}

/* coop_send_joins() to the slots from bef to aft */
inline SEND_JOINS(inside) {
  assert(readers[slot]==0); /* no trace: what joiners read stays until they have */
  atomic { entry_round[slot]=round; entry_passed[slot]=passed; entry_groups[slot]=aft; entry_inside[slot]=inside;
           readers[slot]=aft-bef };
  j=bef;
  do :: j<aft -> assert(mail[j]==0); mail[j]=JOIN(slot); j++ :: else -> break od /* no trace: one message at a time */
}

/* coop_complete() */
inline COMPLETE() {
  done=false;
  do
  :: !done ->
     bef=sg; aft=sg;
#if defined(QUERY) && !defined(KEEPS)
     if
     :: st<sg -> aft=st
     :: st>sg ->
        atomic { if :: (pool==N-sg && finished==0) -> pool=pool-(st-sg); aft=st :: else fi }
     :: else
     fi;
#endif
     atomic { number_=passed; before_=bef; after_=aft };
     atomic { SET_NEXT(0,aft,0,sr+1,sv+(aft!=bef)) };
     SWAP(done);
     if :: (!done && aft>bef) -> pool=pool+(aft-bef) :: else fi
  :: else -> break
  od
}

/* What was seen before is not used again: fewer states. */
#ifdef LIVE
#define FORGET \
  sa=0; sg=0; st=0; so=0; sr=0; na=0; ng=0; no=0; nr=0; pn=0; pb=0; pa=0; offers=0; j=0; bef=0; aft=0; ok=false; \
  last=false; swapped=false; highest=false; killed=false; done=false; reserved=false
#else
#define FORGET offers=0
#endif

/* All that go on from a resizing barrier see the same M. */
inline AGREE() {
#ifdef LIVE
  if :: slot==0 -> turn=1-turn :: else fi
#else
  atomic { assert(agreed[passed]==0 || agreed[passed]==groups); agreed[passed]=groups } /* rule BARRIER, event LEAVE */
#endif
}

/* coop_meet_word() */
inline MEET() {
  atomic { A++; LOAD }; /* event ARRIVE */
  if
  :: sa==sg -> COMPLETE()
  :: else -> (Rd!=round || slot>=G)
  fi;
  atomic { bef=before_; aft=after_ };
  round=(round+1)%ROUNDS;
  ASSERT_DONE(passed);
  if
  :: slot>=aft -> ASSERT_AFTER(passed, slot>=); goto leave
  :: else ->
     ASSERT_AFTER(passed, aft==); /* all that go on agree */
     groups=aft;
     PASS
  fi
}

/* coop_grow(): by the only one that may change M now; the scheduler may change the target */
inline GROW() {
  aft=bef;
  if
  :: st>bef -> atomic { if :: (pool==N-bef && finished==0) -> pool=pool-(st-bef); aft=st :: else fi }
  :: else
  fi;
  do
  :: aft>bef ->
#ifdef ADDED
     /* rule FORK */
     atomic { assert(G==bef && O==0 && aft<=may); G=aft; V=(V+1)%VERSIONS }; break
#else
     atomic { assert(G==bef && O==0); SET_NEXT(sa,aft,so,sr,sv+1) }; /* rule FORK */
     SWAP(ok);
     if
     :: ok -> break
     :: (!ok && st!=aft) -> pool=pool+(aft-bef); aft=bef
     :: else
     fi
#endif
  :: else -> break
  od
}

/* coop_gather_slaves(), and once more if others have come meanwhile */
inline GATHER() {
  do
  :: groups=G; j=1;
     do
#ifdef UNWATCHED
     :: j<groups -> flag[j]==HERE; j++
#else
     :: j<groups -> (flag[j]==HERE || j>=G); j++
#endif
     :: else -> break
     od;
     if :: G<=groups -> break
        :: else fi
  od
}

inline LEAD_ON() {
#ifndef LIVE
  atomic { assert(!done_of[passed]); done_of[passed]=true; after_of[passed]=aft }; /* rule BARRIER */
#endif
  PASS
}

/* Workgroup 0 at the barriers `regular` and `master` */
inline LEAD() {
  GATHER();
  /* rule BARRIER: all had arrived */
  atomic { LOAD; j=1; do :: j<sg -> assert(flag[j]==HERE); j++ :: else -> break od; bef=sg };
  if
#ifdef MASTER
  :: st<bef -> aft=st
#else
  :: st<bef -> aft=bef
#endif
  :: st>=bef -> GROW()
#ifndef LIVE
  :: true -> aft=bef /* a global_barrier() */
#endif
  fi;
  LEAD_ON();
  groups=aft;
  if :: aft>bef -> SEND_JOINS(true)
     :: else fi;
  j=1;
  do :: j<MOST(bef,aft) -> flag[j]=GO(aft); j++ :: else -> break od
}

/* A slave, once it has been told to go on. */
inline FOLLOW() {
  flag[slot]>HERE;
  groups=flag[slot]-1;
#ifndef UNCLEARED
  flag[slot]=0;
#endif
}

proctype Worker(byte slot) {
  byte sa,sg,st,so,sr,sv, na,ng,no,nr,nv, pn,pb,pa, round,passed,offers,j,from,bef,aft,groups;
  bool ok,last,swapped,highest,killed,done,reserved;
in_pool:
#ifdef LIVE
  atomic { FORGET; round=0; passed=0; groups=0; from=FROM_START };
#endif
end_pool:
  mail[slot]!=0;
#ifdef KEPT
  atomic { from=mail[slot]-1; mail[slot]=0; if :: from!=FROM_START -> pool++ :: else fi };
#else
  atomic { from=mail[slot]-1; mail[slot]=0 };
#endif
  if :: from==FROM_START -> round=0; passed=0
     :: else -> atomic { round=entry_round[from]; passed=entry_passed[from]; groups=entry_groups[from] }
  fi;
  assert(!in_kernel[slot]); in_kernel[slot]=true; /* rule JOIN, event JOIN */
  assert(slot<G);                                 /* rule JOIN: one of 0 to M - 1 */
  if :: (from!=FROM_START && entry_inside[from]) -> goto inside
     :: else fi;
entered:
  if :: from!=FROM_START -> readers[from]--; from=FROM_START
     :: else fi;
  do
  :: atomic { MORE -> FORGET };
     do
     :: offers<OFFERS_OF(slot) -> TRY_KILL(); if :: killed -> goto leave :: else -> offers++ fi /* event KILL */
     :: else -> break
     od;
#ifdef FORK
     TRY_FORK();
#endif
#ifdef SLAVES
     if
     :: slot==0 -> LEAD()
     :: else ->
#ifdef REGULAR
        TRY_KILL(); if :: killed -> goto leave :: else fi;
#endif
        flag[slot]=HERE;
inside:
        FOLLOW();
        if
        :: from==FROM_START -> ASSERT_DONE(passed); PASS
        :: else /* has joined behind it */
        fi;
        ASSERT_AFTER(passed-1, groups==);
        if
        :: slot>=groups -> /* offers itself until the scheduler takes it: once it is the highest */
           assert(slot>0 && slot>=T && slot<G); /* rule BARRIER, event RETIRE */
#ifdef ONCE
           LEAVE_AS_HIGHEST();
#else
           slot+1==G; LEAVE_AS_HIGHEST(); assert(killed); /* rule KILL: the highest leaves */
#endif
           goto leave
        :: else
        fi
     fi;
     AGREE();
     if :: from!=FROM_START -> goto entered :: else fi
#else
#ifdef LITERAL
     TRY_KILL(); if :: killed -> goto leave :: else fi;
#endif
     MEET();
#ifndef QUERY
     if
     :: slot==0 ->
        atomic { LOAD; bef=sg };
        GROW();
        if :: aft>bef -> SEND_JOINS(true) :: else fi
     :: else
     fi;
#if defined(UNMET) && defined(LITERAL)
     groups=G;
inside:
#else
#ifdef UNSEPARATED
     skip;
inside:
#else
inside:
     MEET();
#endif
#ifdef MODEL
     if
     :: from!=FROM_START /* it has joined, and makes no offer */
     :: else -> TRY_KILL(); if :: killed -> goto leave :: else fi
     fi;
#ifdef UNMET
     groups=G;
#else
     MEET();
#endif
#endif
#endif
     AGREE();
     if :: from!=FROM_START -> goto entered :: else fi
#else
     AGREE();
     if :: (slot==0 && aft>bef) -> SEND_JOINS(false)
        :: else fi
#endif
#endif
  :: else -> break
  od;
  finished++; in_kernel[slot]=false; pool++; goto in_pool; /* event FINISH */
leave:
  assert(slot>0 && slot>=G); /* rule KILL: only the highest, never 0 */
#ifdef KEPT
  in_kernel[slot]=false; goto in_pool;
#else
  in_kernel[slot]=false; pool++; goto in_pool;
#endif
#ifdef QUERY
inside:
  assert(false) /* no trace: cannot be reached */
#endif
}

init {
  byte c, t, now, groups;
  atomic {
    do :: c<N -> run Worker(c); mail[c]=JOIN(FROM_START); c++ :: else -> break od; c=0
  };
  /* the scheduler: coop_want(), at any time */
  do
  :: c<CHANGES ->
#ifdef NEXT
     t=NEXT;
#else
     t=1; do :: t<N -> t++ :: break od;
#endif
     atomic { now=T; groups=G };
     if
#ifdef RAISED
     :: t==now -> skip
#else
     :: (t==now || (t>now && groups>now)) -> skip
#endif
     :: else -> /* a raised target: no task has what is below; a lowered one: it takes what is free */
        /* event WISH */
        if :: t>now -> atomic { may=t; T=T+t-now }
           :: else -> T=T+t-now; atomic { may=MOST(G,t) } fi
     fi;
     c++
  :: else -> break
  od;
end_scheduler:
  (finished==255)
}

/* Checks (README.md):
 *
 * check quick -DN=2
 * check full -DN=3 -DCHANGES=1
 * check full -DN=3
 * check full -DN=3 -DFORK
 * check quick -DN=3 -DPRINTED -DKEEPS -DCHANGES=1
 * check full -DN=3 -DPRINTED -DKEEPS -DFORK
 * check quick -DN=3 -DREGULAR -DOFFERS=0
 * check full -DN=3 -DREGULAR -DR=3 -DCHANGES=3
 * check full -DN=3 -DREGULAR -DFORK
 * check full -DN=3 -DLITERAL -DR=4 -DFIRST=2 -DOFFERS=0
 * check quick -DN=3 -DMODEL -DR=3 -DCHANGES=1 -DOFFERS=0
 * check full -DN=3 -DMODEL -DR=6 -DFIRST=2 -DOFFERS=0
 * check quick -DN=3 -DMASTER -DR=2 -DCHANGES=2 -DOFFERS=0
 * check full -DN=3 -DMASTER -DR=3 -DCHANGES=3 -DOFFERS=0
 * check full -DN=3 -DMASTER -DFORK
 * bug full -DUNTAGGED -DOFFERS=2 -DCHANGES=1 -DFIRST=2 -DNEXT=1 -DFEW -- -DREVERSE: what the first version had wrong:
 *     a workgroup that is about to complete a barrier by leaving says what the barrier decided before it knows
 *     whether it is the one; if others take its place, it may be so late that it overwrites what a later barrier has
 *     decided. The right variant has too many states for a complete search: -DBITSTATE of gcc and -w31 of pan try most
 * bug quick -DLOWER -DN=3 -DCHANGES=1 -DNEXT=1: one that is too many leaves while a higher one is still there
 * bug quick -DLOWER -DN=3 -DREGULAR -DCHANGES=1 -DNEXT=1 -DOFFERS=0: the same at an offer as printed
 * bug quick -DRAISED -DN=3 -DCHANGES=1 -DFIRST=1 -DNEXT=2: the target is raised while one that is too many waits for
 *     another at its offer
 * bug quick -DHASTY -DN=3 -DFORK -DCHANGES=1 -DFIRST=1: a workgroup is forked while it may be on its way to the pool
 * bug quick -DUNMET -DN=3 -DLITERAL -DFIRST=2 -DOFFERS=0: the draft's resizing barrier as printed, which
 *     ends with the fork: those that have gone on before it see another M than the others. So `literal` meets once
 *     more
 * bug quick -DUNMET -DN=3 -DMODEL -DR=3 -DCHANGES=1 -DOFFERS=0: `model` without its last barrier: the same with the kill
 * bug quick -DUNSEPARATED -DN=3 -DMODEL -DR=3 -DFIRST=2 -DOFFERS=0: `model` without its middle barrier: a workgroup is
 *     killed while another forks
 * bug quick -DUNWATCHED -DN=3 -DMASTER -DFORK -DCHANGES=1: the master waits for as many slaves as there were
 *     when it came, and so for ever for one that was still to be killed
 * bug quick -DUNWATCHED -DN=3 -DREGULAR -DOFFERS=0: the same where slaves leave on entry
 * bug quick -DUNCLEARED -DN=3 -DMASTER -DOFFERS=0: a slave leaves what it was told in its flag, and takes
 *     it for the next answer when it joins again
 * bug quick -DONCE -DN=3 -DMASTER -DOFFERS=0: a slave that is to leave offers itself only once, and goes
 * bug quick -DADDED -DN=3 -DLITERAL -DFIRST=2 -DOFFERS=0: the fork is an addition: if the scheduler has
 *     lowered the target meanwhile, workgroups that it takes for a task are sent for twice. Runs on a GPU found it,
 *     too
 * bug quick -DADDED -DN=3 -DMASTER -DFIRST=2 -DOFFERS=0: the same
 * live full -DN=2 -DCHANGES=1 -DOFFERS=0
 * live full -DN=2 -DFORK
 * live full -DN=2 -DPRINTED -DKEEPS -DFORK
 * live full -DN=3 -DCHANGES=0 -DFIRST=1 -DOFFERS=0
 * live quick -DN=2 -DCHANGES=1 -DREGULAR -DOFFERS=0
 * live full -DN=2 -DREGULAR
 * live full -DN=3 -DCHANGES=0 -DFIRST=1 -DREGULAR -DOFFERS=0
 * live full -DN=2 -DLITERAL -DOFFERS=0
 * live full -DN=2 -DMODEL -DOFFERS=0
 * live full -DN=2 -DCHANGES=1 -DMASTER -DOFFERS=0
 * stuck full -DTOGETHER -DKEEPS -DN=3 -DCHANGES=0 -DFIRST=1: those that are too many leave only when all are at their
 *     offers at the same time, which may never be so
 * stuck quick -DKEPT -DN=2 -DOFFERS=0: a workgroup that leaves counts itself as being in the pool only once it is sent
 *     for again, and nobody sends for it before
 */
