// SPDX-License-Identifier: Apache-2.0
// The journal's file on a disk, and one that keeps nothing.
#pragma once

#include <memory>
#include <string>

#include "kingpost/shared_journals.h"

namespace kingpost {

// Mode 0600; folders are made. Fails if the file exists. To be published.
Result<std::unique_ptr<JournalFile>> CreateJournalFile(const std::string& path);

// Keeps nothing: for stores that are not on a disk.
std::unique_ptr<JournalFile> NewNullJournalFile();

Status RemoveJournalFile(const std::string& path);  // durably; fine if absent

}  // namespace kingpost
