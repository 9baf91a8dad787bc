// SPDX-License-Identifier: Apache-2.0
// A disk with a file system, in memory. wrapped_calls.cc sends it the calls of the store, its locks and the journal for
// files below /simulated. A crash leaves what a real one may leave.
//
// A power cut keeps a file's content at its last sync, and any 64-byte pieces of later writes, in any order. It keeps a
// folder's names at its last sync, and the first few of the later changes. A kill keeps all writes. Copies are cheap:
// they share the files until one of them changes.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace kingpost::simulation {

enum class CrashKind { kKill, kPowerCut };

class SimDisk {
 public:
  static constexpr char kRoot[] = "/simulated";

  // The disk that calls below kRoot reach. One at a time.
  static SimDisk* active;

  SimDisk();
  SimDisk(const SimDisk& other);
  SimDisk& operator=(const SimDisk& other);

  // Asked before each call that changes something, "rename FILE": 0, or the errno to fail with.
  std::function<int(const std::string& call)> before;

  // The disk as the machine finds it afterwards; nothing is open.
  SimDisk AfterCrash(CrashKind kind, std::mt19937& random) const;

  // For checks and repairs from outside: no fault happens, and each change is durable at once.
  std::map<std::string, std::string> Files(const std::string& folder) const;  // by path, at any depth
  void Replace(const std::string& path, const std::string& content);
  // A word that must reach no file in clear, and the first write that held it, on this disk or a copy.
  std::string canary;
  const std::string& leak() const { return *leak_; }

  // System calls: -1 and errno, as those.
  int Open(const std::string& path, int flags);
  int Close(int fd);
  ssize_t Read(int fd, char* to, size_t size, int64_t offset);  // offset -1: where the descriptor stands
  ssize_t Write(int fd, std::string_view bytes, int64_t offset);
  int Sync(int fd);
  int Reserve(int fd, uint64_t size);
  int Cut(int fd, uint64_t size);
  int64_t SeekEnd(int fd);
  int Rename(const std::string& from, const std::string& to);
  int Link(const std::string& from, const std::string& to);
  int Unlink(const std::string& path);
  int MakeFolder(const std::string& path);
  int Stat(const std::string& path, struct stat* out) const;
  int StatOpen(int fd, struct stat* out) const;
  bool Names(const std::string& folder, std::vector<std::string>* names) const;

  static bool IsOurs(int fd) { return fd >= kFirstDescriptor; }

 private:
  static constexpr int kFirstDescriptor = 1 << 20;

  struct Patch {
    uint64_t offset;
    std::string bytes;
  };
  struct Node {
    bool folder = false;
    std::string content, durable;
    uint64_t size = 0, durable_size = 0;  // beyond the content: reserved, reads as zeros
    std::vector<Patch> unsynced;
    int64_t modified = 0;
  };
  struct NameChange {
    std::string folder;
    std::vector<std::pair<std::string, int>> names;  // path to node, -1: gone
  };
  struct Descriptor {
    int node;
    std::string path;
    uint64_t at = 0;
  };

  int Ask(const std::string& call, const std::string& path);
  Node& Change(int node);
  const Node* Find(const std::string& path) const;
  void Note(const std::string& folder, std::vector<std::pair<std::string, int>> names);
  void SyncNames(const std::string& folder);
  static Node Surviving(const Node& node, std::mt19937& random);

  std::map<int, std::shared_ptr<const Node>> nodes_;
  std::map<std::string, int> names_, durable_names_;
  std::vector<NameChange> unsynced_names_;
  std::map<int, Descriptor> open_;
  int next_node_ = 1, next_descriptor_ = kFirstDescriptor;
  int64_t now_ = 1;
  std::shared_ptr<std::string> leak_ = std::make_shared<std::string>();
};

// Calls to the disk take turns. While this lives, the turn of a call that is being asked about (SimDisk::before) is
// given to others, threads included: another command runs in the middle of it.
class GiveTurn {
 public:
  GiveTurn();
  ~GiveTurn();
  GiveTurn(const GiveTurn&) = delete;
};

}  // namespace kingpost::simulation
