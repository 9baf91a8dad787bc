// SPDX-License-Identifier: Apache-2.0
#include "cli/session/globals.h"

namespace kingpost {

void GlobalOptions::Declare(Flags* flags) {
  flags->Section(kGlobalFlags);
  flags->Text("-C,--cwd", &cwd, "Run as if started in this folder");
  flags->Text("--color", &color, "Colours: always, never, raw or auto");
  flags->Switch("--non-interactive", &non_interactive, "Ask nothing");
  flags->Switch("--disable-integrity-checking", &disable_integrity_checking, "Do not check the state's integrity");
  flags->Switch("-Q,--fully-qualify-stack-names", &fully_qualify_stack_names,
                "Show stacks with organization and project");
  flags->Switch("-h,--help", &help, "Show this help");
  flags->AcceptSwitch("-e,--emoji");
  // `whoami -v` has one of its own.
  if (!flags->Declares("--verbose")) {
    flags->Int("-v,--verbose", &verbose, "Log what is done to a file, up to this level: 1 to 11");
  }
  flags->Switch("--logtostderr", &log_to_standard_error, "Log to standard error instead of a file");
  flags->Switch("--logflow", &log_flow, "Plugins log at the same level, and what they write is shown");
  flags->Text("--otel-traces", &otel_traces, "Write an OpenTelemetry trace to file://PATH, or to http://HOST:4318");
  flags->Text("--tracing", &tracing, "Write a trace for Perfetto to file:PATH");
  flags->Text("--profiling", &profiling, "Refused: use perf, --timings or --otel-traces");
  flags->AcceptText("--tracing-header", "no service is asked that could take it");
  flags->AcceptText("--memprofilerate");
}

}  // namespace kingpost
