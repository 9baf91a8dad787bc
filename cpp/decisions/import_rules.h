// SPDX-License-Identifier: Apache-2.0
// The resources that an import may take over, and the states that it makes: for the import option (rows 3.16, 5.15)
// and the import command (row 6.10). Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "decisions/decision.h"
#include "decisions/rows.h"
#include "kingpost/engine.h"

namespace kingpost::decisions {

enum class ImportedBy { kOption, kCommand };

// Whether there is nothing to import, because it is recorded under that ID. What the program has only read is not its
// own yet: the option takes it over. The command does not: it adds what is not recorded, and no more.
bool IsImportedAlready(const State& recorded, const std::string& import_id, ImportedBy by);

// The step of a registration that names an ID to import; nullopt if the resource has the ID already.
std::optional<Decision> ChooseImport(const Goal& goal, const StatePtr& old_state, bool was_deleted_first);

// Why a resource may not be replaced while the program still names the ID that it was imported by.
std::optional<std::string> ImportForbidsReplacement(const Goal& goal, const State& recorded, const State& draft,
                                                    const DiffResponse& diff, bool show_secrets = false);

// ---- the command

// One resource of the list, under its URN.
struct NamedImport {
  Urn urn;
  const ImportResource* import;
};
// Those that are to be imported, in order. A provider is made, not imported; what is recorded already stays. Fails for
// two of one URN.
Result<std::vector<NamedImport>> ImportsToMake(const std::vector<NamedImport>& all, const Rows& rows);
// By depth below what is recorded: a parent that is imported too goes first.
std::map<int, std::vector<NamedImport>> ImportsByDepth(const std::vector<NamedImport>& wanted);

// Fails for a resource that is recorded under another ID, and for an unknown parent.
Status CheckImportable(const State& draft, const Rows& rows);

// The properties that the list chooses of a resource; none: all.
std::vector<std::string> ChosenProperties(const std::vector<ImportResource>& imports, const std::string& import_id);
PropertyMap FilterProperties(const PropertyMap& read, const std::vector<std::string>& chosen);

// The read values win; the supplied ones fill gaps, and mark as secret the values that are secrets there.
PropertyMap MergeSupplied(const PropertyMap& read, const PropertyMap& supplied);

// The old state that displays compare an imported resource with.
StatePtr FoundByImport(const State& imported);

}  // namespace kingpost::decisions
