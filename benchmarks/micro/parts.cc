// SPDX-License-Identifier: Apache-2.0
// kp_parts: what the parts cost, one resource or one stack of a thousand at a time.
#include "wire/wire.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "decisions/deletes.h"
#include "decisions/diff_rules.h"
#include "journal/journal.h"
#include "journal/replay.h"
#include "load/inputs.h"
#include "micro/stack.h"
#include "model/dependency_graph.h"
#include "model/deployment_json.h"
#include "model/value_diff.h"
#include "wire/convert.h"

namespace kingpost::bench {
namespace {

using benchmark::DoNotOptimize;
using benchmark::State;

// A failure must not look quick.
template <class T>
bool Failed(State& state, const T& result) {
  if (result.ok()) return false;
  state.SkipWithError(result.status().message().c_str());
  return true;
}

void DecodeInputs(State& state) {
  const std::string wire = BytesOf(MakeInputs(0, 0, true));
  WireOptions options;
  options.keep_secrets = true;
  for (auto _ : state) DoNotOptimize(FromStruct(wire, options));
}
BENCHMARK(DecodeInputs);

void EncodeInputs(State& state) {
  const PropertyMap inputs = InputsOf(0);
  WireOptions options;
  options.keep_secrets = true;
  for (auto _ : state) {
    std::string wire;
    if (!ToStruct(inputs, options, &wire).ok()) state.SkipWithError("the inputs cannot be sent");
    DoNotOptimize(wire);
  }
}
BENCHMARK(EncodeInputs);

void DiffOfEqualInputs(State& state) {
  const PropertyMap old_inputs = InputsOf(0), new_inputs = InputsOf(0);
  for (auto _ : state) DoNotOptimize(DiffObjects(old_inputs, new_inputs));
}
BENCHMARK(DiffOfEqualInputs);

void DecideByInputs(State& state) {
  const PropertyMap old_inputs = InputsOf(0), new_inputs = InputsOf(0, 1);
  for (auto _ : state) DoNotOptimize(decisions::CompareInputs(old_inputs, new_inputs));
}
BENCHMARK(DecideByInputs);

void DecideDeletesOf1000(State& state) {
  const Snapshot stack = MakeStack();
  for (auto _ : state) {
    const DependencyGraph graph(stack.resources);
    DoNotOptimize(decisions::ScheduleDeletes(graph, stack.resources));
  }
}
BENCHMARK(DecideDeletesOf1000)->Unit(benchmark::kMicrosecond);

void Save1000(State& state) {
  const auto secrets = Secrets();
  const auto cache = NewSecretCache();
  const CheckpointDocument document{.stack = "organization/bench/dev", .has_latest = true, .snapshot = MakeStack()};
  EncodeOptions options;
  options.secrets = secrets.get();
  options.cache = cache.get();
  for (auto _ : state) {
    const auto text = EncodeCheckpoint(document, options);
    if (Failed(state, text)) return;
    state.counters["bytes"] = static_cast<double>(text->size());
  }
}
BENCHMARK(Save1000)->Unit(benchmark::kMicrosecond);

void Load1000(State& state) {
  const auto secrets = Secrets();
  CheckpointDocument document{.stack = "organization/bench/dev", .has_latest = true, .snapshot = MakeStack()};
  document.snapshot.secrets_type = secrets->type();
  document.snapshot.secrets_state_json = secrets->state();
  EncodeOptions encode;
  encode.secrets = secrets.get();
  const auto text = EncodeCheckpoint(document, encode);
  if (Failed(state, text)) return;
  DecodeOptions decode;
  decode.secrets = secrets.get();
  for (auto _ : state) {
    const auto loaded = DecodeCheckpoint(*text, decode);
    if (Failed(state, loaded)) return;
  }
}
BENCHMARK(Load1000)->Unit(benchmark::kMicrosecond);

JournalEntry Success(int64_t operation, StatePtr made) {
  JournalEntry entry;
  entry.kind = EntryKind::kSuccess;
  entry.operation_id = operation;
  entry.state = std::move(made);
  return entry;
}

void EncodeJournalEntry(State& state) {
  const auto secrets = Secrets();
  const JournalEntry entry = Success(1, MakeStack(1).resources.back());
  EncodeOptions options;
  options.secrets = secrets.get();
  for (auto _ : state) {
    const auto text = EncodeEntry(entry, options);
    if (Failed(state, text)) return;
  }
}
BENCHMARK(EncodeJournalEntry);

void Replay1000(State& state) {
  const Snapshot stack = MakeStack();
  for (auto _ : state) {
    Replayer replayer(std::make_shared<Snapshot>());
    int64_t operation = 0;
    for (const StatePtr& made : stack.resources) {
      JournalEntry begin;
      begin.operation_id = ++operation;
      if (!replayer.Apply(begin).ok() || !replayer.Apply(Success(operation, made)).ok()) {
        state.SkipWithError("the entries do not fit");
        return;
      }
    }
    DoNotOptimize(replayer.Materialize());
  }
}
BENCHMARK(Replay1000)->Unit(benchmark::kMicrosecond);

// With the disk: wall time counts.
void AppendAndSync1000(State& state) {
  std::string folder = (std::filesystem::temp_directory_path() / "kingpost-bench.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return state.SkipWithError("no temporary folder");
  const auto secrets = Secrets();
  const Snapshot stack = MakeStack();
  EncodeOptions options;
  options.secrets = secrets.get();
  for (auto _ : state) {
    auto journal = Journal::Create(folder + "/journal", {"organization/bench/dev", "", "update"}, options);
    if (Failed(state, journal)) break;
    int64_t operation = 0;
    for (const StatePtr& made : stack.resources) (*journal)->Append(Success(++operation, made), [](Status) {});
    if (!(*journal)->Close().ok() || !(*journal)->Remove().ok()) state.SkipWithError("the journal was not written");
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(AppendAndSync1000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace kingpost::bench

BENCHMARK_MAIN();
