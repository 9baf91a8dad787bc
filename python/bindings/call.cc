// SPDX-License-Identifier: Apache-2.0
#include "bindings/call.h"

#include <cmath>

#include "bindings/values.h"
#include "kingpost/create_outcome.h"
#include "kingpost/provider.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

Status Stopped() { return Status(Code::kCancelled, "the operation was stopped before Python answered"); }

std::string SecondsText(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

// Others may take all threads for a while: what they cost is not counted.
void FailWhenLate(Loop& loop, const std::shared_ptr<Answer>& answer, std::chrono::milliseconds limit,
                  std::chrono::milliseconds wait, const Status& late) {
  loop.PostAfter(wait, [&loop, answer, limit, late] {
    if (answer->settled()) return;
    const auto left = answer->LeftOf(limit);
    if (left.count() <= 0) return answer->Fail(late);
    FailWhenLate(loop, answer, limit, left, late);
  });
}

}  // namespace

Status FailureIn(const py::dict& answer) {
  const Code code = answer.contains("code") ? static_cast<Code>(answer["code"].cast<int>()) : Code::kUnknown;
  Status status(code, py::str(answer["error"]).cast<std::string>());
  if (answer.contains("awaits")) return status.With(AwaitFailed());
  if (!answer.contains("init_failed")) return status;
  const py::dict partial = answer["init_failed"];
  InitFailed detail;
  detail.id = py::str(partial["id"]).cast<std::string>();
  detail.outputs = ToProperties(partial["outputs"]);
  if (!partial["inputs"].is_none()) detail.inputs = ToProperties(partial["inputs"]);
  detail.reasons = ToTexts(partial["reasons"]);
  return status.With(std::move(detail));
}

void Answer::Set(const py::dict& answer) {
  try {
    Settle(answer.contains("error") ? FailureIn(answer) : read_(answer));
  } catch (py::error_already_set& error) {
    Settle(Status(Code::kInternal, TextOfError(error)));
  } catch (const std::exception& error) {
    Settle(Status(Code::kInternal, error.what()));
  }
}

void Answer::Fail(Status status) { Settle(std::move(status)); }

void Answer::Settle(Status status) {
  settled_ = true;
  done_.Set(std::move(status));
}

void Answer::Begin() {
  Clock::rep not_yet = 0;
  begun_.compare_exchange_strong(not_yet, Clock::now().time_since_epoch().count());
}

std::chrono::milliseconds Answer::LeftOf(std::chrono::milliseconds limit) const {
  const Clock::rep begun = begun_;
  if (begun == 0) return limit;
  const auto taken = Clock::now().time_since_epoch() - Clock::duration(begun);
  return std::chrono::ceil<std::chrono::milliseconds>(limit - taken);
}

Task<Status> PythonCalls::Call(PythonCall call) {
  if (abandoned_) co_return Stopped();
  Completion<Status> done(loop_);
  auto answer = std::make_shared<Answer>(std::move(call.read), done);
  if (call.timeout_s > 0) {
    const std::chrono::milliseconds limit(std::llround(call.timeout_s * 1000));
    FailWhenLate(loop_, answer, limit, limit,
                 Status(Code::kDeadlineExceeded, call.what + " has not returned after " + SecondsText(call.timeout_s) +
                                                     "; what it has done by now is not known"));
  }
  const int number = next_++;
  under_way_[number] = answer;
  const SharedObject bridge = call.bridge;
  Submit({std::move(call), std::move(answer)});
  Status status = co_await done;
  under_way_.erase(number);
  if (status.code() == Code::kDeadlineExceeded) TellLost(bridge);
  co_return status;
}

void PythonCalls::Submit(Job job) {
  bool idle = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle = jobs_.empty();
    jobs_.push_back(std::move(job));
  }
  if (idle) dispatcher_.Submit([this] { Dispatch(); });
}

// Its thread may be blocked for an unknown time: other calls need a thread in its place.
void PythonCalls::TellLost(const SharedObject& bridge) {
  PythonCall lost;
  lost.bridge = bridge;
  lost.method = "lost";
  lost.request = [] { return py::dict(); };
  ReadAnswer read = [](const py::dict&) { return Status::Ok(); };
  Submit({std::move(lost), std::make_shared<Answer>(std::move(read), Completion<Status>(loop_))});
}

void PythonCalls::Abandon() {
  abandoned_ = true;
  for (const auto& [number, answer] : under_way_) answer->Fail(Stopped());
}

// All that wait, under one hold of the GIL.
void PythonCalls::Dispatch() {
  const WithGil gil;
  std::vector<Job> jobs;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs.swap(jobs_);
  }
  for (const Job& job : jobs) gil ? Begin(job) : job.answer->Fail(Stopped());
}

void PythonCalls::Begin(const Job& job) {
  try {
    py::dict request = job.call.request();
    if (job.call.instance > 0) request["instance"] = job.call.instance;
    job.call.bridge.get().attr("submit")(job.call.method, request, job.answer);
  } catch (py::error_already_set& error) {
    job.answer->Fail(Status(Code::kUnknown, TextOfError(error)));
  } catch (const std::exception& error) {
    job.answer->Fail(Status(Code::kUnknown, error.what()));
  }
}

}  // namespace kingpost::python
