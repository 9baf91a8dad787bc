// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/watch_events.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cctype>
#include <optional>
#include <utility>

#include "console/prompt/raw_terminal.h"

namespace kingpost {

namespace {

// Editors write several files, and a file several times; a tool that writes many takes a while.
constexpr std::chrono::milliseconds kNoWait{0};
constexpr std::chrono::milliseconds kQuiet{25};
constexpr std::chrono::milliseconds kBurstMax{2000};
constexpr std::chrono::milliseconds kBetweenLooks{100};  // in a run

// A letter in lower case, 'q' for all that ends the watch, 0 for other keys.
char LetterOf(const Key& key) {
  if (key.kind == Key::Kind::kText && key.text.size() == 1) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(key.text[0])));
  }
  const bool ends =
      key.kind == Key::Kind::kInterrupt || key.kind == Key::Kind::kEscape || key.kind == Key::Kind::kEndOfInput;
  return ends ? 'q' : '\0';
}

bool IsReadable(int fd, std::chrono::milliseconds limit) {
  pollfd source{fd, POLLIN, 0};
  return poll(&source, 1, static_cast<int>(limit.count())) > 0;
}

// The thread that looks at files while the loop runs.
class Follower {
 public:
  Follower(Loop& loop, int files, std::chrono::milliseconds after, std::function<bool()> look)
      : inbox_(loop.inbox()), files_(files), look_(std::make_shared<std::function<bool()>>(std::move(look))) {
    KP_ASSERT(pipe2(quit_, O_CLOEXEC | O_NONBLOCK) == 0, "a pipe can be made");
    thread_ = std::thread([this, after, weak = std::weak_ptr(look_)] { Follow(after, weak); });
  }
  ~Follower() {
    look_ = nullptr;
    (void)!write(quit_[1], "q", 1);
    thread_.join();
    for (const int fd : quit_) close(fd);
  }
  Follower(const Follower&) = delete;

 private:
  void Follow(std::chrono::milliseconds after, const std::weak_ptr<std::function<bool()>>& look) {
    for (auto pause = after; !IsReadable(quit_[0], pause); pause = kBetweenLooks) {
      pollfd sources[2] = {{quit_[0], POLLIN, 0}, {files_, POLLIN, 0}};
      while (poll(sources, 2, -1) < 0) continue;
      if (sources[0].revents != 0) return;
      inbox_->Post([look] {
        const auto still = look.lock();
        if (still && *still && (*still)()) *still = nullptr;
      });
    }
  }

  const std::shared_ptr<Inbox> inbox_;
  const int files_;
  std::shared_ptr<std::function<bool()>> look_;  // gone on the loop's thread
  int quit_[2] = {-1, -1};
  std::thread thread_;
};

}  // namespace

WatchEvents::WatchEvents(Loop& loop, std::unique_ptr<WatchedFiles> files, bool keys)
    : loop_(loop), files_(std::move(files)), keys_(keys), signals_([this] {
        interrupted_ = true;
        Wake();
      }) {
  KP_ASSERT(pipe2(quit_, O_CLOEXEC | O_NONBLOCK) == 0, "a pipe can be made");
}

WatchEvents::~WatchEvents() {
  for (const int fd : quit_) close(fd);
}

bool WatchEvents::HasChanges() {
  for (std::string& file : files_->Take()) seen_.insert(std::move(file));
  return !seen_.empty();
}

std::shared_ptr<void> WatchEvents::Follow(std::chrono::milliseconds after, std::function<void()> changed) {
  auto look = [this, changed = std::move(changed)] {
    if (!HasChanges()) return false;
    changed();
    return true;
  };
  return std::make_shared<Follower>(loop_, files_->fd(), after, std::move(look));
}

void WatchEvents::DropKeys() {
  if (!keys_) return;
  RawTerminal terminal;
  while (terminal.ok() && !has_quit_ && IsReadable(STDIN_FILENO, kNoWait)) has_quit_ = LetterOf(terminal.Read()) == 'q';
}

void WatchEvents::set_files(std::unique_ptr<WatchedFiles> files) { files_ = std::move(files); }

// Any thread. A loop that runs for another task is left alone.
void WatchEvents::Wake() {
  loop_.Post([&loop = loop_, waiting = waiting_] {
    if (std::exchange(*waiting, false)) loop.Stop();
  });
}

void WatchEvents::Listen() {
  pollfd sources[3] = {{quit_[0], POLLIN, 0}, {files_->fd(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  while (poll(sources, keys_ ? 3 : 2, -1) < 0) continue;
  if (sources[0].revents == 0) Wake();
}

void WatchEvents::StartListening() {
  char late = 0;
  while (read(quit_[0], &late, 1) == 1) continue;
  listener_ = std::thread([this] { Listen(); });
}

void WatchEvents::StopListening() {
  (void)!write(quit_[1], "q", 1);
  listener_.join();
}

WatchEvents::WatchEvent WatchEvents::Take(RawTerminal* terminal) {
  WatchEvent news;
  std::set<std::string> files = std::exchange(seen_, {});
  const auto begun = Loop::Clock::now();
  for (bool more = true; more && Loop::Clock::now() - begun < kBurstMax;) {
    for (std::string& file : files_->Take()) files.insert(std::move(file));
    more = !files.empty() && IsReadable(files_->fd(), kQuiet);
  }
  news.files.assign(files.begin(), files.end());
  if (terminal && IsReadable(STDIN_FILENO, kNoWait)) news.key = LetterOf(terminal->Read());
  return news;
}

WatchEvents::WatchEvent WatchEvents::Wait(std::chrono::milliseconds limit) {
  if (has_quit_) return {{}, 'q'};
  std::optional<RawTerminal> terminal;
  if (keys_) terminal.emplace();
  RawTerminal* const raw = terminal && terminal->ok() ? &*terminal : nullptr;
  WatchEvent news = Take(raw);
  if (!news.files.empty() || news.key != 0 || interrupted_) return news;
  *waiting_ = true;
  StartListening();
  loop_.PostAfter(limit, [&loop = loop_, waiting = std::weak_ptr(waiting_)] {
    const auto still = waiting.lock();
    if (still && std::exchange(*still, false)) loop.Stop();
  });
  loop_.Run();
  *waiting_ = false;
  StopListening();
  return Take(raw);
}

}  // namespace kingpost
