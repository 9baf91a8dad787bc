// The writer thread and what it shares with the engine thread: a queue and one status.
#include "journal/journal.h"

#include <random>

#include "base/sha256.h"
#include "journal/record.h"
#include "store/durable_file.h"

namespace kingpost {
namespace {

// Space is taken in large steps, so that few syncs have to write the file's size and a full disk shows early.
constexpr uint64_t kReserveStep = uint64_t{1} << 20;

std::string EncodeHeader(const JournalHeader& header) {
  std::string json = "{\"version\":1,\"stack\":";
  AppendJsonString(header.stack, &json);
  json += ",\"base\":";
  AppendJsonString(header.base_hash, &json);
  json += ",\"operation\":";
  AppendJsonString(header.operation, &json);
  if (!header.secrets_type.empty()) {
    json += ",\"secretsProvider\":{\"type\":";
    AppendJsonString(header.secrets_type, &json);
    if (!header.secrets_state_json.empty()) json += ",\"state\":" + header.secrets_state_json;
    json += "}";
  }
  return json + "}";
}

}  // namespace

std::string CheckpointHash(std::string_view document) { return document.empty() ? "" : Sha256Hex(document); }

Journal::Journal(std::unique_ptr<JournalFile> file, std::string path, const EncodeOptions& options)
    : file_(std::move(file)), path_(std::move(path)), options_(options) {}

Journal::~Journal() { (void)Close(); }

Result<std::unique_ptr<Journal>> Journal::Create(const std::string& path, const JournalHeader& header,
                                                 const EncodeOptions& options, Writer writer) {
  if (path.empty()) return CreateOn(NewNullJournalFile(), header, options);
  auto file = CreateJournalFile(path);
  if (!file.ok()) return file.status();
  std::unique_ptr<Journal> journal(new Journal(*std::move(file), path, options));
  if (Status status = journal->WriteHeader(header); !status.ok()) {
    (void)RemoveJournalFile(path);
    return status;
  }
  if (writer == Writer::kThread) journal->StartWriter();
  return journal;
}

Result<std::unique_ptr<Journal>> Journal::CreateOn(std::unique_ptr<JournalFile> file, const JournalHeader& header,
                                                   const EncodeOptions& options) {
  std::unique_ptr<Journal> journal(new Journal(std::move(file), "", options));
  if (Status status = journal->WriteHeader(header); !status.ok()) return status;
  journal->StartWriter();
  return journal;
}

Result<std::unique_ptr<Journal>> Journal::Reopen(const std::string& path, const EncodeOptions& options) {
  auto bytes = ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  auto scan = ScanRecords(*bytes);
  if (!scan.ok()) return scan.status().Wrap("journal " + path);
  if (scan->payloads.empty()) return Status(Code::kFailedPrecondition, "journal " + path + " is empty");
  auto file = OpenJournalFile(path, scan->valid_bytes);
  if (!file.ok()) return file.status();

  std::unique_ptr<Journal> journal(new Journal(*std::move(file), path, options));
  journal->salt_ = scan->salt;
  journal->offset_ = scan->valid_bytes;
  journal->written_ = journal->synced_ = scan->payloads.size();
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
  if (Status status = WriteBytes(bytes, 1); !status.ok()) return status;
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
  if (status.ok()) status = WriteBytes(bytes, encoded);
  if (status.ok() && awaited) status = SyncFile();

  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_.ok()) failure_ = status.ok() ? encoding : status;
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    if (!batch[i].on_synced) continue;
    batch[i].on_synced(!status.ok() ? status : i < encoded ? Status::Ok() : encoding);
  }
}

Status Journal::WriteBytes(const std::string& bytes, uint64_t records) {
  if (bytes.empty()) return Status::Ok();
  if (offset_ + bytes.size() > reserved_) {
    const uint64_t size = offset_ + bytes.size() + kReserveStep;
    if (Status status = file_->Reserve(size); !status.ok()) return status;
    reserved_ = size;
  }
  if (Status status = file_->Write(offset_, bytes); !status.ok()) return status;
  offset_ += bytes.size();
  written_ += records;
  return Status::Ok();
}

Status Journal::SyncFile() {
  if (synced_ == written_) return Status::Ok();
  if (Status status = file_->Sync(); !status.ok()) return status;
  synced_ = written_;
  return Status::Ok();
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

Status Journal::Remove() {
  (void)Close();
  file_.reset();
  return path_.empty() ? Status::Ok() : RemoveJournalFile(path_);
}

}  // namespace kingpost
