/* SPDX-License-Identifier: Apache-2.0
 *
 * How commands on several machines share a stack in a bucket (docs/backends.md has it as a table): the head, the locks, the
 * batches of runs, the seal, the checkpoint, the cancel and the recovery.
 *
 * Any command may stop at any place, for ever or until it is the last to run: it is one that is not scheduled. So whoever
 * comes for a stack may find that its lease is over at any time, which is worse than any clock can be. A write is applied
 * when its command is scheduled next, or besides once more at any later time, or only then, and its answer is lost. At most
 * LATE writes are on their way like this at a time.
 *
 * Tags are those of contents, as S3's are: equal contents have equal tags.
 *
 * Locks count for nothing among these commands, who write them for the sake of the other tool; LOCKS has them written, too.
 *
 * In every state, what was acknowledged is in the checkpoint or in the run that the head names, and a recovery would not
 * refuse that run; and a cancel leaves a head that nobody has to wait for.
 *
 * The protocol as it was is behind macros, one for each fault that it had; each of them has to be found:
 *
 *     OLD_CANCEL    the head is put by a cancel whatever it is by then
 *     OLD_RELEASE   the head is deleted by who gives the stack up, whosever it is by then, and after the lock
 *     OLD_SAVED     a cancel leaves a saved head as it is
 *     OLD_LOCK      a lock that the head does not name is somebody's
 *     OLD_RECLAIM   who takes over where nothing was recorded leaves the checkpoint as it is
 *     OLD_COMMIT    only the last checkpoint is remembered that a run was about to go into
 *     OLD_ORDER     who reclaims writes the head before it reads the checkpoint
 */

#ifndef COMMANDS
#define COMMANDS 2
#endif
#ifndef CANCELS
#define CANCELS 1
#endif
#ifndef BATCHES
#define BATCHES 1
#endif
#ifndef LATE
#define LATE 1
#endif
#ifdef OLD_LOCK
#define LOCKS
#endif
#define PLACES (BATCHES + 1)  /* of a run; the seal needs one */

/* States of the head. */
#define ABSENT 0
#define FREE 1
#define OPEN 2
#define RECOVERING 3
#define SAVED 4
#define LEFT 5
#define GIVEN_UP(state) (state == ABSENT || state == FREE || state == LEFT)

/* What a command writes into the head has a tag of its own; what a cancel makes of that, another. */
#define TAG(id, step) (id * 8 + step)
#define T_TAKEN 0
#define T_BEGUN 1
#define T_RECOVERS 2
#define T_COMMITS 3
#define T_SAVED 4
#define T_FREE 5
#define T_LEFT 6
#define T_RENEWED 7
#define CANCELLED(tag) (tag + 128)

/* Versions of the checkpoint. */
#define VERSION(id, which) (id * 3 + which)
#define V_RECOVERED 0
#define V_RECLAIMED 1
#define V_SAVED 2
#define IN(version, set) ((set & (1 << version)) != 0)

/* What was put into a place of a run. */
#define NOTHING 0
#define BATCH 1
#define SEAL 2

/* Writes. */
#define HEAD 1      /* if it has the tag `old` */
#define BATCH_OF 2  /* the place `at` of `run`, if there is nothing */
#define SEAL_OF 3
#define DELETE_OF 4 /* a batch */
#define CHECKPOINT 5 /* if it is the version `old` */
#define LOCK 6
#define UNLOCK 7
#define HEAD_ALWAYS 8
#define HEAD_DELETE 9

/* Answers. */
#define LOST 0
#define DONE 1
#define UNKNOWN 2

typedef Run {
  byte base;  /* the version that its records count from */
  byte place[PLACES];
};

byte h_state = ABSENT, h_tag = 0, h_run = 0, h_owner = 0;
int h_commits = 0;
byte c_version = 0;
int c_records = 0;
Run runs[COMMANDS + 1];
byte locks = 0;
int acknowledged = 0;
hidden byte i_;
hidden int found_;

#if LATE > 0
/* kind, old, tag, state, run, owner, commits, version, records, at */
chan late[LATE] = [1] of { byte, byte, byte, byte, byte, byte, int, byte, int, byte };
#endif

#define RECORD(id, at) (1 << ((id - 1) * (BATCHES + 1) + at))
#define IMPORTED(id) RECORD(id, BATCHES)

/* Of a run: the records of its batches from the first without a gap. */
inline records_of(r, set) {
  set = 0;
  i_ = 0;
  do
  :: i_ < PLACES && runs[r].place[i_] == BATCH -> set = set | RECORD(r, i_); i_++
  :: else -> break
  od
}

inline check() {
  if
  :: h_state == OPEN || h_state == RECOVERING || h_state == LEFT ->
     records_of(h_run, found_);
     if
     :: found_ == 0 || IN(c_version, h_commits) -> found_ = 0
     :: else -> assert(runs[h_run].base == c_version)  /* else the recovery refuses */
     fi
  :: else -> found_ = 0
  fi;
  found_ = found_ | c_records;
  assert((acknowledged & ~found_) == 0);
  found_ = 0;
  i_ = 0
}

inline apply(a_kind, a_old, a_tag, a_state, a_r, a_own, a_com, a_ver, a_rec, a_at, a_answer) {
  a_answer = DONE;
  if
  :: a_kind == HEAD && h_tag != a_old && h_tag != a_tag -> a_answer = LOST
  :: a_kind == HEAD && h_tag != a_old && h_tag == a_tag -> skip  /* our a_own, which came before */
  :: (a_kind == HEAD && h_tag == a_old) || a_kind == HEAD_ALWAYS ->
     h_state = a_state; h_tag = a_tag; h_run = a_r; h_owner = a_own; h_commits = a_com
  :: a_kind == HEAD_DELETE -> h_state = ABSENT; h_tag = 0; h_run = 0; h_owner = 0; h_commits = 0
  :: a_kind == BATCH_OF && runs[a_r].place[a_at] == NOTHING -> runs[a_r].place[a_at] = BATCH
  :: a_kind == SEAL_OF && runs[a_r].place[a_at] == NOTHING -> runs[a_r].place[a_at] = SEAL
  :: (a_kind == BATCH_OF || a_kind == SEAL_OF) && runs[a_r].place[a_at] != NOTHING -> a_answer = LOST
  :: a_kind == DELETE_OF -> if :: runs[a_r].place[a_at] == BATCH -> runs[a_r].place[a_at] = NOTHING :: else fi
  :: a_kind == CHECKPOINT && c_version == a_old -> c_version = a_ver; c_records = a_rec
  :: a_kind == CHECKPOINT && c_version != a_old -> if :: c_version == a_ver :: else -> a_answer = LOST fi
  :: a_kind == LOCK -> locks = locks | (1 << a_own)
  :: a_kind == UNLOCK -> locks = locks & ~(1 << a_own)
  fi;
  check()
}

/* A write by one who waits for its answer, with what happens on the way. */
inline send(s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_ver, s_rec, s_at, s_answer) {
  if
  :: d_step { apply(s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_ver, s_rec, s_at, s_answer) }
#if LATE > 0
  :: atomic {
       nfull(late[0]) -> late[0]!s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_ver, s_rec, s_at;
       if
       :: d_step { apply(s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_ver, s_rec, s_at, s_answer) }
       :: s_answer = UNKNOWN
       fi
     }
#endif
#if LATE > 1
  :: atomic {
       full(late[0]) && nfull(late[1]) -> late[1]!s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_ver, s_rec, s_at;
       if
       :: d_step { apply(s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_ver, s_rec, s_at, s_answer) }
       :: s_answer = UNKNOWN
       fi
     }
#endif
  fi
}

#if LATE > 0
/* The network lets through what it held back. It may hold it for ever. */
proctype Network(byte at_slot) {
  byte kind, old, tag, state, r, own, ver, at, answer;
  int com, rec;
end:
  do
  :: d_step {
       late[at_slot]?kind, old, tag, state, r, own, com, ver, rec, at;
       apply(kind, old, tag, state, r, own, com, ver, rec, at, answer);
       kind = 0; old = 0; tag = 0; state = 0; r = 0; own = 0; ver = 0; at = 0; answer = 0; com = 0; rec = 0
     }
  od
}

#endif

/* Of the one who holds the stack: where the head is not the one that it knows of, it may still be its own. */
inline update(new_tag, new_state, new_run, new_commits) {
  do
  :: skip;
     send(HEAD, my_tag, new_tag, new_state, new_run, id, new_commits, 0, 0, 0, answer);
     if
     :: answer == DONE -> my_tag = new_tag; break
     :: answer == UNKNOWN -> goto unsure
     :: answer == LOST ->
        d_step { if :: h_owner == id && !GIVEN_UP(h_state) -> my_tag = h_tag :: else -> answer = UNKNOWN fi };
        if :: answer == UNKNOWN -> goto stopped :: else fi
     fi
  od;
  skip
}

inline seal(r) {
  at = 0;
  do
  :: at < PLACES && runs[r].place[at] == BATCH -> at++
  :: at < PLACES && runs[r].place[at] != BATCH ->
     send(SEAL_OF, 0, 0, 0, r, id, 0, 0, 0, at, answer);
     if
     :: answer == DONE -> break
     :: answer == UNKNOWN -> goto unsure
     :: answer == LOST -> if :: runs[r].place[at] == SEAL -> break :: else fi
     fi
  :: at == PLACES -> break  /* all its batches are there, and it will send no more */
  od;
  skip
}

/* Begins a run of its own behind an owner that is gone. */
inline begin_reclaimed() {
#ifndef OLD_ORDER
  do
  :: skip;
     d_step { base = c_version; base_records = c_records };
     update(TAG(id, T_BEGUN), OPEN, id, 0);
     begun = true;
#else
  update(TAG(id, T_BEGUN), OPEN, id, 0);
  begun = true;
  do
  :: skip;
     d_step { base = c_version; base_records = c_records };
#endif
#ifndef OLD_RECLAIM
     send(CHECKPOINT, base, 0, 0, 0, id, 0, VERSION(id, V_RECLAIMED), base_records, 0, answer);
     if
     :: answer == DONE -> break
     :: answer == UNKNOWN -> goto unsure
     :: answer == LOST -> skip  /* one was late just now */
     fi
#else
     break
#endif
  od;
  skip
}

proctype Command(byte id) {
  byte my_tag, seen_state, seen_run, seen_owner, base, at, answer, seen_locks;
  int commits, base_records, mine;
  bool begun;

  /* Takes the stack: a head that is free, or one whose owner is gone, which may be found at any time. */
  d_step {
    my_tag = h_tag; seen_state = h_state; seen_run = h_run; seen_owner = h_owner; commits = h_commits;
    seen_locks = locks
  };
#ifdef OLD_LOCK
  /* Every owner may be gone by then; one whose lock is not named by the head is waited for, until somebody cancels. */
  assert((seen_locks & ~(1 << seen_owner)) == 0 || seen_state != ABSENT && seen_state != FREE);
#endif
  if
  :: seen_state == ABSENT || seen_state == FREE ->
     seen_state = OPEN; seen_run = id; commits = 0; begun = true
  :: seen_state == SAVED -> skip
  :: else -> seen_state = RECOVERING
  fi;
  send(HEAD, my_tag, TAG(id, T_TAKEN), seen_state, seen_run, id, commits, 0, 0, 0, answer);
  if
  :: answer == DONE -> my_tag = TAG(id, T_TAKEN)
  :: answer == UNKNOWN -> goto stopped
  :: answer == LOST -> goto stopped
  fi;
#ifdef LOCKS
  send(LOCK, 0, 0, 0, 0, id, 0, 0, 0, 0, answer);
  if :: answer == UNKNOWN -> goto unsure :: else fi;
#endif

  /* Takes in what the one before it recorded. */
  if
  :: seen_state == RECOVERING ->
     seal(seen_run);
     d_step { records_of(seen_run, mine); base = c_version; base_records = c_records };
     if
     :: mine == 0 || IN(base, commits) -> mine = 0; begin_reclaimed()
     :: mine != 0 && !IN(base, commits) && runs[seen_run].base != base -> goto stopped  /* another has it by now: check() */
     :: else ->
#ifndef OLD_COMMIT
        commits = commits | (1 << VERSION(id, V_RECOVERED));
#else
        commits = 1 << VERSION(id, V_RECOVERED);
#endif
        update(TAG(id, T_RECOVERS), RECOVERING, seen_run, commits);
        send(CHECKPOINT, base, 0, 0, 0, id, 0, VERSION(id, V_RECOVERED), base_records | mine, 0, answer);
        if
        :: answer == UNKNOWN -> goto unsure
        :: answer == LOST -> goto unsure  /* the next one sees what became of it */
        :: answer == DONE -> skip
        fi;
        mine = 0;
        update(TAG(id, T_BEGUN), OPEN, id, 0);
        begun = true
     fi
  :: seen_state == SAVED -> update(TAG(id, T_BEGUN), OPEN, id, 0); begun = true
  :: else
  fi;

  /* Works: as an update does, or an import. */
  d_step { base = c_version; base_records = c_records };
  if
  :: runs[id].base = base;
     at = 0;
     do
     :: at < BATCHES ->
        send(BATCH_OF, 0, 0, 0, id, id, 0, 0, 0, at, answer);
        if
        :: answer == DONE -> d_step { mine = mine | RECORD(id, at); acknowledged = acknowledged | RECORD(id, at); at++; check() }
        :: answer == UNKNOWN -> goto unsure
        :: answer == LOST -> goto stopped
        fi
     :: at > 0 -> break
     od;
     if :: update(TAG(id, T_RENEWED), OPEN, id, 0) :: skip fi;
     update(TAG(id, T_COMMITS), OPEN, id, 1 << VERSION(id, V_SAVED));
     send(CHECKPOINT, base, 0, 0, 0, id, 0, VERSION(id, V_SAVED), base_records | mine, 0, answer);
     if :: answer == DONE :: else -> goto unsure fi;
     update(TAG(id, T_SAVED), SAVED, id, 1 << VERSION(id, V_SAVED));
     at = 0;
     do
     :: at < BATCHES ->
        send(DELETE_OF, 0, 0, 0, id, id, 0, 0, 0, at, answer);
        at++
     :: else -> break
     od
  :: /* The head is the proof that what was read was ours to read. */
     update(TAG(id, T_RENEWED), OPEN, id, 0);
     send(CHECKPOINT, base, 0, 0, 0, id, 0, VERSION(id, V_SAVED), base_records | IMPORTED(id), 0, answer);
     if
     :: answer == DONE -> d_step { acknowledged = acknowledged | IMPORTED(id); check() }
     :: else -> goto unsure
     fi
  :: skip  /* nothing to do */
  fi;

  /* Gives the stack up. */
#ifndef OLD_RELEASE
  update(TAG(id, T_FREE), FREE, 0, 0);
#ifdef LOCKS
  send(UNLOCK, 0, 0, 0, 0, id, 0, 0, 0, 0, answer);
#endif
#else
#ifdef LOCKS
  send(UNLOCK, 0, 0, 0, 0, id, 0, 0, 0, 0, answer);
#endif
  send(HEAD_DELETE, 0, 0, 0, 0, id, 0, 0, 0, 0, answer);
#endif
  goto stopped;

unsure: /* something that it wrote may be done, or not: what there is is left to the next one */
  skip;
  d_step { if :: h_owner == id && !GIVEN_UP(h_state) -> my_tag = h_tag; seen_run = h_run; commits = h_commits; answer = DONE
              :: else -> answer = LOST fi };
  if
  :: answer == DONE ->
     if
     :: d_step { apply(HEAD, my_tag, TAG(id, T_LEFT), (h_state == SAVED -> SAVED : LEFT), seen_run, id, commits, 0, 0, 0, answer) }
     :: skip  /* it is killed before */
     fi
  :: else
  fi;
stopped:
  skip;
  d_step {
    my_tag = 0; seen_state = 0; seen_run = 0; seen_owner = 0; base = 0; at = 0; answer = 0; seen_locks = 0; commits = 0;
    base_records = 0; mine = 0; begun = false
  }
}

proctype Cancel(byte id) {
  byte seen_tag, seen_state, seen_run, seen_owner, at, answer, seen_locks;
  int commits;
  do
  :: skip;
     d_step {
       seen_tag = h_tag; seen_state = h_state; seen_run = h_run; seen_owner = h_owner; commits = h_commits;
       seen_locks = locks
     };
     if
     :: GIVEN_UP(seen_state) && seen_locks == 0 -> goto stopped
     :: (seen_state == SAVED || seen_state == FREE || seen_state == ABSENT) ->
#ifndef OLD_SAVED
        seen_state = FREE; seen_run = 0; commits = 0
#else
        skip
#endif
     :: else -> seen_state = LEFT
     fi;
#ifndef OLD_CANCEL
     send(HEAD, seen_tag, CANCELLED(seen_tag), seen_state, seen_run, seen_owner, commits, 0, 0, 0, answer);
#else
     send(HEAD_ALWAYS, 0, CANCELLED(seen_tag), seen_state, seen_run, seen_owner, commits, 0, 0, 0, answer);
#endif
     if
     :: answer == DONE -> break
     :: answer == UNKNOWN -> goto unsure
     :: answer == LOST -> skip  /* whoever has it by now is meant */
     fi
  od;
  assert(GIVEN_UP(seen_state));
  if :: seen_state == LEFT -> seal(seen_run) :: else fi;
#ifdef LOCKS
  at = 1;
  do
  :: at <= COMMANDS ->
     if
     :: (seen_locks & (1 << at)) != 0 -> send(UNLOCK, 0, 0, 0, 0, at, 0, 0, 0, 0, answer)
     :: else
     fi;
     at++
  :: else -> break
  od;
#endif
unsure:
stopped:
  skip;
  d_step { seen_tag = 0; seen_state = 0; seen_run = 0; seen_owner = 0; at = 0; answer = 0; seen_locks = 0; commits = 0 }
}

init {
  atomic {
    byte n = 1;
    do
    :: n <= COMMANDS -> run Command(n); n++
    :: else -> break
    od;
    n = 1;
    do
    :: n <= CANCELS -> run Cancel(COMMANDS + n); n++
    :: else -> break
    od;
#if LATE > 0
    n = 0;
    do
    :: n < LATE -> run Network(n); n++
    :: else -> break
    od
#endif
  }
}
