// SPDX-License-Identifier: Apache-2.0
// Every scenario once more, with secrets in place of all values: what the engine tells, shows and writes holds none.
//
//   KINGPOST_SCENARIO=TEXT kp_tests "[canaries]"    those alone whose file names hold the text
#include "canaries/canaries.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "base/encoding.h"
#include "console/display/event_json.h"
#include "console/display/markdown_report.h"
#include "console/display/progress.h"
#include "scenarios/random_programs.h"
#include "scenarios/stage.h"

namespace kingpost::canaries_test {

using namespace canaries;
using scenarios::Json;
using scenarios::Scenario;

const std::string kFolder = std::string(KINGPOST_SOURCE_DIR) + "/tests/scenarios";

// Ciphertexts that hold no plaintext, and that can be read again.
class HexSecrets : public SecretsManager {
 public:
  std::string type() const override { return "hex"; }
  std::string state() const override { return "{}"; }
  Result<std::string> Encrypt(const std::string& plaintext) override {
    ++encryptions;
    return HexEncode(plaintext);
  }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    const auto plaintext = HexDecode(ciphertext);
    if (!plaintext) return Status(Code::kInvalidArgument, "not mine");
    return *plaintext;
  }

  int encryptions = 0;
};

// A display, and the file that is its screen.
class Screen {
 public:
  using Make = std::unique_ptr<EventConsumer> (*)(DisplayOptions);

  Screen(Make make, DisplayOptions options) : fd_(memfd_create("screen", MFD_CLOEXEC)) {
    options.fd = fd_;
    display_ = make(std::move(options));
  }
  ~Screen() { close(fd_); }
  Screen(const Screen&) = delete;

  // Redraws after each event, so that every state of the screen is written.
  void Show(const EngineEvent& event) {
    display_->Consume(event);
    display_->Pause();
    display_->Tick();
  }
  std::string Finish() {
    display_->Finish();
    std::string text(static_cast<size_t>(lseek(fd_, 0, SEEK_END)), ' ');
    REQUIRE(pread(fd_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    return text;
  }

 private:
  const int fd_;
  std::unique_ptr<EventConsumer> display_;
};

ShowOptions ShowAll() {
  ShowOptions show;
  show.sames = show.reads = show.replacement_steps = show.urns = show.full_output = true;
  show.config = show.policy_remediations = show.debug = true;
  return show;
}

class Watch : public scenarios::Onlooker, public EventSink {
 public:
  Watch() : masking_(std::make_shared<const Masking>(std::vector<std::string>(), false, &SecretsSeen())) {}

  SecretsManager& secrets() override { return secrets_; }
  EventSink* events() override { return this; }

  void BeginAct(const OperationOptions& operation) override {
    ++acts;
    log_.clear();
    DisplayOptions options;
    options.kind = operation.kind;
    options.preview = operation.preview;
    options.project = "shop";
    options.stack = "dev";
    options.show = ShowAll();
    options.masking = masking_;
    options.interruptions = [] { return 0; };
    screens_.clear();
    screens_.push_back(std::make_unique<Screen>(NewPlainProgress, options));
    screens_.push_back(std::make_unique<Screen>(NewTreeProgress, options));
    screens_.push_back(std::make_unique<Screen>(NewDiffDisplay, options));
    if (options.preview) screens_.push_back(std::make_unique<Screen>(NewMarkdownReport, options));
  }
  void Emit(const EngineEvent& event) override {
    log_ += EncodeEvent(event, 0, 0, *masking_) + "\n";
    for (const auto& screen : screens_) screen->Show(event);
  }
  void Written(const std::string& what, const std::string& text) override { Look(what, text); }
  void EndAct() override {
    Look("event log", log_);
    for (const auto& screen : screens_) Look("display", screen->Finish());
  }

  int sealed() const { return secrets_.encryptions; }
  int masked = 0;
  int acts = 0;
  std::string leak;  // the first one

 private:
  void Look(const std::string& where, const std::string& text) {
    if (text.find(kSecretMask) != text.npos) ++masked;
    const size_t at = text.find(kCanary);
    if (at == text.npos || !leak.empty()) return;
    leak = "act " + std::to_string(acts) + ", " + where + ": ..." + text.substr(at - std::min<size_t>(at, 300), 400);
  }

  const std::shared_ptr<const Masking> masking_;
  HexSecrets secrets_;
  std::string log_;
  std::vector<std::unique_ptr<Screen>> screens_;
};

struct Count {
  int plays = 0, acts = 0, sealed = 0, masked = 0;
};

void PlayWithCanaries(const std::string& name, const Scenario& scenario, Count* count) {
  for (const Grain grain : {Grain::kLeaves, Grain::kProperties}) {
    const Scenario secret = WithCanaries(scenario, grain);
    Watch watch;
    try {
      scenarios::Play(secret, 0, &watch);
    } catch (const std::exception& error) {  // a Mistake, or a value of the wrong kind
      FAIL_CHECK(name << ": " << error.what());
    }
    if (!watch.leak.empty()) {
      FAIL_CHECK(name << (grain == Grain::kLeaves ? ", each value" : ", each property") << "\n" << watch.leak);
    }
    ++count->plays;
    count->acts += watch.acts;
    count->sealed += watch.sealed();
    count->masked += watch.masked;
  }
}

TEST_CASE("no secret of a scenario is in events, on the display or in files", "[scenarios][canaries]") {
  const char* only = std::getenv("KINGPOST_SCENARIO");
  Count count;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() != ".yaml" || entry.path().filename() == "rows.yaml") continue;
    const std::string file = std::filesystem::relative(entry.path(), kFolder).string();
    if (only && file.find(only) == file.npos) continue;
    PlayWithCanaries(file, scenarios::LoadScenario(kFolder, file), &count);
  }
  INFO(count.plays << " plays, " << count.acts << " acts, " << count.sealed << " secrets written, in " << count.masked
                   << " texts masked");
  if (only) return;
  // Some canaries were sealed and masked, so the search was no empty one.
  CHECK(count.sealed > 5 * count.plays);
  CHECK(count.masked > count.plays);
}

TEST_CASE("no secret of a random program is in events, on the display or in files", "[scenarios][random][canaries]") {
  Count count;
  scenarios::ForEachSeed([&count](unsigned seed) {
    scenarios::Chance chance(seed);
    scenarios::Shape shape{2 + chance.Below(6), 0, true};
    const Json first = scenarios::RandomProgram(chance, shape);
    shape.change_one_in = 5;
    const Json second = scenarios::RandomProgram(chance, shape);
    const Scenario scenario = scenarios::MakeScenario(
        {scenarios::Act("up", first, scenarios::RandomFaults(chance, shape.size)),
         scenarios::Act("preview --save-plan", second), scenarios::Act("up", second), scenarios::Act("refresh", second),
         scenarios::Act("up --refresh", second), scenarios::Act("destroy", Json::array())});
    PlayWithCanaries("seed " + std::to_string(seed), scenario, &count);
  });
  CHECK(count.sealed > 10 * count.plays);
}

}  // namespace kingpost::canaries_test
