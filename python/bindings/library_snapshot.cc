// SPDX-License-Identifier: Apache-2.0
#include "bindings/library_snapshot.h"

#include <fnmatch.h>
#include <pybind11/stl.h>

#include "bindings/library.h"
#include "bindings/session.h"
#include "bindings/values.h"
#include "decisions/selection.h"
#include "journal/journal.h"
#include "journal/seal.h"
#include "model/json_reader.h"
#include "operation/stack_document.h"
#include "store/compression.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

using Form = SnapshotOrigin::Form;

// By the key that holds the deployment, or by those of a deployment without an envelope. Any other document is none.
Result<Form> FormOf(std::string_view json) {
  const size_t first = json.find_first_not_of(" \t\r\n");
  if (first == json.npos) return Status(Code::kDataLoss, "it is empty, and no state of a stack");
  if (json[first] == '{') {
    JsonReader reader(json);
    std::string_view key;
    for (reader.BeginObject(); reader.NextKey(&key); reader.Skip()) {
      if (key == "checkpoint" || key == "latest") return Form::kCheckpoint;
      if (key == "deployment") return Form::kExport;
      if (key == "resources" || key == "manifest") return Form::kDeployment;
    }
    if (!reader.ok()) return reader.status();
  }
  return Status(Code::kDataLoss,
                "it is no state of a stack: it has neither a deployment nor a checkpoint nor resources; `stack export` "
                "and stack.export() write one");
}

Status Decode(std::string_view json, const DecodeOptions& options, SnapshotOrigin* origin, Snapshot* snapshot) {
  const Result<Form> form = FormOf(json);
  if (!form.ok()) return form.status();
  origin->form = *form;
  if (origin->form == Form::kCheckpoint) {
    Result<CheckpointDocument> document = DecodeCheckpoint(json, options);
    if (!document.ok()) return document.status();
    origin->stack = document->stack;
    origin->document_hash = CheckpointHash(json);
    *snapshot = std::move(document->snapshot);
    return Status::Ok();
  }
  Result<Snapshot> decoded =
      origin->form == Form::kExport ? DecodeExport(json, options) : DecodeDeployment(json, options);
  if (!decoded.ok()) return decoded.status();
  *snapshot = std::move(*decoded);
  return Status::Ok();
}

// Without a passphrase secrets stay sealed.
std::shared_ptr<SecretsManager> OpenSecrets(std::string_view json, const std::optional<std::string>& passphrase) {
  if (!passphrase) return nullptr;
  const SecretsProviderRef provider = ValueOrThrow(PeekSecretsProvider(json));
  if (provider.type.empty()) return nullptr;
  std::shared_ptr<SecretsManager> secrets =
      ValueOrThrow(OpenSecretsManager(provider.type, provider.state_json, FixedPassphrase(*passphrase)));
  ThrowUnless(secrets->Verify());
  return secrets;
}

LibrarySnapshotPtr ParseSnapshot(std::string_view json, const std::string& name,
                                 const std::optional<std::string>& passphrase) {
  SnapshotOrigin origin;
  origin.secrets = OpenSecrets(json, passphrase);
  if (origin.secrets) origin.cache = NewSecretCache();
  DecodeOptions options;
  options.secrets = origin.secrets.get();
  options.cache = origin.cache.get();
  Snapshot snapshot;
  ThrowUnless(AsDamage(Decode(json, options, &origin, &snapshot).Wrap(name)));
  auto loaded = std::make_shared<const Snapshot>(std::move(snapshot));
  if (origin.document_hash.empty()) origin.loaded = loaded;
  return std::make_shared<LibrarySnapshot>(std::move(loaded), std::move(origin));
}

// Text is read where it lies, which may be a mapped file; only compressed bytes are copied.
LibrarySnapshotPtr LoadSnapshot(const py::buffer& given, const std::string& name,
                                const std::optional<std::string>& passphrase) {
  const py::buffer_info bytes = given.request();
  const std::string_view text(static_cast<const char*>(bytes.ptr), bytes.size * bytes.itemsize);
  const py::gil_scoped_release released;
  if (text.empty() || text[0] == '{') return ParseSnapshot(text, name, passphrase);
  return ParseSnapshot(ValueOrThrow(Decompress(std::string(text), name)), name, passphrase);
}

// The record of a stack, and the part that an interrupted operation would add to it. An absent stack is an empty one.
LibrarySnapshotPtr ReadStack(Session& session) {
  Listener listener(Unheard());
  LoadedOperation loaded = ValueOrThrow(session.Begin(true, listener));
  SnapshotOrigin origin;
  origin.form = Form::kCheckpoint;
  origin.stack = loaded.context.store->QualifiedName(loaded.stack());
  origin.document_hash = CheckpointHash(*loaded.document);
  origin.secrets = loaded.secrets;
  origin.cache = loaded.cache;
  return std::make_shared<LibrarySnapshot>(loaded.base, std::move(origin));
}

std::string ContentsOf(Snapshot snapshot, const EncodeOptions& options) {
  snapshot.manifest = Manifest();  // when and by whom it was written
  return ValueOrThrow(EncodeDeployment(snapshot, options));
}

// Whether the record is still what the snapshot was made from: the same document, or what an export of it held.
bool IsCurrent(const LibrarySnapshot& snapshot, const LoadedOperation& loaded) {
  const SnapshotOrigin& origin = snapshot.origin();
  if (!origin.loaded) return origin.document_hash == CheckpointHash(*loaded.document);
  return ContentsOf(*origin.loaded, snapshot.encoding()) == ContentsOf(*loaded.base, loaded.encoding());
}

// Refuses what would overwrite another operation's work: the state must be the one that was loaded.
void WriteStack(LibrarySnapshot& snapshot, Session& session, bool force) {
  Listener listener(Unheard());
  LoadedOperation loaded = ValueOrThrow(session.Begin(false, listener));
  if (!force && !IsCurrent(snapshot, loaded)) {
    ThrowUnless(loaded.held->Release());
    throw LibraryFailure("the state of stack " + session.name().name +
                         " is not the one that this snapshot was made from; load it anew, or pass force=True");
  }
  Snapshot next = snapshot.get();
  EncodeOptions encoding = snapshot.encoding();
  if (!encoding.secrets && next.secrets_state_json.empty()) {
    next.secrets_type = loaded.secrets->type();
    next.secrets_state_json = loaded.secrets->state();
    encoding = loaded.encoding();
  }
  const Status saved = loaded.held->Save(std::move(next), encoding, force);
  const Status left = loaded.held->Release();
  ThrowUnless(saved);
  ThrowUnless(left);
}

std::string EncodeIn(const LibrarySnapshot& snapshot, Form form, bool show_secrets) {
  EncodeOptions options = snapshot.encoding();
  options.show_secrets = show_secrets;
  switch (form) {
    case Form::kCheckpoint: {
      CheckpointDocument document;
      document.stack = snapshot.origin().stack;
      document.has_latest = true;
      document.snapshot = snapshot.get();
      return ValueOrThrow(EncodeCheckpoint(document, options));
    }
    case Form::kExport:
      return ValueOrThrow(EncodeExport(snapshot.get(), options));
    case Form::kDeployment:
      break;
  }
  return ValueOrThrow(EncodeDeployment(snapshot.get(), options));
}

// Leaves a secret out: what is read again is sealed, with nothing in it.
class LeaveOut final : public SecretsManager {
 public:
  std::string type() const override { return ""; }
  std::string state() const override { return ""; }
  Result<std::string> Encrypt(const std::string&) override { return std::string(kLeftOut); }
  Result<std::string> Decrypt(const std::string&) override {
    return Status(Code::kInvalidArgument, "the secret was left out when it was pickled");
  }
};

// One resource as a deployment of its own, for pickles; without its secrets, unless they are to show.
py::bytes DumpResource(const State& state, bool show_secrets) {
  std::string bytes;
  {
    const py::gil_scoped_release released;
    Snapshot alone;
    alone.resources.push_back(std::make_shared<const State>(state));
    LeaveOut leave_out;
    EncodeOptions options;
    options.secrets = &leave_out;
    options.show_secrets = show_secrets;
    options.reencrypt = true;
    bytes = ValueOrThrow(EncodeDeployment(alone, options));
  }
  return py::bytes(bytes);
}

py::bytes DumpSnapshot(const LibrarySnapshot& snapshot, const std::string& form, bool show_secrets) {
  Form wanted = snapshot.origin().form;
  if (form == "checkpoint") wanted = Form::kCheckpoint;
  if (form == "export") wanted = Form::kExport;
  if (form == "deployment") wanted = Form::kDeployment;
  std::string bytes;
  {
    const py::gil_scoped_release released;
    bytes = EncodeIn(snapshot, wanted, show_secrets);
  }
  return py::bytes(bytes);
}

// A resource as a query asks for it. Patterns with ":" or "**" are those of --target; others are of names.
class Query {
 public:
  Query(const std::string& pattern, std::string type, std::string parent)
      : of_urns_(pattern.find(':') != pattern.npos || pattern.find("**") != pattern.npos),
        name_(of_urns_ ? "*" : pattern),
        urns_(of_urns_ ? decisions::UrnPatterns({pattern}) : decisions::UrnPatterns()),
        type_(std::move(type)),
        parent_(std::move(parent)) {}

  bool Matches(const State& state) const {
    if (!parent_.empty() && state.parent.str() != parent_) return false;
    if (!type_.empty() && !Like(type_, state.type)) return false;
    if (of_urns_) return urns_.Contains(state.urn);
    return name_ == "*" || Like(name_, std::string(state.urn.name()));
  }

 private:
  static bool Like(const std::string& pattern, const std::string& text) {
    return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  }

  const bool of_urns_;
  const std::string name_;
  const decisions::UrnPatterns urns_;
  const std::string type_, parent_;
};

std::vector<std::shared_ptr<State>> FindResources(const LibrarySnapshot& snapshot, const std::string& pattern,
                                                  const std::string& type, const std::string& parent) {
  const Query query(pattern, type, parent);
  std::vector<std::shared_ptr<State>> found;
  for (const StatePtr& state : snapshot.resources()) {
    if (query.Matches(*state)) found.push_back(ForPython(state));
  }
  return found;
}

py::list PendingOf(const LibrarySnapshot& snapshot) {
  py::list list;
  for (const PendingOperation& operation : snapshot.get().pending_operations) {
    list.append(py::make_tuple(OperationTypeName(operation.type), ForPython(operation.resource)));
  }
  return list;
}

std::string ProblemOf(const LibrarySnapshot& snapshot) { return VerifyIntegrity(snapshot.get()).message(); }

// The resources one after the other, as long as the snapshot lives.
struct ResourceIterator {
  LibrarySnapshotPtr snapshot;
  size_t next = 0;
};

std::shared_ptr<State> NextResource(ResourceIterator& iterator) {
  const std::vector<StatePtr>& resources = iterator.snapshot->resources();
  if (iterator.next == resources.size()) throw py::stop_iteration();
  return ForPython(resources[iterator.next++]);
}

}  // namespace

StatePtr LibrarySnapshot::Find(const std::string& urn) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (by_urn_.empty()) {
    for (const StatePtr& state : resources()) {
      StatePtr& found = by_urn_[state->urn.str()];
      if (!found || found->pending_delete) found = state;
    }
  }
  const auto found = by_urn_.find(urn);
  return found == by_urn_.end() ? nullptr : found->second;
}

const DependencyGraph& LibrarySnapshot::graph() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!graph_) {
    ThrowUnless(AsDamage(VerifyIntegrity(*snapshot_).Wrap("the snapshot is not in order (repair() mends it)")));
    graph_ = std::make_unique<const DependencyGraph>(resources());
  }
  return *graph_;
}

EncodeOptions LibrarySnapshot::encoding() const {
  EncodeOptions options;
  options.secrets = origin_.secrets.get();
  options.cache = origin_.cache.get();
  return options;
}

LibrarySnapshotPtr LibrarySnapshot::With(Snapshot snapshot) const {
  SnapshotOrigin origin = origin_;
  origin.edited = true;
  return std::make_shared<LibrarySnapshot>(std::make_shared<const Snapshot>(std::move(snapshot)), std::move(origin));
}

void AddSnapshot(py::module_& module) {
  using Self = LibrarySnapshot;
  py::class_<ResourceIterator>(module, "ResourceIterator")
      .def("__iter__", [](ResourceIterator& self) -> ResourceIterator& { return self; })
      .def("__next__", &NextResource);
  py::class_<Self, LibrarySnapshotPtr>(module, "Snapshot")
      .def("__len__", [](const Self& self) { return self.resources().size(); })
      .def("__iter__",
           [](const LibrarySnapshotPtr& self) {
             return ResourceIterator{self, 0};
           })
      .def("find_one", [](const Self& self, const std::string& urn) { return ForPython(self.Find(urn)); })
      .def("find", &FindResources)
      .def("pending_operations", &PendingOf)
      .def("problem", &ProblemOf, py::call_guard<py::gil_scoped_release>())
      .def("dump", &DumpSnapshot)
      .def_property_readonly("stack", [](const Self& self) { return Text(self.origin().stack); })
      .def_property_readonly("sealed", [](const Self& self) { return self.origin().secrets == nullptr; })
      .def_property_readonly("secrets_type", [](const Self& self) { return Text(self.get().secrets_type); })
      .def_property_readonly("time", [](const Self& self) { return Text(self.get().manifest.time); })
      .def_property_readonly("version", [](const Self& self) { return Text(self.get().manifest.version); });
  module.def("load_snapshot", &LoadSnapshot);
  module.def("dump_resource", &DumpResource);
  module.def("read_stack", &ReadStack, py::call_guard<py::gil_scoped_release>());
  module.def("write_stack", &WriteStack, py::call_guard<py::gil_scoped_release>());
}

}  // namespace kingpost::python
