// SPDX-License-Identifier: Apache-2.0
// The GIL, and the end of the interpreter. Up to 3.12, Python ends a thread that asks for the GIL too late, wherever it
// is, and a C++ function on its stack then ends the process. So who is about to ask is counted, and who would be too
// late does not ask:
//
//     atexit ─▶ CloseGate: nobody new gets in, those inside are waited for ─▶ the interpreter ends
//
// User code never runs inside, because it may take any time (call.h).
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

namespace kingpost::python {

bool EnterGate();  // any thread; false once it is closed
void LeaveGate();
bool GateClosed();
// Without the GIL. False if a thread was still inside after so many seconds.
bool CloseGate(double seconds);

// How often threads of ours have had the GIL since the process began, and what processor time they used with it. What
// Python's own threads do with it, user code above all, is not counted.
struct GilUse {
  long times = 0;
  double seconds = 0;
};
GilUse CountedGilUse();
void CountGilUse(double seconds);
double ThreadSeconds();  // of processor time, of this thread

// A thread of ours that wants the GIL for a moment. False: Python has gone, or is about to.
class WithGil {
 public:
  WithGil() : inside_(EnterGate()) {
    if (!inside_) return;
    gil_.emplace();
    begin_ = ThreadSeconds();
  }
  ~WithGil() {
    if (inside_) CountGilUse(ThreadSeconds() - begin_);
    gil_.reset();
    if (inside_) LeaveGate();
  }
  WithGil(const WithGil&) = delete;
  explicit operator bool() const { return inside_; }

 private:
  const bool inside_;
  double begin_ = 0;
  std::optional<pybind11::gil_scoped_acquire> gil_;
};

// For blocking functions that Python calls: releases the GIL, and returns before the interpreter ends.
class WithoutGil {
 public:
  WithoutGil() : inside_(EnterGate()) { released_.emplace(); }
  ~WithoutGil() {
    released_.reset();
    if (inside_) LeaveGate();
  }
  WithoutGil(const WithoutGil&) = delete;

 private:
  const bool inside_;
  std::optional<pybind11::gil_scoped_release> released_;
};

}  // namespace kingpost::python
