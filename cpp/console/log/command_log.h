// SPDX-License-Identifier: Apache-2.0
// Where the lines of base/engine_log.h go (--verbose, --logtostderr): standard error, or a file of this user alone in
// the temporary folder, KIND.HOST.USER.log.INFO.TIME.PID, as the reference names them. Each line is a JSON object with
// time, level, msg and v. Secrets are masked, whatever --show-secrets says. Any thread.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "console/display/masking.h"
#include "kingpost/event.h"

namespace kingpost {

struct LogOptions {
  int verbose = 0;
  bool to_standard_error = false;

  bool any() const { return verbose > 0 || to_standard_error; }
};

// Nothing, unless the options ask for it. The path of the file, "" if there is none.
Result<std::string> StartCommandLog(const LogOptions& options);

// Once the configuration has been decrypted: its secrets are masked from then on, too.
void SetLogMasking(std::shared_ptr<const Masking> masking);

// The events of an operation as lines.
class LoggedEvents : public EventSink {
 public:
  void Emit(const EngineEvent& event) override;

 private:
  int64_t sequence_ = 0;
};

}  // namespace kingpost
