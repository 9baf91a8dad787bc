// SPDX-License-Identifier: Apache-2.0
// The input of a language host, which runs the project's program (row 9.7), and the common parts of our own ones.
// Which kind a project gets is said in wire/start_language_host.h. Loop thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kingpost/embedded_language.h"
#include "kingpost/plugin_host.h"
#include "processes/process_supervisor.h"
#include "runtimes/debugger.h"
#include "workspace/project.h"

namespace kingpost {

struct StandbyProgram;

struct LanguageHostOptions {
  Project project;
  std::string client_address;  // --client; "" for none
  // Where programs that we start reach the engine's services; the monitor's address comes with each run. Both may be
  // sockets, "unix:///...".
  std::string engine_address;
  // Where hosts of other people reach them and the monitor, HOST:PORT: opened when such a host asks.
  std::function<Result<std::string>()> open_engine_port, open_monitor_port;
  // The part that a program which ended well did not reach; "" if it is complete. Null: unknown.
  std::function<std::string()> missing_registration;
  // Whether it said that it is done, as SDKs do when all went well. Null: unknown.
  std::function<bool()> program_has_signalled;
  std::shared_ptr<ProcessSupervisor> supervisor;
  // The output of the program: kInfo for standard output, kInfoErr for standard error. The line ends with "\n";
  // lines with one number belong together. May be null.
  std::function<void(Severity severity, std::string line, int stream_id)> log;
  // The preparation before the program runs, to be shown for a moment. May be null.
  std::function<void(std::string message)> progress;
  std::map<std::string, std::string> environment;  // over ours, for our own children
  // Debugging messages are shown or recorded. If not, the SDKs are kept from sending theirs.
  bool wants_debug_messages = false;
  std::vector<std::string> log_flags;  // that language plugins are given
  // Started early, for this run; may be null (runtimes/standby_program.h).
  std::shared_ptr<StandbyProgram> standby;
  bool debug_program = false;  // start it under a debugger
  OnDebugger on_debugger;      // of the one that listens
  // The services for programs that run in this process.
  struct InProcess {
    std::function<Monitor*()> monitor;  // null when it is served no more
    std::function<EngineService*()> engine;
    std::function<Task<Result<std::string>>(ProviderSpec, std::optional<Parameterization>)> load_schema;
    std::shared_ptr<const EmbeddedLanguage> language;  // of the project's runtime; null if it needs a process
  } in_process;
  // The program that is a language's plugin.
  std::function<Task<Result<std::string>>(std::string name)> find_plugin;
};

// Sends a process's lines to `log` under two fresh stream numbers.
std::function<void(OutputStream, std::string)> LineLogger(const std::function<void(Severity, std::string, int)>& log);

// The file or folder that is run, as the runtime knows it: "." or the file's name.
std::string EntryPoint(const Project& project);

}  // namespace kingpost
