// SPDX-License-Identifier: Apache-2.0
#include "bindings/library_store.h"

#include <chrono>
#include <functional>
#include <future>
#include <mutex>

#include "bindings/gil.h"
#include "bindings/library.h"
#include "bindings/values.h"
#include "remote/blob/blob_bucket.h"
#include "store/blob_store.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds kGatePoll(200);
constexpr std::chrono::seconds kGrace(5);  // as GRACE_SECONDS of kingpost/_callback.py
constexpr std::chrono::seconds kAtLeast(1);

// One call of the user's store, which is made on a thread of Python's own (call.h says why): who asked waits for it
// without the GIL.
class StoreCall {
 public:
  using Read = std::function<void(const py::object& answer)>;
  explicit StoreCall(Read read) : read_(std::move(read)) {}

  // With the GIL, once. An answer after the wait has nowhere to go: who waited, and what `read` writes to, are gone.
  void Answer(const py::object& answer) {
    const std::scoped_lock lock(reading_);
    if (given_up_) return;
    try {
      read_(answer);
      done_.set_value(Status::Ok());
    } catch (const std::exception&) {
      done_.set_value(Status(Code::kUnknown, "the store's answer is of another type"));
    }
  }
  void Fail(const std::string& error) { done_.set_value(Status(Code::kUnknown, error)); }

  Status Wait(const StorePatience& patience) {
    const auto begun = std::chrono::steady_clock::now();
    while (ended_.wait_for(kGatePoll) != std::future_status::ready) {
      if (GateClosed()) return GiveUp("the interpreter has ended");
      if (patience.Exhausted(begun)) return GiveUp("the operation was stopped before the store answered");
    }
    return ended_.get();
  }

 private:
  Status GiveUp(const char* why) {
    const std::scoped_lock lock(reading_);
    given_up_ = true;
    return Status(Code::kCancelled, why);
  }

  const Read read_;
  std::mutex reading_;
  bool given_up_ = false;
  std::promise<Status> done_;
  std::future<Status> ended_ = done_.get_future();
};

std::optional<Blob> BlobOf(const py::object& answer) {
  if (answer.is_none()) return std::nullopt;
  const py::tuple found = answer;
  Blob blob;
  blob.bytes = found[0].cast<std::string>();
  blob.tag = found[1].cast<std::string>();
  blob.modified_ms = found[2].cast<int64_t>();
  return blob;
}

std::vector<BlobInfo> InfosOf(const py::object& answer) {
  std::vector<BlobInfo> infos;
  for (const py::handle& item : py::iter(answer)) {
    const py::tuple found = py::reinterpret_borrow<py::tuple>(item);
    infos.push_back({found[0].cast<std::string>(), found[1].cast<int64_t>(), found[2].cast<int64_t>()});
  }
  return infos;
}

class PythonBucket final : public BlobBucket {
 public:
  PythonBucket(SharedObject bridge, std::string url, std::shared_ptr<const StorePatience> patience)
      : bridge_(std::move(bridge)), url_(std::move(url)), patience_(std::move(patience)) {}

  std::string printable_url() const override { return url_; }

  Result<std::optional<Blob>> Get(const std::string& key) override {
    std::optional<Blob> blob;
    const Status status = Ask(
        "get", key, [&] { return py::make_tuple(key); }, [&](const py::object& answer) { blob = BlobOf(answer); });
    if (!status.ok()) return status;
    return blob;
  }

  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string&) override {
    std::optional<std::string> tag;
    const auto arguments = [&] {
      const bool tagged = condition.kind == PutCondition::Kind::kIfTag;
      return py::make_tuple(key, py::bytes(bytes.data(), bytes.size()), condition.kind == PutCondition::Kind::kIfAbsent,
                            tagged ? py::object(py::str(condition.tag)) : py::none());
    };
    const Status status = Ask("put", key, arguments, [&](const py::object& answer) {
      if (!answer.is_none()) tag = answer.cast<std::string>();
    });
    if (!status.ok()) return status;
    if (!tag) return Status(Code::kFailedPrecondition, url_ + ": " + key + " was changed meanwhile");
    return *tag;
  }

  Status Copy(const std::string& from, const std::string& to) override {
    bool found = false;
    const Status status = Ask(
        "copy", from, [&] { return py::make_tuple(from, to); },
        [&](const py::object& answer) { found = answer.cast<bool>(); });
    if (!status.ok() || found) return status;
    return Status(Code::kNotFound, url_ + ": " + from + " is not there");
  }

  Status Delete(const std::string& key) override {
    return Ask(
        "delete", key, [&] { return py::make_tuple(key); }, [](const py::object&) {});
  }

  // A store in Python is not asked for this: the probe of conditions (store/condition_probe.h) sees that versions are
  // not minded, and nothing that must not be late is deleted then.
  Status DeleteIf(const std::string& key, const std::string&) override { return Delete(key); }

  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override {
    std::vector<BlobInfo> infos;
    const Status status = Ask(
        "list", prefix, [&] { return py::make_tuple(prefix, one_level); },
        [&](const py::object& answer) { infos = InfosOf(answer); });
    if (!status.ok()) return status;
    return infos;
  }

 private:
  // Not with the GIL held.
  Status Ask(const char* method, const std::string& key, const std::function<py::tuple()>& arguments,
             StoreCall::Read read) {
    const auto call = std::make_shared<StoreCall>(std::move(read));
    {
      const WithGil gil;
      if (!gil) return Status(Code::kCancelled, "the interpreter has ended");
      try {
        bridge_.get().attr("submit")(method, arguments(), call);
      } catch (const py::error_already_set& error) {
        return Status(Code::kUnknown, TextOfError(error));
      }
    }
    return call->Wait(*patience_).Wrap(url_ + ": " + method + " of " + key);
  }

  const SharedObject bridge_;
  const std::string url_;
  const std::shared_ptr<const StorePatience> patience_;
};

}  // namespace

void StorePatience::Cancel() {
  Clock::rep not_yet = 0;
  cancelled_.compare_exchange_strong(not_yet, Clock::now().time_since_epoch().count());
}

bool StorePatience::Exhausted(Clock::time_point begun) const {
  if (!given_up_) return false;
  const auto now = Clock::now();
  return now - Clock::time_point(Clock::duration(cancelled_)) >= kGrace && now - begun >= kAtLeast;
}

Result<std::shared_ptr<StateStore>> OpenPythonStore(SharedObject bridge,
                                                    std::shared_ptr<const StorePatience> patience) {
  const std::string url = Utf8Of(py::str(bridge.get().attr("url")()));
  const WithoutGil released;
  Result<std::unique_ptr<StateStore>> store =
      OpenBlobStore(std::make_shared<PythonBucket>(std::move(bridge), url, std::move(patience)), url);
  if (!store.ok()) return store.status();
  return std::shared_ptr<StateStore>(std::move(*store));
}

void AddStore(py::module_& module) {
  py::class_<StoreCall, std::shared_ptr<StoreCall>>(module, "StoreCall")
      .def("answer", &StoreCall::Answer)
      .def("fail", &StoreCall::Fail);
}

}  // namespace kingpost::python
