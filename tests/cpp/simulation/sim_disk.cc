// SPDX-License-Identifier: Apache-2.0
#include "simulation/sim_disk.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

namespace kingpost::simulation {

namespace {

constexpr size_t kPiece = 64;

int Fail(int error) {
  errno = error;
  return -1;
}

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string Tidy(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

void Put(uint64_t offset, std::string_view bytes, std::string* content) {
  content->resize(std::max<size_t>(content->size(), offset + bytes.size()));
  content->replace(offset, bytes.size(), bytes);
}

}  // namespace

SimDisk* SimDisk::active = nullptr;

SimDisk::SimDisk() {
  auto root = std::make_shared<Node>();
  root->folder = true;
  nodes_[0] = root;
  names_[kRoot] = durable_names_[kRoot] = 0;
}

// A copy has no descriptors and no watcher: both belong to the process.
SimDisk::SimDisk(const SimDisk& other)
    : canary(other.canary),
      nodes_(other.nodes_),
      names_(other.names_),
      durable_names_(other.durable_names_),
      unsynced_names_(other.unsynced_names_),
      next_node_(other.next_node_),
      now_(other.now_),
      leak_(other.leak_) {}

SimDisk& SimDisk::operator=(const SimDisk& other) {
  SimDisk copy(other);
  nodes_.swap(copy.nodes_);
  names_.swap(copy.names_);
  durable_names_.swap(copy.durable_names_);
  unsynced_names_.swap(copy.unsynced_names_);
  next_node_ = other.next_node_;
  now_ = other.now_;
  leak_ = other.leak_;
  canary = other.canary;
  open_.clear();
  return *this;
}

// --- crashes ------------------------------------------------------------------------------------

SimDisk::Node SimDisk::Surviving(const Node& node, std::mt19937& random) {
  Node left = node;
  left.content = node.durable;
  const unsigned mood = random() % 4;  // nothing, everything, a beginning, or any pieces
  std::vector<Patch> pieces;
  for (const Patch& patch : node.unsynced) {
    for (size_t at = 0; at < patch.bytes.size(); at += kPiece) {
      pieces.push_back({patch.offset + at, patch.bytes.substr(at, kPiece)});
    }
  }
  const size_t cut = pieces.empty() ? 0 : random() % (pieces.size() + 1);
  std::vector<Patch> kept;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (mood == 1 || (mood == 2 && i < cut) || (mood == 3 && random() % 2)) kept.push_back(pieces[i]);
  }
  if (mood == 3) std::shuffle(kept.begin(), kept.end(), random);
  for (const Patch& piece : kept) Put(piece.offset, piece.bytes, &left.content);
  return left;
}

SimDisk SimDisk::AfterCrash(CrashKind kind, std::mt19937& random) const {
  SimDisk disk(*this);
  disk.unsynced_names_.clear();
  if (kind == CrashKind::kPowerCut) {
    disk.names_ = durable_names_;
    std::map<std::string, size_t> total, taken, kept;
    for (const NameChange& change : unsynced_names_) ++total[change.folder];
    for (const auto& [folder, count] : total) kept[folder] = random() % (count + 1);
    for (const NameChange& change : unsynced_names_) {
      if (taken[change.folder]++ >= kept[change.folder]) continue;
      for (const auto& [path, node] : change.names) {
        if (node < 0) {
          disk.names_.erase(path);
        } else {
          disk.names_[path] = node;
        }
      }
    }
    // A lost folder takes all below it along.
    for (auto name = disk.names_.begin(); name != disk.names_.end();) {
      const bool lost = name->first != kRoot && !disk.names_.count(FolderOf(name->first));
      name = lost ? disk.names_.erase(name) : std::next(name);
    }
  }
  std::map<int, std::shared_ptr<const Node>> nodes;
  for (const auto& [path, number] : disk.names_) {
    if (nodes.count(number)) continue;
    Node node = *nodes_.at(number);
    if (kind == CrashKind::kPowerCut && !node.folder) node = Surviving(node, random);
    // A part of the reserved space has arrived. All of it is rare here, because reading a mebibyte of zeros takes time.
    const uint64_t end = node.content.size();
    node.size =
        random() % 32 == 0 ? std::max(end, node.size) : std::min(std::max(end, node.size), end + random() % 4096);
    node.durable = node.content;
    node.durable_size = node.size;
    node.unsynced.clear();
    nodes[number] = std::make_shared<const Node>(std::move(node));
  }
  disk.nodes_ = std::move(nodes);
  disk.durable_names_ = disk.names_;
  return disk;
}

std::map<std::string, std::string> SimDisk::Files(const std::string& folder) const {
  std::map<std::string, std::string> files;
  for (const auto& [path, number] : names_) {
    const Node& node = *nodes_.at(number);
    if (!node.folder && path.rfind(folder + "/", 0) == 0) files[path] = node.content;
  }
  return files;
}

void SimDisk::Replace(const std::string& path, const std::string& content) {
  Node& node = Change(names_.at(path));
  node.content = node.durable = content;
  node.size = node.durable_size = content.size();
  node.unsynced.clear();
}

// --- calls --------------------------------------------------------------------------------------

int SimDisk::Ask(const std::string& call, const std::string& path) {
  const auto asked = before;  // which may be another when it has answered
  return asked ? asked(call + " " + path.substr(path.rfind('/') + 1)) : 0;
}

SimDisk::Node& SimDisk::Change(int number) {
  auto copy = std::make_shared<Node>(*nodes_.at(number));
  copy->modified = ++now_;
  Node& node = *copy;
  nodes_[number] = std::move(copy);
  return node;
}

const SimDisk::Node* SimDisk::Find(const std::string& path) const {
  const auto name = names_.find(Tidy(path));
  return name == names_.end() ? nullptr : nodes_.at(name->second).get();
}

void SimDisk::Note(const std::string& folder, std::vector<std::pair<std::string, int>> names) {
  for (const auto& [path, node] : names) {
    if (node < 0) {
      names_.erase(path);
    } else {
      names_[path] = node;
    }
  }
  unsynced_names_.push_back({folder, std::move(names)});
}

void SimDisk::SyncNames(const std::string& folder) {
  std::vector<NameChange> left;
  for (NameChange& change : unsynced_names_) {
    if (change.folder != folder) {
      left.push_back(std::move(change));
      continue;
    }
    for (const auto& [path, node] : change.names) {
      if (node < 0) {
        durable_names_.erase(path);
      } else {
        durable_names_[path] = node;
      }
    }
  }
  unsynced_names_ = std::move(left);
}

int SimDisk::Open(const std::string& given, int flags) {
  const std::string path = Tidy(given);
  const Node* node = Find(path);
  const bool makes = !node && (flags & O_CREAT);
  if (!node && !makes) return Fail(ENOENT);
  if (node && (flags & O_CREAT) && (flags & O_EXCL)) return Fail(EEXIST);
  if (node && (flags & O_DIRECTORY) && !node->folder) return Fail(ENOTDIR);
  if (makes) {
    if (!Find(FolderOf(path))) return Fail(ENOENT);
    if (const int error = Ask("create", path)) return Fail(error);
    const int number = next_node_++;
    nodes_[number] = std::make_shared<const Node>();
    Change(number);
    Note(FolderOf(path), {{path, number}});
  }
  const int fd = next_descriptor_++;
  open_[fd] = {names_.at(path), path, 0};
  if (!makes && (flags & O_TRUNC) && Cut(fd, 0) != 0) return -1;
  return fd;
}

int SimDisk::Close(int fd) { return open_.erase(fd) ? 0 : Fail(EBADF); }

ssize_t SimDisk::Read(int fd, char* to, size_t size, int64_t offset) {
  const auto descriptor = open_.find(fd);
  if (descriptor == open_.end()) return Fail(EBADF);
  const Node& node = *nodes_.at(descriptor->second.node);
  const uint64_t from = offset < 0 ? descriptor->second.at : static_cast<uint64_t>(offset);
  const size_t count = from >= node.size ? 0 : std::min<size_t>(size, node.size - from);
  const size_t known = from >= node.content.size() ? 0 : std::min<size_t>(count, node.content.size() - from);
  if (known > 0) std::memcpy(to, node.content.data() + from, known);
  if (count > known) std::memset(to + known, 0, count - known);
  if (offset < 0) descriptor->second.at += count;
  return static_cast<ssize_t>(count);
}

ssize_t SimDisk::Write(int fd, std::string_view bytes, int64_t offset) {
  const auto descriptor = open_.find(fd);
  if (descriptor == open_.end()) return Fail(EBADF);
  const int error = Ask("write", descriptor->second.path);
  if (error) bytes = bytes.substr(0, bytes.size() / 2);
  Node& node = Change(descriptor->second.node);
  const uint64_t from = offset < 0 ? descriptor->second.at : static_cast<uint64_t>(offset);
  Put(from, bytes, &node.content);
  node.size = std::max<uint64_t>(node.size, node.content.size());
  node.unsynced.push_back({from, std::string(bytes)});
  if (!canary.empty() && leak_->empty() && bytes.find(canary) != bytes.npos) *leak_ = bytes;
  if (error) return Fail(error);
  if (offset < 0) descriptor->second.at += bytes.size();
  return static_cast<ssize_t>(bytes.size());
}

int SimDisk::Sync(int fd) {
  const auto descriptor = open_.find(fd);
  if (descriptor == open_.end()) return Fail(EBADF);
  const std::string path = descriptor->second.path;
  if (const int error = Ask("sync", path)) return Fail(error);
  if (nodes_.at(descriptor->second.node)->folder) {
    SyncNames(path);
    return 0;
  }
  Node& node = Change(descriptor->second.node);
  node.durable = node.content;
  node.durable_size = node.size;
  node.unsynced.clear();
  return 0;
}

int SimDisk::Reserve(int fd, uint64_t size) {
  const auto descriptor = open_.find(fd);
  if (descriptor == open_.end()) return Fail(EBADF);
  if (const int error = Ask("reserve", descriptor->second.path)) return Fail(error);
  Node& node = Change(descriptor->second.node);
  node.size = std::max(node.size, size);
  return 0;
}

int SimDisk::Cut(int fd, uint64_t size) {
  const auto descriptor = open_.find(fd);
  if (descriptor == open_.end()) return Fail(EBADF);
  if (const int error = Ask("cut", descriptor->second.path)) return Fail(error);
  Node& node = Change(descriptor->second.node);
  if (node.content.size() > size) node.content.resize(size);
  node.size = size;
  // After a power cut, a file that was truncated and not synced may have either length.
  if (node.durable.size() > size) node.durable.resize(size);
  node.durable_size = std::min(node.durable_size, size);
  return 0;
}

int64_t SimDisk::SeekEnd(int fd) {
  const auto descriptor = open_.find(fd);
  if (descriptor == open_.end()) return Fail(EBADF);
  return static_cast<int64_t>(nodes_.at(descriptor->second.node)->size);
}

int SimDisk::Rename(const std::string& from, const std::string& to) {
  const auto name = names_.find(from);
  if (name == names_.end() || !Find(FolderOf(to))) return Fail(ENOENT);
  if (const int error = Ask("rename", to)) return Fail(error);
  const int number = name->second;
  const auto target = names_.find(to);
  if (target != names_.end() && target->second == number) return 0;  // two names of one file both stay
  Note(FolderOf(to), {{from, -1}, {to, number}});
  return 0;
}

int SimDisk::Link(const std::string& from, const std::string& to) {
  const auto name = names_.find(from);
  if (name == names_.end() || !Find(FolderOf(to))) return Fail(ENOENT);
  if (names_.count(to)) return Fail(EEXIST);
  if (const int error = Ask("link", to)) return Fail(error);
  Note(FolderOf(to), {{to, name->second}});
  return 0;
}

int SimDisk::Unlink(const std::string& path) {
  const Node* node = Find(path);
  if (!node) return Fail(ENOENT);
  if (node->folder) return Fail(EISDIR);
  if (const int error = Ask("unlink", path)) return Fail(error);
  Note(FolderOf(path), {{path, -1}});
  return 0;
}

int SimDisk::MakeFolder(const std::string& given) {
  const std::string path = Tidy(given);
  if (names_.count(path)) return Fail(EEXIST);
  if (!Find(FolderOf(path))) return Fail(ENOENT);
  if (const int error = Ask("mkdir", path)) return Fail(error);
  auto folder = std::make_shared<Node>();
  folder->folder = true;
  const int number = next_node_++;
  nodes_[number] = folder;
  Note(FolderOf(path), {{path, number}});
  return 0;
}

int SimDisk::Stat(const std::string& path, struct stat* out) const {
  const auto name = names_.find(Tidy(path));
  if (name == names_.end()) return Fail(ENOENT);
  const Node& node = *nodes_.at(name->second);
  *out = {};
  out->st_mode = node.folder ? S_IFDIR | 0700 : S_IFREG | 0600;
  out->st_ino = static_cast<ino_t>(name->second + 1);
  out->st_nlink = 1;
  out->st_size = static_cast<off_t>(node.size);
  out->st_mtim.tv_sec = node.modified;
  return 0;
}

int SimDisk::StatOpen(int fd, struct stat* out) const {
  const auto descriptor = open_.find(fd);
  if (descriptor == open_.end()) return Fail(EBADF);
  const Node& node = *nodes_.at(descriptor->second.node);
  *out = {};
  out->st_mode = node.folder ? S_IFDIR | 0700 : S_IFREG | 0600;
  out->st_ino = static_cast<ino_t>(descriptor->second.node + 1);
  for (const auto& [path, number] : names_) out->st_nlink += number == descriptor->second.node ? 1 : 0;
  out->st_size = static_cast<off_t>(node.size);
  out->st_mtim.tv_sec = node.modified;
  return 0;
}

bool SimDisk::Names(const std::string& given, std::vector<std::string>* names) const {
  const std::string folder = Tidy(given);
  const Node* node = Find(folder);
  if (!node || !node->folder) return false;
  for (const auto& [path, number] : names_) {
    if (path != kRoot && FolderOf(path) == folder) names->push_back(path.substr(folder.size() + 1));
  }
  return true;
}

}  // namespace kingpost::simulation
