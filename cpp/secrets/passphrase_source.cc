// SPDX-License-Identifier: Apache-2.0
// Where passphrases come from: the environment, a file, the terminal, or a fixed text.
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "base/os.h"
#include "base/trim.h"
#include "kingpost/secrets_manager.h"

namespace kingpost {
namespace {

Result<std::string> ReadPassphraseFile(const std::string& path) {
  const Result<std::string> content = ReadWholeFile(path);
  if (!content.ok()) return content.status().Wrap("unable to read PULUMI_CONFIG_PASSPHRASE_FILE");
  return Trimmed(*content);
}

// Turns the echo of the terminal off while it lives.
class SilentTerminal {
 public:
  explicit SilentTerminal(int fd) : fd_(fd), silent_(tcgetattr(fd, &before_) == 0) {
    if (!silent_) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    quiet.c_lflag |= ECHONL;
    tcsetattr(fd_, TCSAFLUSH, &quiet);
  }
  ~SilentTerminal() {
    if (silent_) tcsetattr(fd_, TCSAFLUSH, &before_);
  }

 private:
  int fd_;
  termios before_;
  bool silent_;
};

Result<std::string> AskOnTerminal(const std::string& prompt) {
  const int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (fd < 0) return Status(Code::kUnavailable, "there is no terminal to ask for the passphrase on");
  const std::string question = prompt + ": ";
  std::string answer;
  bool ended = write(fd, question.data(), question.size()) < 0;
  {
    const SilentTerminal silent(fd);
    for (char c; !ended;) {
      const ssize_t got = read(fd, &c, 1);
      if (got < 0 && errno == EINTR) continue;
      ended = got <= 0 || c == '\n';
      if (!ended) answer.push_back(c);
    }
  }
  close(fd);
  return answer;
}

class EnvironmentSource : public PassphraseSource {
 public:
  explicit EnvironmentSource(bool may_prompt) : may_prompt_(may_prompt && isatty(STDIN_FILENO)) {}

  Result<std::string> Read(const std::string& prompt) override {
    if (const auto phrase = FindEnvironment("PULUMI_CONFIG_PASSPHRASE")) return *phrase;
    const std::string file = GetEnvironment("PULUMI_CONFIG_PASSPHRASE_FILE");
    if (!file.empty()) return ReadPassphraseFile(file);
    if (may_prompt_) return AskOnTerminal(prompt);
    return Status(Code::kUnauthenticated,
                  "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment "
                  "variables");
  }

  bool interactive() const override {
    return may_prompt_ && !FindEnvironment("PULUMI_CONFIG_PASSPHRASE") &&
           GetEnvironment("PULUMI_CONFIG_PASSPHRASE_FILE").empty();
  }

 private:
  bool may_prompt_;
};

// A passphrase that replaces another: the environment holds the old one.
class NewSource : public PassphraseSource {
 public:
  explicit NewSource(bool may_prompt) : may_prompt_(may_prompt && isatty(STDIN_FILENO)) {}

  Result<std::string> Read(const std::string& prompt) override {
    if (may_prompt_) return AskOnTerminal(prompt);
    // One line: a script may also answer the confirmation that a terminal asks for. Trimmed, as in a file.
    // An empty line is an empty passphrase; no line at all is a script that has none.
    std::string line;
    if (!std::getline(std::cin, line)) {
      return Status(Code::kUnauthenticated,
                    "the new passphrase is missing: standard input is empty; write it there as one line");
    }
    return Trimmed(line);
  }
  bool interactive() const override { return may_prompt_; }

 private:
  bool may_prompt_;
};

class FixedSource : public PassphraseSource {
 public:
  explicit FixedSource(std::string passphrase) : passphrase_(std::move(passphrase)) {}
  Result<std::string> Read(const std::string&) override { return passphrase_; }

 private:
  std::string passphrase_;
};

}  // namespace

std::shared_ptr<PassphraseSource> EnvironmentPassphrase(bool may_prompt) {
  return std::make_shared<EnvironmentSource>(may_prompt);
}

std::shared_ptr<PassphraseSource> NewPassphrase(bool may_prompt) { return std::make_shared<NewSource>(may_prompt); }

std::shared_ptr<PassphraseSource> FixedPassphrase(std::string passphrase) {
  return std::make_shared<FixedSource>(std::move(passphrase));
}

}  // namespace kingpost
