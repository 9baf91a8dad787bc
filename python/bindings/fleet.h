// SPDX-License-Identifier: Apache-2.0
// The board of a kingpost.Fleet for one operation: what its members know of each other. Python starts each run on its
// own thread and reports how it ended. Only the rules are called with the GIL held.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/session.h"
#include "operation/fleet/board.h"
#include "operation/fleet/pass_rules.h"

namespace kingpost::python {

struct FleetMemberGiven {
  std::string name;  // for messages
  std::string store;
  std::shared_ptr<Session> session;
  std::vector<size_t> after;
};

class FleetBoard {
 public:
  // Reads in the stores what the members have read in their last runs. Fails if they do so in a circle. `preview` is
  // the board of the same members' preview, or null: what they have read there counts as well.
  static Result<std::shared_ptr<FleetBoard>> Open(const std::vector<FleetMemberGiven>& members, int slots,
                                                  bool reversed, const FleetBoard* preview);

  fleet::Board& board() { return board_; }
  // A destroy goes the other way round: its members read what is recorded, and wait for nobody.
  bool reads_wait() const { return !reversed_; }
  // Keeps the planned state of a previewed member, and whether that differs from the recorded one.
  void Keep(size_t member, std::shared_ptr<const Snapshot> planned, bool changes);
  void Ended(size_t member, fleet::Schedule::State state);
  const fleet::PassRules& rules() const { return rules_; }

 private:
  FleetBoard(std::vector<fleet::BoardMember> members, int slots, bool reversed, fleet::PassRules rules)
      : board_(std::move(members), slots),
        reversed_(reversed),
        rules_(std::move(rules)),
        planned_(board_.size()),
        changes_(board_.size(), true) {}
  // The results of this preview, for the rules of the operation after it.
  std::vector<fleet::PreviewResult> PreviewResult() const;

  fleet::Board board_;
  const bool reversed_;
  const fleet::PassRules rules_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const Snapshot>> planned_;
  std::vector<bool> changes_;
};

}  // namespace kingpost::python
