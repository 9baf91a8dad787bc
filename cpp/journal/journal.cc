// SPDX-License-Identifier: Apache-2.0
// The writer thread and what it shares with the engine thread: a queue and one status.
#include "journal/journal.h"

#include <algorithm>
#include <random>

#include "base/digest.h"
#include "journal/record.h"
#include "model/json_writer.h"
#include "store/durable_file.h"

namespace kingpost {
namespace {

// Space is taken in large steps, so that few syncs have to write the file's size and a full disk shows early. Where
// there is less, a smaller step will do, as long as it holds the ends of what is in flight.
constexpr uint64_t kReserveSteps[] = {uint64_t{1} << 20, uint64_t{1} << 17, uint64_t{1} << 14, 0};

std::string EncodeHeader(const JournalHeader& header) {
  JsonWriter json;
  json.BeginObject();
  json.Key("version");
  json.Int(1);
  json.Key("stack");
  json.Text(header.stack);
  json.Key("base");
  json.Text(header.base_hash);
  json.Key("operation");
  json.Text(header.operation);
  if (!header.secrets_type.empty()) {
    json.Key("secretsProvider");
    json.BeginObject();
    json.Key("type");
    json.Text(header.secrets_type);
    if (!header.secrets_state_json.empty()) {
      json.Key("state");
      json.Json(header.secrets_state_json);
    }
    json.EndObject();
  }
  json.EndObject();
  return json.Take();
}

}  // namespace

std::string CheckpointHash(std::string_view document) { return document.empty() ? "" : Sha256Hex(document); }

Journal::Journal(std::unique_ptr<JournalFile> file, const EncodeOptions& options)
    : file_(std::move(file)), options_(options) {}

Journal::~Journal() { (void)Close(); }

Result<std::unique_ptr<Journal>> Journal::Create(const std::string& path, const JournalHeader& header,
                                                 const EncodeOptions& options, Writer writer) {
  if (path.empty()) return CreateOn(NewNullJournalFile(), header, options);
  auto file = CreateJournalFile(path);
  if (!file.ok()) return file.status();
  std::unique_ptr<Journal> journal(new Journal(*std::move(file), options));
  Status status = journal->WriteHeader(header);
  if (status.ok()) status = journal->file_->Publish();
  if (!status.ok()) return status;
  if (writer == Writer::kThread) journal->StartWriter();
  return journal;
}

Result<std::unique_ptr<Journal>> Journal::CreateOn(std::unique_ptr<JournalFile> file, const JournalHeader& header,
                                                   const EncodeOptions& options) {
  std::unique_ptr<Journal> journal(new Journal(std::move(file), options));
  if (Status status = journal->WriteHeader(header); !status.ok()) return status;
  journal->StartWriter();
  return journal;
}

Status Journal::WriteHeader(const JournalHeader& header) {
  salt_ = std::random_device()();
  JournalHeader complete = header;
  if (options_.secrets) {
    complete.secrets_type = options_.secrets->type();
    complete.secrets_state_json = options_.secrets->state();
  }
  std::string bytes = EncodePreamble(salt_);
  AppendRecord(salt_, 0, 0, EncodeHeader(complete), &bytes);
  if (Status status = WriteBytes(bytes, 1, true); !status.ok()) return status;
  return SyncFile();
}

void Journal::Append(JournalEntry entry, OnSynced on_synced) {
  const std::lock_guard<std::mutex> lock(mutex_);
  KP_ASSERT(!closing_, "nothing is appended to a closed journal");
  KP_ASSERT(!committed_, "a commit is the last entry");
  committed_ = entry.kind == EntryKind::kCommit;
  queue_.push_back({std::move(entry), std::move(on_synced)});
  wake_.notify_one();
}

void Journal::RunWriter() {
  for (bool last = false; !last;) {
    std::vector<Pending> batch;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
      batch.swap(queue_);
      last = closing_;
    }
    WriteBatch(std::move(batch), last);
  }
}

bool Journal::WriteWaiting() {
  std::vector<Pending> batch;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    batch.swap(queue_);
  }
  if (batch.empty()) return false;
  WriteBatch(std::move(batch), false);
  return true;
}

// Encodes, writes and syncs once for all. Of an entry that cannot be encoded those before it are still saved.
void Journal::WriteBatch(std::vector<Pending> batch, bool last) {
  Status status;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    status = failure_;
  }
  std::string bytes;
  size_t encoded = 0;
  bool awaited = last;
  Status encoding;
  for (; status.ok() && encoded < batch.size(); ++encoded) {
    JournalEntry& entry = batch[encoded].entry;
    entry.sequence = static_cast<int64_t>(written_ + encoded);
    auto json = EncodeEntry(entry, options_);
    if (json.ok() && json->size() > kPayloadSizeMax) json = Status(Code::kResourceExhausted, "the entry is too large");
    if (!json.ok()) {
      const std::string name = entry.state ? entry.state->urn.str() : std::string(EntryKindName(entry.kind));
      encoding = json.status().Wrap("recording " + name);
      break;
    }
    AppendRecord(salt_, written_ + encoded, synced_, *json, &bytes);
    awaited = awaited || batch[encoded].on_synced;
  }
  const bool begins = std::any_of(batch.begin(), batch.begin() + static_cast<ptrdiff_t>(encoded),
                                  [](const Pending& p) { return p.entry.kind == EntryKind::kBegin; });
  if (status.ok()) status = WriteBytes(bytes, encoded, begins);
  if (status.ok() && awaited) status = SyncFile();
  const Status ours = status.ok() && awaited ? Prove() : Status::Ok();

  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_.ok()) failure_ = status.ok() ? encoding : status;
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!batch[i].on_synced) continue;
    batch[i].on_synced(!status.ok() ? status : i < encoded ? ours : encoding);
  }
}

Status Journal::WriteBytes(const std::string& bytes, uint64_t records, bool begins) {
  if (bytes.empty()) return Status::Ok();
  if (Status status = Reserve(offset_ + bytes.size(), begins); !status.ok()) return status;
  if (Status status = file_->Write(offset_, bytes); !status.ok()) return status;
  offset_ += bytes.size();
  written_ += records;
  return Status::Ok();
}

// With `room` for what is begun to end.
Status Journal::Reserve(uint64_t end, bool room) {
  if (end <= reserved_) return Status::Ok();
  Status status;
  for (const uint64_t step : kReserveSteps) {
    if (step == 0 && room) break;
    status = file_->Reserve(end + step);
    if (status.ok()) reserved_ = end + step;
    if (status.code() != Code::kResourceExhausted) break;
  }
  return status;
}

Status Journal::SyncFile() {
  if (synced_ == written_) return Status::Ok();
  if (Status status = file_->Sync(); !status.ok()) return status;
  synced_ = written_;
  return Status::Ok();
}

Status Journal::StillOurs() const {
  if (!file_) return Status::Ok();  // removed, or as good as: the checkpoint has it all
  const Status in_place = file_->StillInPlace();
  return in_place.ok() && proof_ ? proof_() : in_place;
}

// What is once lost stays lost, also if somebody puts the files back.
Status Journal::Prove() {
  if (lost_.ok()) lost_ = StillOurs();
  if (lost_.ok()) proven_ = written_;
  return lost_;
}

Status Journal::Close() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
    wake_.notify_one();
  }
  if (writer_.joinable()) {
    writer_.join();
  } else {
    (void)WriteWaiting();
  }
  return failure_;
}

Status Journal::SendAgain() {
  (void)Close();
  const Status sent = file_ ? file_->Sync() : Status::Ok();
  return sent.ok() ? StillOurs() : sent;
}

bool Journal::closed() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return closing_;
}

Status Journal::Remove() {
  (void)Close();
  const Status removed = InPlace() && file_ ? file_->Remove() : Status::Ok();
  file_.reset();
  return removed;
}

Status Journal::KeepAside(const std::string& path) {
  (void)Close();
  auto bytes = file_->ReadBack(offset_);
  if (!bytes.ok()) return bytes.status();
  JournalEntry fence;
  fence.kind = EntryKind::kFence;
  fence.sequence = static_cast<int64_t>(written_);
  fence.proven = static_cast<int64_t>(proven_);
  auto json = EncodeEntry(fence, {});
  if (!json.ok()) return json.status();
  AppendRecord(salt_, written_, written_, *json, &*bytes);
  return WriteFileDurably(path, *bytes);
}

}  // namespace kingpost
