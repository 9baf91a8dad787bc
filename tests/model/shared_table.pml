/* SPDX-License-Identifier: Apache-2.0
 *
 * How commands on several machines share a stack in PostgreSQL (docs/backends.md has it as a table). As in shared_stack.pml
 * any command may stop at any place, for ever or until it is the last to run, whoever comes may find that the owner before it
 * is gone, and a transaction is done when its command is scheduled next, or besides once more at any later time, or only
 * then, and its answer is lost. At most LATE transactions are on their way like this at a time.
 *
 * What several writes are to a bucket is one transaction here: head and lock are taken, given up and broken together, and
 * the checkpoint is saved while the batches go. A batch is put only while the row of its owner's lock is there, which takes
 * the place of the seal.
 *
 * In every state, what was acknowledged is in the checkpoint or in the run that the head names, and a recovery would not
 * refuse that run; and a cancel leaves a head that nobody has to wait for.
 *
 *     OLD_TABLE     the row of the head is deleted by who gives the stack up, so that the transaction by which the stack was
 *                   taken finds none when it comes once more, and takes it again for an owner that is gone
 *     OLD_GUARD     a batch is put whether the lock of its owner is there or not
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

/* States of the head. */
#define ABSENT 0
#define FREE 1
#define OPEN 2
#define RECOVERING 3
#define LEFT 4
#define GIVEN_UP(state) (state == ABSENT || state == FREE || state == LEFT)

#define TAG(id, step) (id * 8 + step)
#define T_TAKEN 0
#define T_BEGUN 1
#define T_RECOVERED 2
#define T_SAVED 3
#define T_FREE 4
#define T_LEFT 5
#define CANCELLED(tag) (tag + 128)

#define VERSION(id, which) (id * 2 + which)
#define V_RECOVERED 0
#define V_SAVED 1
#define IN(version, set) ((set & (1 << version)) != 0)

/* Transactions. */
#define TAKE 1     /* the head has the tag `old`, no locks but `mask` are there: head, lock of `own`, those of `mask` go */
#define HEAD 2     /* the head has the tag `old` */
#define APPEND 3   /* while the lock of `own` is there */
#define SAVE 4     /* while the lock is there, the head and the checkpoint are those: both, and the batches of an open run go */
#define FREE_IT 5  /* the head has the tag `old`: it is free, and the lock of `own` goes */
#define BREAK 6    /* the head has the tag `old`: head, and the locks of `mask` go */
#define CLEAR 7    /* the batches of `r` go */

#define LOST 0
#define DONE 1
#define UNKNOWN 2

typedef Run {
  byte base;
  bool place[BATCHES];
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
/* kind, old, tag, state, run, owner, commits, old version, version, records, at, mask */
chan late[LATE] = [1] of { byte, byte, byte, byte, byte, byte, int, byte, byte, int, byte, byte };
#endif

#define RECORD(id, at) (1 << ((id - 1) * (BATCHES + 1) + at))
#define IMPORTED(id) RECORD(id, BATCHES)

inline records_of(r, set) {
  set = 0;
  i_ = 0;
  do
  :: i_ < BATCHES && runs[r].place[i_] -> set = set | RECORD(r, i_); i_++
  :: else -> break
  od
}

inline clear(r) {
  i_ = 0;
  do
  :: i_ < BATCHES -> runs[r].place[i_] = false; i_++
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

/* `again`: by who was not told of it, and looks whether the head is its own by now. */
inline apply(kind, old, tag, state, r, own, com, vold, ver, rec, at, mask, answer) {
  answer = DONE;
  if
  :: kind == TAKE && h_tag == old && (locks & ~mask) == 0 ->
     h_state = state; h_tag = tag; h_run = r; h_owner = own; h_commits = com; locks = (1 << own)
  :: kind == TAKE && !(h_tag == old && (locks & ~mask) == 0) -> answer = LOST
  :: kind == HEAD && h_tag == old -> h_state = state; h_tag = tag; h_run = r; h_owner = own; h_commits = com
  :: kind == HEAD && h_tag != old -> if :: h_tag == tag :: else -> answer = LOST fi
#ifndef OLD_GUARD
  :: kind == APPEND && (locks & (1 << own)) == 0 -> answer = LOST
  :: kind == APPEND && (locks & (1 << own)) != 0 -> runs[r].place[at] = true
#else
  :: kind == APPEND -> runs[r].place[at] = true
#endif
  :: kind == SAVE && (locks & (1 << own)) != 0 && h_tag == old && c_version == vold ->
     c_version = ver; c_records = rec; h_tag = tag; h_commits = h_commits | (1 << ver);
     if :: h_state == OPEN -> clear(r) :: else fi
  :: kind == SAVE && !((locks & (1 << own)) != 0 && h_tag == old && c_version == vold) ->
     if :: c_version == ver :: else -> answer = LOST fi
#ifndef OLD_TABLE
  :: kind == FREE_IT && h_tag == old ->
     h_state = FREE; h_tag = tag; h_run = 0; h_owner = own; h_commits = 0; locks = locks & ~(1 << own)
#else
  :: kind == FREE_IT && h_tag == old ->
     h_state = ABSENT; h_tag = 0; h_run = 0; h_owner = 0; h_commits = 0; locks = locks & ~(1 << own)
#endif
  :: kind == FREE_IT && h_tag != old -> if :: h_tag == tag :: else -> answer = LOST fi
  :: kind == BREAK && h_tag == old ->
     h_state = state; h_tag = tag; h_run = r; h_owner = own; h_commits = com; locks = locks & ~mask
  :: kind == BREAK && h_tag != old -> if :: h_tag == tag :: else -> answer = LOST fi
  :: kind == CLEAR -> clear(r)
  fi;
  check()
}

inline send(s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_vold, s_ver, s_rec, s_at, s_mask, s_answer) {
  if
  :: d_step { apply(s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_vold, s_ver, s_rec, s_at, s_mask, s_answer) }
#if LATE > 0
  :: atomic {
       nfull(late[0]) -> late[0]!s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_vold, s_ver, s_rec, s_at, s_mask;
       if
       :: d_step { apply(s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_vold, s_ver, s_rec, s_at, s_mask, s_answer) }
       :: s_answer = UNKNOWN
       fi
     }
#endif
#if LATE > 1
  :: atomic {
       full(late[0]) && nfull(late[1]) ->
       late[1]!s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_vold, s_ver, s_rec, s_at, s_mask;
       if
       :: d_step { apply(s_kind, s_old, s_tag, s_state, s_r, s_own, s_com, s_vold, s_ver, s_rec, s_at, s_mask, s_answer) }
       :: s_answer = UNKNOWN
       fi
     }
#endif
  fi
}

#if LATE > 0
proctype Network(byte slot) {
  byte kind, old, tag, state, r, own, vold, ver, at, mask, answer;
  int com, rec;
end:
  do
  :: d_step {
       late[slot]?kind, old, tag, state, r, own, com, vold, ver, rec, at, mask;
       apply(kind, old, tag, state, r, own, com, vold, ver, rec, at, mask, answer);
       kind = 0; old = 0; tag = 0; state = 0; r = 0; own = 0; vold = 0; ver = 0; at = 0; mask = 0; answer = 0; com = 0; rec = 0
     }
  od
}
#endif

/* Of the one who holds the stack: where the head is not the one that it knows of, it may still be its own. */
inline update(new_tag, new_state, new_run) {
  do
  :: skip;
     send(HEAD, my_tag, new_tag, new_state, new_run, id, 0, 0, 0, 0, 0, 0, answer);
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

proctype Command(byte id) {
  byte my_tag, seen_state, seen_run, base, at, answer, seen_locks;
  int commits, base_records, mine;

  d_step { my_tag = h_tag; seen_state = h_state; seen_run = h_run; commits = h_commits; seen_locks = locks };
  if
  :: seen_state == ABSENT || seen_state == FREE -> seen_state = OPEN; seen_run = id; commits = 0
  :: else -> seen_state = RECOVERING
  fi;
  send(TAKE, my_tag, TAG(id, T_TAKEN), seen_state, seen_run, id, commits, 0, 0, 0, 0, seen_locks, answer);
  if
  :: answer == DONE -> my_tag = TAG(id, T_TAKEN)
  :: else -> goto stopped
  fi;

  if
  :: seen_state == RECOVERING ->
     d_step { records_of(seen_run, mine); base = c_version; base_records = c_records };
     if
     :: mine == 0 || IN(base, commits) -> skip
     :: mine != 0 && !IN(base, commits) && runs[seen_run].base != base -> goto stopped  /* check() */
     :: else ->
        send(SAVE, my_tag, TAG(id, T_RECOVERED), 0, seen_run, id, 0, base, VERSION(id, V_RECOVERED), base_records | mine, 0, 0, answer);
        if :: answer == DONE -> my_tag = TAG(id, T_RECOVERED) :: else -> goto unsure fi
     fi;
     mine = 0;
     update(TAG(id, T_BEGUN), OPEN, id);
     send(CLEAR, 0, 0, 0, seen_run, id, 0, 0, 0, 0, 0, 0, answer)
  :: else
  fi;

  d_step { base = c_version; base_records = c_records };
  if
  :: runs[id].base = base;
     at = 0;
     do
     :: at < BATCHES ->
        send(APPEND, 0, 0, 0, id, id, 0, 0, 0, 0, at, 0, answer);
        if
        :: answer == DONE -> d_step { mine = mine | RECORD(id, at); acknowledged = acknowledged | RECORD(id, at); at++; check() }
        :: answer == UNKNOWN -> goto unsure
        :: answer == LOST -> goto stopped
        fi
     :: at > 0 -> break
     od;
     send(SAVE, my_tag, TAG(id, T_SAVED), 0, id, id, 0, base, VERSION(id, V_SAVED), base_records | mine, 0, 0, answer);
     if :: answer == DONE -> my_tag = TAG(id, T_SAVED) :: else -> goto unsure fi
  :: send(SAVE, my_tag, TAG(id, T_SAVED), 0, id, id, 0, base, VERSION(id, V_SAVED), base_records | IMPORTED(id), 0, 0, answer);
     if
     :: answer == DONE -> d_step { my_tag = TAG(id, T_SAVED); acknowledged = acknowledged | IMPORTED(id); check() }
     :: else -> goto unsure
     fi
  :: skip
  fi;

  send(FREE_IT, my_tag, TAG(id, T_FREE), 0, 0, id, 0, 0, 0, 0, 0, 0, answer);
  goto stopped;

unsure:
  skip;
  d_step { if :: h_owner == id && !GIVEN_UP(h_state) -> my_tag = h_tag; seen_run = h_run; commits = h_commits; answer = DONE
              :: else -> answer = LOST fi };
  if
  :: answer == DONE ->
     if
     :: d_step { apply(HEAD, my_tag, TAG(id, T_LEFT), LEFT, seen_run, id, commits, 0, 0, 0, 0, 0, answer) }
     :: skip
     fi
  :: else
  fi;
stopped:
  skip;
  d_step {
    my_tag = 0; seen_state = 0; seen_run = 0; base = 0; at = 0; answer = 0; seen_locks = 0; commits = 0; base_records = 0; mine = 0
  }
}

proctype Cancel(byte id) {
  byte seen_tag, seen_state, seen_run, seen_owner, answer, seen_locks;
  int commits;
  do
  :: skip;
     d_step {
       seen_tag = h_tag; seen_state = h_state; seen_run = h_run; seen_owner = h_owner; commits = h_commits;
       seen_locks = locks
     };
     if
     :: GIVEN_UP(seen_state) && seen_locks == 0 -> goto stopped
     :: (seen_state == FREE || seen_state == ABSENT) && seen_locks != 0 -> seen_state = FREE; seen_run = 0; commits = 0
     :: else -> seen_state = LEFT
     fi;
     send(BREAK, seen_tag, CANCELLED(seen_tag), seen_state, seen_run, seen_owner, commits, 0, 0, 0, 0, seen_locks, answer);
     if
     :: answer == DONE -> break
     :: answer == UNKNOWN -> goto stopped
     :: answer == LOST -> skip
     fi
  od;
  assert(GIVEN_UP(seen_state));
stopped:
  skip;
  d_step { seen_tag = 0; seen_state = 0; seen_run = 0; seen_owner = 0; answer = 0; seen_locks = 0; commits = 0 }
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
