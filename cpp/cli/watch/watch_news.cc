// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/watch_news.h"

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
constexpr std::chrono::milliseconds kQuiet{25};
constexpr std::chrono::milliseconds kBurstMax{2000};

}  // namespace

WatchNews::WatchNews(Loop& loop, std::unique_ptr<WatchedFiles> files, bool keys)
    : loop_(loop), files_(std::move(files)), keys_(keys), signals_([this] {
        interrupted_ = true;
        Wake();
      }) {
  KP_ASSERT(pipe2(quit_, O_CLOEXEC | O_NONBLOCK) == 0, "a pipe can be made");
}

WatchNews::~WatchNews() {
  for (const int fd : quit_) close(fd);
}

bool WatchNews::Look() {
  for (std::string& file : files_->Take()) seen_.insert(std::move(file));
  return !seen_.empty();
}

void WatchNews::set_files(std::unique_ptr<WatchedFiles> files) { files_ = std::move(files); }

// Any thread. A loop that runs for another task is left alone.
void WatchNews::Wake() {
  loop_.Post([&loop = loop_, waiting = waiting_] {
    if (std::exchange(*waiting, false)) loop.Stop();
  });
}

void WatchNews::Listen() {
  pollfd sources[3] = {{quit_[0], POLLIN, 0}, {files_->fd(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  while (poll(sources, keys_ ? 3 : 2, -1) < 0) continue;
  if (sources[0].revents == 0) Wake();
}

void WatchNews::StartListening() {
  char late = 0;
  while (read(quit_[0], &late, 1) == 1) continue;
  listener_ = std::thread([this] { Listen(); });
}

void WatchNews::StopListening() {
  (void)!write(quit_[1], "q", 1);
  listener_.join();
}

WatchNews::News WatchNews::Take(RawTerminal* terminal) {
  News news;
  std::set<std::string> files = std::exchange(seen_, {});
  const auto begun = Loop::Clock::now();
  for (bool more = true; more && Loop::Clock::now() - begun < kBurstMax;) {
    for (std::string& file : files_->Take()) files.insert(std::move(file));
    pollfd source{files_->fd(), POLLIN, 0};
    more = !files.empty() && poll(&source, 1, static_cast<int>(kQuiet.count())) > 0;
  }
  news.files.assign(files.begin(), files.end());
  pollfd typed{STDIN_FILENO, POLLIN, 0};
  if (!terminal || poll(&typed, 1, 0) <= 0) return news;
  const Key key = terminal->Read();
  if (key.kind == Key::Kind::kText && key.text.size() == 1) {
    news.key = static_cast<char>(std::tolower(static_cast<unsigned char>(key.text[0])));
  } else if (key.kind == Key::Kind::kInterrupt || key.kind == Key::Kind::kEscape ||
             key.kind == Key::Kind::kEndOfInput) {
    news.key = 'q';
  }
  return news;
}

WatchNews::News WatchNews::Wait(std::chrono::milliseconds limit) {
  std::optional<RawTerminal> terminal;
  if (keys_) terminal.emplace();
  RawTerminal* const raw = terminal && terminal->ok() ? &*terminal : nullptr;
  News news = Take(raw);
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
