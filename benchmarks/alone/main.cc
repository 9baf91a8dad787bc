// SPDX-License-Identifier: Apache-2.0
// kp_alone: the engine alone, with a program and a provider in its own process, no gRPC and no disk. One phase after
// the other on one stack, which is saved and loaded in memory between them:
//
//     kp_alone --count 1000000
#include <malloc.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>

#include "alone/host.h"
#include "model/deployment_json.h"

namespace kingpost::bench {
namespace {

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + time.tv_usec / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Since the last call.
double PeakMib() {
  std::ifstream status("/proc/self/status");
  long kib = 0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") status >> kib;
  }
  std::ofstream("/proc/self/clear_refs") << "5";
  return static_cast<double>(kib) / 1024;
}

void Tell(const char* phase, double began, size_t bytes = 0) {
  const double seconds = CpuSeconds() - began;
  std::printf("%-13s %8.2f s %8.0f MiB", phase, seconds, PeakMib());
  if (bytes > 0)
    std::printf("  %.0f MB/s of %.0f MB", static_cast<double>(bytes) / 1e6 / seconds, static_cast<double>(bytes) / 1e6);
  std::printf("\n");
  std::fflush(stdout);
}

struct Phase {
  const char* name;
  OperationKind kind = OperationKind::kUpdate;
  bool preview = false;
  int changed = 0;
  bool writes = true;
};

constexpr Phase kPhases[] = {
    {"create"},
    {"noop-preview", OperationKind::kUpdate, true},
    {"noop-up"},
    {"change10", OperationKind::kUpdate, false, 10},
    {"refresh", OperationKind::kRefresh, false, 10},
    {"destroy", OperationKind::kDestroy, false, 10},
};

Operation OperationOf(const Phase& phase, const std::shared_ptr<const Snapshot>& base, Host* host) {
  Operation operation;
  operation.options.kind = phase.kind;
  operation.options.preview = phase.preview;
  operation.options.run_program = phase.kind == OperationKind::kUpdate;
  operation.project = "bench";
  operation.stack = "dev";
  operation.base = base;
  operation.host = host;
  operation.environment.now_rfc3339 = [] { return std::string("2026-01-02T03:04:05.000000006Z"); };
  operation.environment.random_bytes = [](int n) { return std::string(n, 'x'); };
  return operation;
}

// The allocator gives unused pages back, because each command has a process of its own. 4096 means all arenas.
extern "C" int mallctl(const char*, void*, size_t*, void*, size_t);
void GiveBackPages() { mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0); }

// As from one command to the next.
std::shared_ptr<const Snapshot> SaveAndLoad(Snapshot snapshot) {
  double began = CpuSeconds();
  auto document = std::make_unique<CheckpointDocument>("organization/bench/dev", true, std::move(snapshot));
  const auto text = std::make_shared<const std::string>(*EncodeCheckpoint(*document, {}));
  document = nullptr;
  Tell("  save", began, text->size());
  began = CpuSeconds();
  DecodeOptions decode;
  decode.properties_as_text = true;
  decode.text_owner = text;
  Result<CheckpointDocument> loaded = DecodeCheckpoint(*text, decode);
  KP_ASSERT(loaded.ok(), "what was saved can be loaded");
  GiveBackPages();
  Tell("  load", began, text->size());
  return std::make_shared<const Snapshot>(std::move(loaded->snapshot));
}

int Main(int argc, char** argv) {
  CLI::App app("the engine alone");
  int count = 1000;
  app.add_option("--count", count, "resources");
  CLI11_PARSE(app, argc, argv);
  auto base = std::make_shared<const Snapshot>();
  for (const Phase& phase : kPhases) {
    const double began = CpuSeconds();
    OperationResult result;
    {
      Loop loop;
      Host host(loop, count, phase.changed);
      result = loop.RunUntilDone(RunOperation(loop, OperationOf(phase, base, &host)));
      Tell(phase.name, began);
      if (!result.status.ok() || !host.AskedAsExpected(phase.name)) {
        std::fprintf(stderr, "%s did not do what it should: %s\n", phase.name, result.status.message().c_str());
        return 1;
      }
    }
    if (!result.snapshot) continue;
    base = nullptr;
    base = SaveAndLoad(*std::exchange(result.snapshot, std::nullopt));
  }
  return 0;
}

}  // namespace
}  // namespace kingpost::bench

int main(int argc, char** argv) { return kingpost::bench::Main(argc, argv); }
