// SPDX-License-Identifier: Apache-2.0
// The writer thread and what it shares with the engine thread: a queue and one status.
#include "journal/journal.h"

#include <algorithm>
#include <random>

#include "base/digest.h"
#include "base/disk/durable_file.h"
#include "journal/record.h"
#include "model/json_writer.h"

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
  if (Status status = file_->Sync(); !status.ok()) return status;
  asked_ = synced_ = written_;
  return Status::Ok();
}

void Journal::Append(JournalEntry entry, OnSynced on_synced) {
  const std::lock_guard<std::mutex> lock(mutex_);
  KP_ASSERT(!closing_, "nothing is appended to a closed journal");
  KP_ASSERT(!committed_, "a commit is the last entry");
  committed_ = entry.kind == EntryKind::kCommit;
  if (on_synced) ++awaited_;
  queue_.push_back({std::move(entry), std::move(on_synced)});
  wake_.notify_one();
}

// Resources that are made side by side ask for their records nearly at once: a short wait makes them one sync.
void Journal::GatherMore(std::unique_lock<std::mutex>* lock) {
  const std::chrono::microseconds group_commit_delay = file_->group_commit_delay();
  if (group_commit_delay.count() == 0 || awaited_ == 0) return;
  wake_.wait_for(*lock, group_commit_delay, [this] { return closing_ || awaited_ >= company_; });
}

void Journal::RunWriter() {
  for (bool last = false, sync = false; !last;) {
    std::vector<Pending> batch;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
      GatherMore(&lock);
      batch.swap(queue_);
      awaited_ = 0;
      last = closing_;
      sync = closing_ && !removing_;
    }
    WriteBatch(std::move(batch), sync);
  }
}

bool Journal::WriteWaiting() {
  std::vector<Pending> batch;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    batch.swap(queue_);
    awaited_ = 0;
  }
  if (batch.empty()) return false;
  WriteBatch(std::move(batch), false);
  return true;
}

// Ends at an entry that cannot be encoded.
Status Journal::Encode(std::vector<Pending>* batch, std::string* bytes, size_t* encoded) {
  uint64_t synced = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    synced = synced_;
  }
  for (; *encoded < batch->size(); ++*encoded) {
    JournalEntry& entry = (*batch)[*encoded].entry;
    entry.sequence = static_cast<int64_t>(written_ + *encoded);
    auto json = EncodeEntry(entry, options_);
    if (json.ok() && json->size() > kPayloadSizeMax) json = Status(Code::kResourceExhausted, "the entry is too large");
    if (!json.ok()) {
      const std::string name = entry.state ? entry.state->urn.str() : std::string(EntryKindName(entry.kind));
      return json.status().Wrap("recording " + name);
    }
    AppendRecord(salt_, written_ + *encoded, synced, *json, bytes);
  }
  return Status::Ok();
}

// Encodes and writes. Syncs once for all if there is a waiter or `sync` says so. Of an entry that cannot be encoded
// those before it are still saved.
void Journal::WriteBatch(std::vector<Pending> batch, bool sync) {
  Status status = Fail(Status::Ok());
  std::string bytes;
  size_t encoded = 0;
  const Status encoding = status.ok() ? Encode(&batch, &bytes, &encoded) : Status::Ok();
  const auto end = batch.begin() + static_cast<ptrdiff_t>(encoded);
  const bool begins =
      std::any_of(batch.begin(), end, [](const Pending& p) { return p.entry.kind == EntryKind::kBegin; });
  if (status.ok()) status = WriteBytes(bytes, encoded, begins);
  const Status failure = Fail(status.ok() ? encoding : status);

  Batch written;
  written.written = written_;
  for (auto pending = batch.begin(); status.ok() && pending != end; ++pending) {
    if (pending->on_synced) written.waiters.push_back(std::move(pending->on_synced));
  }
  const bool awaited = sync || !written.waiters.empty();
  if (status.ok() && awaited && asked_ < written_) SyncBatch(std::move(written));
  for (auto refused = status.ok() ? end : batch.begin(); refused != batch.end(); ++refused) {
    if (refused->on_synced) refused->on_synced(failure);
  }
}

// The first failure stays; it, or OK if there was none.
Status Journal::Fail(const Status& status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failure_.ok()) failure_ = status;
  return failure_;
}

void Journal::SyncBatch(Batch batch) {
  asked_ = batch.written;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++in_flight_;
  }
  file_->SyncAsync([this, shared = std::make_shared<Batch>(std::move(batch))](const Status& synced) {
    Synced(*shared, synced);
    const std::lock_guard<std::mutex> lock(mutex_);
    --in_flight_;
    answered_.notify_all();
  });
}

// Requests after a failed sync are as uncertain as the sync.
void Journal::Synced(const Batch& batch, Status synced) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (sync_failure_.ok()) sync_failure_ = synced;
    if (failure_.ok()) failure_ = sync_failure_;
    synced = sync_failure_;
    if (synced.ok()) synced_ = batch.written;
    company_ = batch.waiters.size();
  }
  if (synced.ok()) synced = ConfirmWritten(batch.written);
  for (const OnSynced& waiter : batch.waiters) waiter(synced);
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

Status Journal::CheckOwned() const {
  if (!file_) return Status::Ok();  // removed, or as good as: the checkpoint has it all
  const Status in_place = file_->CheckInPlace();
  return in_place.ok() && ownership_check_ ? ownership_check_() : in_place;
}

// A lost journal stays lost, even if its files come back.
Status Journal::ConfirmWritten(uint64_t written) {
  if (lost_.ok()) lost_ = CheckOwned();
  if (lost_.ok()) proven_ = written;
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
  std::unique_lock<std::mutex> lock(mutex_);
  answered_.wait(lock, [this] { return in_flight_ == 0; });
  return failure_;
}

Status Journal::SendAgain() {
  (void)Close();
  const Status sent = file_ ? file_->Sync() : Status::Ok();
  return sent.ok() ? CheckOwned() : sent;
}

bool Journal::closed() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return closing_;
}

Status Journal::Remove() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    removing_ = true;  // what nobody waits for need not be kept any more
  }
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
