// SPDX-License-Identifier: Apache-2.0
#include "simulation/shared_story.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <vector>

#include "simulation/shared_command.h"
#include "simulation/sim_table.h"

namespace kingpost::simulation {

namespace {

constexpr size_t kLast = 15;  // the machine of the last commands, which look at the result; no fault meets it
constexpr int64_t kLeaseMs = 61'000;

// The more a kind is here, the more it is in stories.
const char* const kKinds[] = {"up",     "up",       "up", "up",     "up",   "cancel",  "cancel", "import",
                              "import", "rollback", "rm", "rename", "init", "migrate", "tag"};

struct Ending {
  std::string kind;
  size_t machine = 0;
  bool took = false;
  Status status;
};

std::shared_ptr<MemoryBucket> PlaceOf(unsigned kind, const std::string& url) {
  if (kind == 0) return std::make_shared<SimTable>(url);
  auto bucket = std::make_shared<MemoryBucket>(url);
  if (kind == 1) bucket->TagByDigest();
  return bucket;
}

class Story {
 public:
  Story(unsigned seed, SharedTally* tally)
      : random_(seed),
        tally_(tally),
        traffic_(seed, Faults(), tally),
        place_(PlaceOf(seed % 3, "sim://bucket")),
        other_(PlaceOf(seed % 3, "sim://other")) {
    for (const auto& place : {place_, other_}) place->UseClock([this] { return traffic_.server_ms(); });
  }

  std::string Tell() {
    SharedCommand first(Direct(), other_, 1, "a", &told_);
    for (const char* kind : {"init", "import"}) {
      while (!first.Run(kind).ok()) {
      }
    }
    const size_t machines = 2 + random_() % 4;
    for (size_t machine = 0; machine < machines; ++machine) StartMachine(machine);
    traffic_.Run();
    if (std::string wronged = Wronged(); !wronged.empty()) return wronged;
    std::set<std::string> found;
    if (std::string stuck = Find(&found); !stuck.empty()) return stuck;
    std::vector<std::string> lost;
    const std::set<std::string> certain = told_.certain();
    std::set_difference(certain.begin(), certain.end(), found.begin(), found.end(), std::back_inserter(lost));
    if (!lost.empty()) return "lost: " + lost.front() + " and " + std::to_string(lost.size() - 1) + " more";
    traffic_.Settle();
    std::set<std::string> later;
    if (std::string stuck = Find(&later); !stuck.empty()) return stuck + ", once all had arrived";
    return later == found ? "" : "changed: what was late has changed the state of a stack at rest";
  }

 private:
  TrafficFaults Faults() {
    const auto up_to = [this](unsigned most) { return static_cast<int>(random_() % (most + 1)); };
    return {.refused = up_to(20),
            .lost_answer = up_to(20),
            .twice = up_to(120),
            .late = up_to(40),
            .killed = up_to(15),
            .asleep = up_to(25)};
  }

  std::shared_ptr<BlobBucket> Direct() { return traffic_.Connect(kLast, place_); }

  void StartMachine(size_t machine) {
    const size_t count = 1 + random_() % 3;
    std::vector<std::pair<std::string, unsigned>> commands;
    for (size_t i = 0; i < count; ++i) {
      commands.emplace_back(kKinds[random_() % std::size(kKinds)], random_());
      cancels_ = cancels_ || commands.back().first == "cancel";
    }
    traffic_.Start(machine, [this, machine, commands] {
      for (size_t i = 0; i < commands.size(); ++i) {
        const auto& [kind, seed] = commands[i];
        if (traffic_.killed(machine)) return;
        SharedCommand command(traffic_.Connect(machine, place_), traffic_.Connect(machine, other_), seed,
                              std::string(1, static_cast<char>('b' + machine)) + std::to_string(i), &told_);
        const Status status = command.Run(kind);
        Note({kind, machine, command.took(), status}, command);
      }
    });
  }

  void Note(Ending ending, const SharedCommand& command) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::getenv("KINGPOST_SHARED_TRACE")) {
      std::fprintf(stderr, "machine %zu: %s ended: %s\n", ending.machine, ending.kind.c_str(),
                   ending.status.ok() ? "well" : ending.status.message().c_str());
    }
    ++tally_->commands;
    ++tally_->kinds[ending.kind];
    tally_->ended_well += ending.status.ok() ? 1 : 0;
    tally_->acknowledged += command.acknowledged();
    tally_->took_over += command.took_over() ? 1 : 0;
    tally_->recovered += command.recovered() ? 1 : 0;
    ending.took = ending.took && traffic_.undisturbed(ending.machine);
    endings_.push_back(std::move(ending));
  }

  std::string Wronged() const {
    for (const Ending& ending : endings_) {
      if (cancels_ || !ending.took || ending.status.code() != Code::kAborted) continue;
      return "wronged: " + ending.kind + " on machine " + std::to_string(ending.machine) + ": " +
             ending.status.message();
    }
    return "";
  }

  // Collects the resources that the next commands find in both stacks.
  std::string Find(std::set<std::string>* found) {
    traffic_.Pass(kLeaseMs * 10 / 8);
    for (const StackName& stack : kSharedStacks) {
      SharedCommand next(Direct(), other_, 1, "z", &told_);
      Result<SharedCommand::Taken> taken = next.Take(stack);
      if (!taken.ok()) return "stuck: " + stack.name + ": " + taken.status().message();
      found->insert(taken->names.begin(), taken->names.end());
      if (const Status released = taken->lock->Release(); !released.ok()) return "stuck: " + released.message();
    }
    return "";
  }

  std::mt19937 random_;
  SharedTally* const tally_;
  Traffic traffic_;
  const std::shared_ptr<MemoryBucket> place_, other_;
  Told told_;
  std::mutex mutex_;
  std::vector<Ending> endings_;
  bool cancels_ = false;
};

}  // namespace

std::string TellShared(unsigned seed, SharedTally* tally) {
  ++tally->stories;
  return Story(seed, tally).Tell();
}

}  // namespace kingpost::simulation
