// SPDX-License-Identifier: Apache-2.0
// The workers of a Dask cluster, as --on names it. One Python process stands between
// (python/kingpost/_cluster_bridge.py) and speaks lines of JSON:
//
//     this command ──"ID {...}"──▶ bridge ──Dask──▶ worker ──▶ `kingpost up --as-member` in the member's folder
//          screen ◀──"ID {...}"───        ◀─────────       ◀── events, questions, how it ended
//
// Nothing of a member is in Dask's task graph but its name: what it is to do, and all answers, travel beside it. Any
// thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

class ProcessSupervisor;

class Cluster {
 public:
  // How `address` is meant: "tcp://HOST:8786" of "dask://HOST". A usage error if it is something else.
  static Result<std::string> SchedulerOf(const std::string& address);

  // Waits until the workers are known and have been asked whether they have the folders and the command. Fails with a
  // sentence that says what to do.
  static Result<std::shared_ptr<Cluster>> Connect(std::shared_ptr<ProcessSupervisor> supervisor,
                                                  const std::string& address, const std::vector<std::string>& folders);
  ~Cluster();
  Cluster(const Cluster&) = delete;

  // How many members its workers run at a time.
  int slots() const { return slots_; }
  // All workers are processes of this machine.
  bool is_local() const { return is_local_; }
  // The machine that this process is on, as workers name theirs.
  const std::string& here() const { return here_; }
  const std::string& address() const { return address_; }

  // Gives a member to a worker; `spec` is the text of a JSON object. The number is for Send and NextLine.
  int Begin(const std::string& name, const std::string& spec);
  void Send(int member, const std::string& json);
  // The next line about the member; "" if the bridge is gone.
  std::string NextLine(int member);
  // 1: what runs is to finish its steps, 2: is to stop at once. What has not begun does not begin.
  void Interrupt(int number);
  // Explains why the bridge ended. Call it only when the bridge is gone.
  std::string DescribeEnd() const;

 private:
  explicit Cluster(std::shared_ptr<ProcessSupervisor> supervisor) : supervisor_(std::move(supervisor)) {}
  Status Start(const std::string& python, const std::string& scheduler, const std::vector<std::string>& folders);
  Status ReadGreeting();

  // The output of the bridge. Its handlers share it, and the supervisor may call them until it is destroyed.
  struct BridgeOutput {
    // With the lock. Each line begins with the number of the member that it is about.
    void Take(std::string_view bytes);
    std::mutex mutex;
    std::condition_variable changed;
    std::string partial, errors;
    bool gone = false;
    std::string end;
    std::map<int, std::deque<std::string>> lines;  // by member; 0 is the cluster itself
  };

  const std::shared_ptr<ProcessSupervisor> supervisor_;
  std::string address_, here_;
  int slots_ = 1;
  bool is_local_ = false;
  int input_ = -1;  // of the bridge
  std::mutex writing_;
  int last_ = 0;  // member
  const std::shared_ptr<BridgeOutput> bridge_output_ = std::make_shared<BridgeOutput>();
};

// The interpreter of the bridge and of `fleet worker`: $KINGPOST_PYTHON, the one beside this command, or the one that
// runs programs ($PULUMI_PYTHON_CMD, python3).
Result<std::string> FindFleetPython();

}  // namespace kingpost
