// SPDX-License-Identifier: Apache-2.0
// Brings into a state the entries of a journal that does not continue its checkpoint, or was kept aside because another
// operation took over the stack. Pure.
//
// Replaying is out of the question, because its base is gone. So each thing that was made, changed or deleted is looked
// up by URN and ID in the state of now:
//
//     the journal made it, the state    does not know it           it is added
//                                       has it, older              the newer record wins
//                                       has it by a former name    the newer record wins, name and all
//                                       has another of that URN    the one made last stays; the other is marked as
//                                                                  replaced, and the next update deletes it
//     the journal changed it, the state does not know it           it is left out: it was deleted since
//     the journal deleted it            and nothing needs it       it is removed
//     the journal migrated it           has it by the former name  it is migrated, with all of the migration or not at
//                                                                  all
//
// A provider that what is added needs, and that was deleted since, comes back from the journal. Records that the new
// owner has certainly found (EntryKind::kFence) are skipped.
#pragma once

#include <string>
#include <vector>

#include "journal/journal.h"
#include "model/snapshot.h"

namespace kingpost {

struct MergeReport {
  std::vector<std::string> changes;   // one sentence for each
  std::vector<std::string> warnings;  // what is left to the user
};

// The secrets of both must be under the same key. Fails, with the snapshot unchanged, if the result is not in order.
Result<MergeReport> MergeJournal(const JournalContents& journal, Snapshot* snapshot);

}  // namespace kingpost
