// SPDX-License-Identifier: Apache-2.0
// Programs and plugins under a debugger (--attach-debugger): debugpy for Python, the inspector of Node.js itself, Delve
// (dlv) for Go. What is debugged waits for an editor, which reads in a startDebuggingEvent where to attach: a
// configuration as the Debug Adapter Protocol has it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "base/status.h"

namespace kingpost {

// The values of --attach-debugger: "program", "plugins", "plugin:NAME", "all".
class DebugTargets {
 public:
  DebugTargets() = default;
  explicit DebugTargets(std::vector<std::string> wanted) : wanted_(std::move(wanted)) {}
  bool Program() const;
  bool Plugin(const std::string& name) const;

 private:
  bool Wants(const std::string& target) const;
  std::vector<std::string> wanted_;
};

struct Debugger {
  int port = 0;                               // 0: none
  std::vector<std::string> arguments;         // of the interpreter, before the script; of Go, what starts the program
  std::map<std::string, std::string> config;  // for the editor; the values are JSON
  std::string message;                        // "on port 58791"
};

// `name` is what the editor calls it: "Pulumi: Program (Python)". Looks for a free port; any thread.
Result<Debugger> PythonDebugger(const std::string& name);
Result<Debugger> NodeDebugger(const std::string& name);
Result<Debugger> GoDebugger(const std::string& name);

// The name of a plugin in an editor.
std::string DebuggedPlugin(const std::string& name);

// The program dlv, or the error that says how to install it.
Result<std::string> FindDelve();
// The command that runs `command` under a GoDebugger. Its exit code is the debugger's own, so it does not tell how what
// is debugged has ended.
std::vector<std::string> WrapInDelve(const Debugger& debugger, const std::vector<std::string>& command);

using OnDebugger = std::function<void(const Debugger& debugger)>;
// Tells of the debugger once it listens, unless `*ended` comes true or a minute passes before. Loop thread.
Task<void> ReportWhenListening(Loop& loop, Debugger debugger, std::shared_ptr<const bool> ended, OnDebugger tell);

// Whether a process of this machine listens at the port; reads /proc.
bool IsListening(int port);

}  // namespace kingpost
