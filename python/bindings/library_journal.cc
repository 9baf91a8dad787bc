// SPDX-License-Identifier: Apache-2.0
// A journal as Python reads it: what was begun and ended, in order, and what it makes of the checkpoint it counts from.
#include <pybind11/stl.h>

#include "bindings/library.h"
#include "bindings/library_snapshot.h"
#include "bindings/values.h"
#include "journal/journal.h"
#include "journal/record.h"
#include "journal/replay.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

struct LibraryJournal {
  std::string bytes;
  JournalContents contents;
  std::shared_ptr<SecretsManager> secrets;
};

std::shared_ptr<LibraryJournal> LoadJournal(const py::bytes& given, const std::string& name,
                                            const std::optional<std::string>& passphrase) {
  auto journal = std::make_shared<LibraryJournal>();
  journal->bytes = given;
  const py::gil_scoped_release released;
  const auto parse = [&](const DecodeOptions& options) {
    Result<JournalContents> contents = ParseJournal(journal->bytes, options);
    ThrowUnless(AsDamage(contents.status().Wrap(name)));
    journal->contents = std::move(*contents);
  };
  parse(DecodeOptions());
  const JournalHeader& header = journal->contents.header;
  if (!passphrase || header.secrets_type.empty()) return journal;
  journal->secrets =
      ValueOrThrow(OpenSecretsManager(header.secrets_type, header.secrets_state_json, FixedPassphrase(*passphrase)));
  ThrowUnless(journal->secrets->Verify());
  DecodeOptions open;
  open.secrets = journal->secrets.get();
  parse(open);
  return journal;
}

size_t CountOf(const std::vector<JournalEntry>& entries, std::optional<size_t> count) {
  if (count && *count > entries.size()) {
    throw LibraryFailure("the journal has " + std::to_string(entries.size()) + " entries, not " +
                         std::to_string(*count));
  }
  return count.value_or(entries.size());
}

LibrarySnapshotPtr ReplayOn(const LibraryJournal& self, const LibrarySnapshot& base, std::optional<size_t> count) {
  const std::string& hash = self.contents.header.base_hash;
  const SnapshotOrigin& origin = base.origin();
  if (origin.form != SnapshotOrigin::Form::kCheckpoint || origin.edited || origin.document_hash != hash) {
    throw LibraryFailure("the journal of " + self.contents.header.stack +
                         " does not count from this snapshot: give the checkpoint that was there when its operation "
                         "began, as it was");
  }
  Replayer replayer(base.shared());
  const size_t wanted = CountOf(self.contents.entries, count);
  for (size_t i = 0; i < wanted; ++i) ThrowUnless(replayer.Apply(self.contents.entries[i]));
  return base.With(replayer.Materialize());
}

// The file as it was when `count` entries were in it, the header not counted.
py::bytes CutAfter(const LibraryJournal& self, size_t count) {
  (void)CountOf(self.contents.entries, count);
  const RecordScan scan = ValueOrThrow(ScanRecords(self.bytes));
  const std::string_view last = scan.payloads.at(count);  // the first record is the header
  return py::bytes(self.bytes.substr(0, last.data() + last.size() - self.bytes.data()));
}

py::object OperationOf(const JournalEntry& entry) {
  return entry.operation ? py::object(Text(OperationTypeName(*entry.operation))) : py::none();
}

template <class Number>
py::object IndexOrNone(Number index, Number none) {
  return index == none ? py::object(py::none()) : py::object(py::int_(index));
}

void AddJournalEntry(py::module_& module) {
  using E = const JournalEntry&;
  py::class_<JournalEntry, std::shared_ptr<JournalEntry>>(module, "JournalEntry")
      .def_property_readonly("kind", [](E e) { return EntryKindName(e.kind); })
      .def_property_readonly("sequence", [](E e) { return e.sequence; })
      .def_property_readonly("operation_id", [](E e) { return e.operation_id; })
      .def_property_readonly("operation", &OperationOf)
      .def_property_readonly("resource", [](E e) { return ForPython(e.state); })
      .def_property_readonly("removes_old", [](E e) { return IndexOrNone<int64_t>(e.remove_old, -1); })
      .def_property_readonly("removes_new", [](E e) { return IndexOrNone<int64_t>(e.remove_new, 0); })
      .def_property_readonly("condemns_old", [](E e) { return IndexOrNone<int64_t>(e.delete_old, -1); })
      .def_property_readonly("condemns_new", [](E e) { return IndexOrNone<int64_t>(e.delete_new, 0); })
      .def_property_readonly("is_refresh", [](E e) { return e.is_refresh; })
      .def_property_readonly("checkpoint_hash", [](E e) { return e.checkpoint_hash; })
      .def("__repr__", [](E e) {
        return "<kingpost.JournalEntry " + std::to_string(e.sequence) + " " + EntryKindName(e.kind) +
               (e.operation ? std::string(" ") + OperationTypeName(*e.operation) : "") +
               (e.state ? " " + e.state->urn.str() : "") + ">";
      });
}

}  // namespace

void AddJournal(py::module_& module) {
  AddJournalEntry(module);
  using Self = LibraryJournal;
  py::class_<Self, std::shared_ptr<Self>>(module, "Journal")
      .def("__len__", [](const Self& self) { return self.contents.entries.size(); })
      .def("entry", [](const std::shared_ptr<Self>& self,
                       size_t index) { return std::shared_ptr<JournalEntry>(self, &self->contents.entries.at(index)); })
      .def_property_readonly("stack", [](const Self& self) { return Text(self.contents.header.stack); })
      .def_property_readonly("operation", [](const Self& self) { return Text(self.contents.header.operation); })
      .def_property_readonly("base_hash", [](const Self& self) { return Text(self.contents.header.base_hash); })
      .def_property_readonly("records", [](const Self& self) { return self.contents.records; })
      .def_property_readonly("torn_tail_bytes", [](const Self& self) { return self.contents.torn_tail_bytes; })
      .def("replay", &ReplayOn, py::call_guard<py::gil_scoped_release>())
      .def("cut", &CutAfter);
  module.def("load_journal", &LoadJournal);
}

}  // namespace kingpost::python
