// SPDX-License-Identifier: Apache-2.0
#include "processes/process_supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "processes/file_passing.h"
#include "processes/fork_server.h"
#include "processes/reaper_main.h"

namespace kingpost {

namespace {

void CloseFile(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

Status SystemError(const std::string& what) {
  return Status(Code::kResourceExhausted, what + ": " + std::strerror(errno));
}

// A file in memory with the payload.
int PayloadFile(const std::string& payload) {
  const int fd = memfd_create("spawn", MFD_CLOEXEC);
  if (fd < 0) return -1;
  size_t done = 0;
  while (done < payload.size()) {
    const ssize_t n = write(fd, payload.data() + done, payload.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      close(fd);
      return -1;
    }
    done += static_cast<size_t>(n);
  }
  return fd;
}

bool SendRequest(int socket, const ReaperRequest& request, std::initializer_list<int> files = {}) {
  return SendWithFiles(socket, &request, sizeof request, files);
}

// The two ends of what a process prints, closed at the end unless they were taken.
struct OutputPipes {
  ~OutputPipes() {
    for (int* file : {&out[0], &out[1], &err[0], &err[1]}) CloseFile(file);
  }
  // False, with errno, if there are too many files.
  bool Open() {
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return false;
    for (int fd : {out[0], err[0]}) fcntl(fd, F_SETFL, O_NONBLOCK);
    return true;
  }
  void TakeReadEnds(int (&files)[2]) {
    files[0] = std::exchange(out[0], -1);
    files[1] = std::exchange(err[0], -1);
  }

  int out[2] = {-1, -1}, err[2] = {-1, -1};
};

}  // namespace

int ProcessExit::code() const {
  if (start_error != 0) return 127;
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

std::string ProcessExit::Describe() const {
  if (start_error != 0) return std::strerror(start_error);
  if (WIFSIGNALED(wait_status)) return std::string("signal: ") + strsignal(WTERMSIG(wait_status));
  return "exit status " + std::to_string(WEXITSTATUS(wait_status));
}

Result<std::shared_ptr<ProcessSupervisor>> ProcessSupervisor::Start() {
  int wake[2];
  if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) return SystemError("cannot start the process that watches plugins");
  auto reaper = StartReaper();
  if (!reaper.ok()) {
    for (int& fd : wake) CloseFile(&fd);
    return reaper.status();
  }
  return std::shared_ptr<ProcessSupervisor>(new ProcessSupervisor(*reaper, wake));
}

ProcessSupervisor::ProcessSupervisor(ReaperHandle reaper, const int (&wake)[2])
    : reaper_(reaper), wake_{wake[0], wake[1]} {
  thread_ = std::thread([this] { Work(); });
}

ProcessSupervisor::~ProcessSupervisor() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  (void)!write(wake_[1], "x", 1);
  thread_.join();
  SendRequest(reaper_.socket, {ReaperRequest::kShutdown, 0, 0});
  close(reaper_.socket);
  waitpid(reaper_.pid, nullptr, 0);
  for (int& fd : wake_) CloseFile(&fd);
}

ProcessSupervisor::Child::~Child() {
  for (int& fd : files) CloseFile(&fd);
}

Result<int> ProcessSupervisor::Spawn(const ProcessSpec& spec, ProcessHandler handler, int input) {
  KP_ASSERT(!spec.argv.empty(), "a process has a name");
  int payload = PayloadFile(EncodeSpawn(spec));
  int nothing = input < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
  if (input < 0) input = nothing;
  OutputPipes pipes;
  Result<int> id = 0;
  if (payload < 0 || input < 0 || !pipes.Open()) {
    id = SystemError("cannot start " + spec.argv[0]);
  } else {
    auto child = std::make_shared<Child>();
    child->handler = std::move(handler);
    pipes.TakeReadEnds(child->files);
    id = Add(std::move(child), {ReaperRequest::kSpawn, 0, 0}, {payload, input, pipes.out[1], pipes.err[1]});
    if (!id.ok()) id = id.status().Wrap("cannot start " + spec.argv[0]);
  }
  CloseFile(&payload);
  CloseFile(&nothing);
  return id;
}

Result<int> ProcessSupervisor::Fork(ForkServer& server, ProcessHandler handler, int input,
                                    const std::function<bool()>& gives_up) {
  OutputPipes pipes;
  if (!pipes.Open()) return SystemError("cannot fork");
  const Result<pid_t> pid = server.Fork(input, pipes.out[1], pipes.err[1], gives_up);
  if (!pid.ok()) return pid.status();
  auto child = std::make_shared<Child>();
  child->handler = std::move(handler);
  pipes.TakeReadEnds(child->files);
  return Add(std::move(child), {ReaperRequest::kAdopt, 0, *pid}, {});
}

Result<int> ProcessSupervisor::Add(std::shared_ptr<Child> child, ReaperRequest request,
                                   std::initializer_list<int> files) {
  int id = 0;
  {
    std::lock_guard lock(mutex_);
    id = next_id_++;
    request.id = static_cast<uint32_t>(id);
    if (reaper_gone_ || !SendRequest(reaper_.socket, request, files)) {
      return Status(Code::kUnavailable, "the reaper process has ended; run the command again");
    }
    children_[id] = std::move(child);
  }
  (void)!write(wake_[1], "x", 1);
  return id;
}

void ProcessSupervisor::Signal(int id, int number) {
  std::lock_guard lock(mutex_);
  if (!reaper_gone_) {
    SendRequest(reaper_.socket, {ReaperRequest::kSignal, static_cast<uint32_t>(id), number});
  }
}

void ProcessSupervisor::RemoveOnExit(const std::string& folder) {
  const int payload = PayloadFile(folder + '\0');
  if (payload < 0) return;
  std::lock_guard lock(mutex_);
  if (!reaper_gone_) SendRequest(reaper_.socket, {ReaperRequest::kFolder, 0, 0}, {payload, payload, payload, payload});
  close(payload);
}

void ProcessSupervisor::Work() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);  // signals are the main thread's business
  while (true) {
    std::vector<pollfd> files = {{wake_[0], POLLIN, 0}};
    struct Source {
      int id;
      std::shared_ptr<Child> child;
      int which;
    };
    std::vector<Source> sources;
    {
      std::lock_guard lock(mutex_);
      if (closing_) return;
      if (!reaper_gone_) files.push_back({reaper_.socket, POLLIN, 0});
      for (auto& [id, child] : children_) {
        for (int which : {0, 1}) {
          if (child->files[which] < 0) continue;
          files.push_back({child->files[which], POLLIN, 0});
          sources.push_back({id, child, which});
        }
      }
    }
    const size_t fixed = files.size() - sources.size();
    if (poll(files.data(), files.size(), -1) < 0) continue;
    char drop[64];
    while (read(wake_[0], drop, sizeof drop) > 0) {
    }
    for (size_t i = 0; i < sources.size(); ++i) {
      if (files[fixed + i].revents) Drain(sources[i].id, sources[i].child.get(), sources[i].which);
    }
    if (fixed > 1 && files[1].revents) ReadReplies();
  }
}

void ProcessSupervisor::Drain(int, Child* child, int which) {
  char buffer[1 << 14];
  while (child->files[which] >= 0) {
    const ssize_t n = read(child->files[which], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;  // nothing more for now
    if (n == 0) {
      std::lock_guard lock(mutex_);
      CloseFile(&child->files[which]);
      return;
    }
    const auto stream = which == 0 ? OutputStream::kStdout : OutputStream::kStderr;
    if (child->handler.on_output) child->handler.on_output(stream, {buffer, static_cast<size_t>(n)});
  }
}

void ProcessSupervisor::ReadReplies() {
  ReaperReply reply;
  const ssize_t n = recv(reaper_.socket, &reply, sizeof reply, 0);
  if (n == static_cast<ssize_t>(sizeof reply)) {
    ProcessExit exit;
    (reply.kind == ReaperReply::kFailedToStart ? exit.start_error : exit.wait_status) = reply.value;
    Finish(static_cast<int>(reply.id), exit);
    return;
  }
  if (n < 0 && errno == EINTR) return;
  // The reaper is gone, and the kernel has killed what it started.
  std::vector<int> ids;
  {
    std::lock_guard lock(mutex_);
    reaper_gone_ = true;
    for (const auto& [id, child] : children_) ids.push_back(id);
  }
  for (int id : ids) Finish(id, {0, SIGKILL});
}

void ProcessSupervisor::Finish(int id, ProcessExit exit) {
  std::shared_ptr<Child> child;
  {
    std::lock_guard lock(mutex_);
    auto found = children_.find(id);
    if (found == children_.end()) return;
    child = found->second;
  }
  for (int which : {0, 1}) Drain(id, child.get(), which);
  {
    // Its own children may hold the pipes open; nobody listens to them any more.
    std::lock_guard lock(mutex_);
    for (int& fd : child->files) CloseFile(&fd);
    children_.erase(id);
  }
  if (child->handler.on_exit) child->handler.on_exit(exit);
}

}  // namespace kingpost
