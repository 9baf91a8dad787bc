// SPDX-License-Identifier: Apache-2.0
// Fuzzes the journal reader and replay. The input is taken twice: as the bytes of a file, and as entries, one JSON text
// a line. The fuzzer frames these entries, because chance does not find a valid checksum.
#include "journal/journal.h"

#include "fuzz/fuzz.h"
#include "journal/record.h"
#include "journal/replay.h"

using namespace kingpost;

namespace {

void ReadAndReplay(std::string_view bytes) {
  const auto journal = ParseJournal(bytes, {});
  if (!journal.ok()) return;
  Replayer replayer(std::make_shared<const Snapshot>());
  for (const JournalEntry& entry : journal->entries) {
    if (!replayer.Apply(entry).ok()) return;
    (void)VerifyIntegrity(replayer.Materialize());
  }
  (void)replayer.OpenOperations();
}

}  // namespace

void Try(std::string_view input) {
  ReadAndReplay(input);
  constexpr uint32_t kSalt = 7;
  std::string framed = EncodePreamble(kSalt);
  uint64_t number = 0;
  AppendRecord(kSalt, number, 0, "{\"version\":1,\"stack\":\"s\",\"base\":\"\",\"operation\":\"update\"}", &framed);
  while (!input.empty()) {
    const size_t end = std::min(input.find('\n'), input.size());
    ++number;
    AppendRecord(kSalt, number, number, input.substr(0, end), &framed);
    input.remove_prefix(std::min(input.size(), end + 1));
  }
  ReadAndReplay(framed);
}
