// SPDX-License-Identifier: Apache-2.0
// Checks Pulumi.STACK.yaml: keys, paths, secrets, and comments that stay byte for byte.
#include "workspace/stack_config.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "support/temp_folder.h"

namespace kingpost::stack_config_test {

constexpr char kText[] = R"(# The settings of dev.
encryptionsalt: v1:AQIDBAUGBwg=:v1:x:y   # do not lose

config:
  # Where it runs.
  aws:region: us-west-2 # Oregon
  shop:port: 8080
  shop:on: true
  name: bare            # without a namespace
  shop:password:
    secure: aHVudGVy    # hidden
  shop:tree:
    list:
      - 1
      - secure: c2VjcmV0
    text: "true"
  shop:empty:
environment:
  - shared # kept
)";

struct Fixture {
  explicit Fixture(const std::string& text = kText) { Spit(path, text); }
  StackConfig Load() {
    auto config = StackConfig::Load(path, "shop");
    if (!config.ok()) FAIL(config.status().message());
    return std::move(*config);
  }
  TempFolder folder;
  std::string path = folder / "Pulumi.dev.yaml";
};

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST_CASE("settings of a stack are read with their shapes", "[workspace]") {
  Fixture fixture;
  const StackConfig config = fixture.Load();
  CHECK(config.encryption_salt() == "v1:AQIDBAUGBwg=:v1:x:y");
  CHECK(config.secrets_provider() == "");
  CHECK(config.HasSecrets());
  CHECK(config.empty_keys() == std::vector<std::string>{"shop:empty"});
  CHECK(**config.Get("name", false) == "bare");
  CHECK(**config.Get("shop:name", false) == "bare");
  CHECK(**config.Get("aws:region", false) == "us-west-2");
  CHECK(**config.Get("tree.list[0]", true) == 1);
  CHECK(**config.Get("shop:tree[\"text\"]", true) == "true");
  CHECK_FALSE(config.Get("tree.list[2]", true)->has_value());
  CHECK_FALSE(config.Get("tree.list", false)->has_value());
  CHECK_FALSE(config.Get("password.secure", true)->has_value());  // the inside of a secret is not a place
  CHECK_FALSE(config.Get("a:b:c", false).ok());

  const auto manager = *OpenSecretsManager("b64", "null", nullptr);
  const auto plain = *config.DecryptAll(manager.get());
  CHECK(plain.at("shop:port").value == "8080");
  CHECK_FALSE(plain.at("shop:port").object);
  CHECK(plain.at("shop:on").value == "true");
  CHECK(plain.at("shop:password").value == "hunter");
  CHECK(plain.at("shop:password").secret);
  CHECK(plain.at("shop:tree").value == R"({"list":[1,"secret"],"text":"true"})");
  CHECK(plain.at("shop:tree").secret);
  CHECK(plain.at("shop:tree").object);
  CHECK(plain.at("shop:empty").value == "");
  CHECK(FlattenConfig(config.config().at("shop:password")).value == "aHVudGVy");
  CHECK(FlattenConfig(config.config().at("shop:tree")).value == R"({"list":[1,{"secure":"c2VjcmV0"}],"text":"true"})");
  CHECK(config.DecryptAll(nullptr).status().message().find("configuration key 'shop:password'") == 0);
}

TEST_CASE("an edit of a setting keeps all other bytes", "[workspace]") {
  Fixture fixture;
  StackConfig config = fixture.Load();
  CHECK(config.Text() == kText);
  REQUIRE(config.Save().ok());
  CHECK(Slurp(fixture.path) == kText);

  SECTION("set") {
    REQUIRE(config.SetText("aws:region", "eu-west-1", false).ok());
    REQUIRE(config.Save().ok());
    CHECK(Slurp(fixture.path) == Replaced(kText, "us-west-2", "eu-west-1"));
  }
  SECTION("a number set without --path is a text") {
    REQUIRE(config.SetText("port", "9090", false).ok());
    REQUIRE(config.Save().ok());
    CHECK(Slurp(fixture.path) == Replaced(kText, "8080", "\"9090\""));
  }
  SECTION("a bare key keeps its spelling") {
    REQUIRE(config.SetText("shop:name", "new", false).ok());
    REQUIRE(config.Save().ok());
    CHECK(Slurp(fixture.path) == Replaced(kText, "name: bare", "name: new"));
  }
  SECTION("a new key goes to the end of config") {
    REQUIRE(config.SetSecret("token", "Y2lwaGVy", false).ok());
    REQUIRE(config.Save().ok());
    CHECK(Slurp(fixture.path) == Replaced(kText, "environment:", "  shop:token:\n    secure: Y2lwaGVy\nenvironment:"));
    CHECK(**config.Get("token", false) == SecureValue("Y2lwaGVy"));
  }
  SECTION("remove") {
    REQUIRE(config.Remove("password", false).ok());
    REQUIRE(config.Save().ok());
    CHECK(Slurp(fixture.path) == Replaced(kText, "  shop:password:\n    secure: aHVudGVy    # hidden\n", ""));
  }
  SECTION("set and remove by path") {
    REQUIRE(config.SetText("tree.list[0]", "2", true).ok());
    REQUIRE(config.SetText("tree.list[2]", "007", true).ok());
    REQUIRE(config.Remove("tree.text", true).ok());
    REQUIRE(config.Save().ok());
    const std::string after = Replaced(Replaced(kText, "- 1\n", "- 2\n"), "    text: \"true\"\n", "");
    CHECK(Slurp(fixture.path) == Replaced(after, "c2VjcmV0\n", "c2VjcmV0\n      - \"007\"\n"));
  }
  SECTION("the salt") {
    config.set_encryption_salt("v1:new:v1:a:b");
    REQUIRE(config.Save().ok());
    CHECK(Slurp(fixture.path) == Replaced(kText, "v1:AQIDBAUGBwg=:v1:x:y", "v1:new:v1:a:b"));
    config.set_encryption_salt("");
    config.set_secrets_provider("b64");
    REQUIRE(config.Save().ok());
    CHECK(fixture.Load().secrets_provider() == "b64");
    CHECK(fixture.Load().encryption_salt() == "");
  }
}

TEST_CASE("settings that could not be read again are not written", "[workspace]") {
  Fixture fixture;
  StackConfig config = fixture.Load();
  CHECK(config.SetText("shop:size", "\xff", false).message().find("not a text in UTF-8") != std::string::npos);
  CHECK(config.SetText("shop:k\xff", "v", false).ok());
  CHECK(config.Save().message().find("the change is not made") == 0);
  CHECK(Slurp(fixture.path) == kText);
}

TEST_CASE("values set by path are typed and structures are made", "[workspace]") {
  Fixture fixture("");
  StackConfig config = fixture.Load();
  CHECK(config.config().empty());
  REQUIRE(config.SetText("a.b", "12", true).ok());
  REQUIRE(config.SetText("a.c", "true", true).ok());
  REQUIRE(config.SetText("a.d", "1.5", true).ok());
  REQUIRE(config.SetText("a[\"x.y\"]", "-3", true).ok());
  REQUIRE(config.SetText("l[0]", "x", true).ok());
  REQUIRE(config.SetText("l[1].k", "18446744073709551615", true).ok());
  REQUIRE(config.SetText("top", "12", true).ok());  // nothing inside: a text
  REQUIRE(config.SetText("aws:region", "x", true).ok());
  CHECK(config.Text() ==
        "config:\n  aws:region: x\n  shop:a:\n    b: 12\n    c: true\n    d: \"1.5\"\n    x.y: -3\n  shop:l:\n    - x\n"
        "    - k: 18446744073709551615\n  shop:top: \"12\"\n");

  CHECK(config.SetText("l[5]", "x", true).message().find("array index 5 is out of range; the next free one is 2") !=
        std::string::npos);
  CHECK(config.SetText("l.k", "x", true).message().find("expected a map") != std::string::npos);
  CHECK(config.SetText("a[0]", "x", true).message().find("expected an array") != std::string::npos);
  CHECK(config.SetText("a.b.c", "x", true).message().find("expected a map") != std::string::npos);
  CHECK(config.SetText("s.secure", "x", true).message() == "maps with the single key \"secure\" are reserved");
  CHECK_FALSE(config.SetText("[0]", "x", true).ok());
  CHECK_FALSE(config.SetText("a.*", "x", true).ok());
  CHECK_FALSE(config.SetText("a[", "x", true).ok());
  REQUIRE(config.SetText("top.k", "x", true).ok());  // a plain value at the first level gives way
  CHECK(**config.Get("top.k", true) == "x");

  REQUIRE(config.SetText("m.secure", "1", true).ok());
  REQUIRE(config.SetText("m.other", "x", true).ok());
  REQUIRE(config.SetText("m.secure", "text", true).ok());
  CHECK(config.Remove("m.other", true).message() == "maps with the single key \"secure\" are reserved");
  REQUIRE(config.Remove("l[0]", true).ok());
  CHECK(config.Get("l[0].k", true)->has_value());
  CHECK(config.Remove("l[7].x", true).ok());
  CHECK(config.Remove("none", false).ok());
}

TEST_CASE("a missing settings file is created when it gets contents, and the last removed key leaves no empty map",
          "[workspace]") {
  TempFolder folder;
  const std::string path = folder / "stacks/Pulumi.dev.yaml";
  StackConfig config = *StackConfig::Load(path, "shop");
  REQUIRE(config.Save().ok());
  CHECK_FALSE(std::filesystem::exists(path));
  REQUIRE(config.SetText("k", "v", false).ok());
  config.set_encryption_salt("s");
  REQUIRE(config.Save().ok());
  CHECK(Slurp(path) == "encryptionsalt: s\nconfig:\n  shop:k: v\n");
  REQUIRE(config.Remove("k", false).ok());
  REQUIRE(config.Save().ok());
  CHECK(Slurp(path) == "encryptionsalt: s\n");
  config.set_encryption_salt("");
  REQUIRE(config.Save().ok());
  CHECK(Slurp(path) == "{}\n");
}

TEST_CASE("mistakes in settings name file and line", "[workspace]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"- x\n", "Pulumi.dev.yaml:1: the settings of a stack are a map"},
      {"a: 1\nconfig: x\n", "Pulumi.dev.yaml:2: 'config' must be a map of keys"},
      {"encryptionsalt: [x]\n", "Pulumi.dev.yaml:1: encryptionsalt must be a string"},
      {"config:\n  a:b: 1\n  a:b:c: 2\n", "Pulumi.dev.yaml:3: could not parse a:b:c as a configuration key"},
      {"config:\n  k: 1\n  shop:k: 2\n", "Pulumi.dev.yaml:3: the key 'shop:k' is set twice"},
      {"config:\n\t- x\n", "Pulumi.dev.yaml:"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text);
    Fixture fixture(text);
    const Status failed = StackConfig::Load(fixture.path, "shop").status();
    CHECK(failed.message().find(message) != std::string::npos);
    CHECK(failed.message().find('\n') == std::string::npos);
    CHECK(Slurp(fixture.path) == text);
  }
}

TEST_CASE("secrets are encrypted anew as a whole", "[workspace]") {
  Fixture fixture;
  StackConfig config = fixture.Load();
  const auto from = *OpenSecretsManager("b64", "null", nullptr);
  const auto to = *NewPassphraseManager(FixedPassphrase("p"));
  auto changed = ReencryptConfig(config.config(), from.get(), to.get());
  REQUIRE(changed.ok());
  config.set_config(*changed);
  REQUIRE(config.Save().ok());
  CHECK(fixture.Load().DecryptAll(to.get())->at("shop:tree").value == R"({"list":[1,"secret"],"text":"true"})");
  CHECK(Slurp(fixture.path).find("aHVudGVy") == std::string::npos);
  CHECK(Slurp(fixture.path).find("# hidden") != std::string::npos);

  const auto wrong = *OpenSecretsManager("passphrase", to->state(), FixedPassphrase("q"));
  CHECK(fixture.Load()
            .DecryptAll(wrong.get())
            .status()
            .message()
            .starts_with("incorrect passphrase; set PULUMI_CONFIG_PASSPHRASE"));
}

TEST_CASE("commands that change the settings at once lose no change", "[workspace]") {
  Fixture fixture;
  StackConfig first = fixture.Load(), second = fixture.Load(), third = fixture.Load();
  REQUIRE(first.SetText("one", "1", false).ok());
  REQUIRE(first.SetText("tree.list[0]", "7", true).ok());
  REQUIRE(second.SetText("two", "2", false).ok());
  REQUIRE(second.SetText("tree.text", "changed", true).ok());
  REQUIRE(second.Remove("on", false).ok());
  ConfigMap map = third.config();
  map.erase("shop:port");
  map["shop:three"] = "3";
  third.set_config(map);
  REQUIRE(first.Save().message() == "");
  REQUIRE(second.Save().message() == "");
  REQUIRE(third.Save().message() == "");
  const ConfigMap saved = fixture.Load().config();
  CHECK(saved.at("shop:one") == "1");
  CHECK(saved.at("shop:two") == "2");
  CHECK(saved.at("shop:three") == "3");
  CHECK(saved.at("shop:tree")["list"][0] == 7);
  CHECK(saved.at("shop:tree")["text"] == "changed");
  CHECK(saved.count("shop:on") == 0);
  CHECK(saved.count("shop:port") == 0);
  CHECK(saved.at("shop:password") == fixture.Load().config().at("shop:password"));
  CHECK(second.config() != third.config());
}

TEST_CASE("threads that change the settings at the same time lose nothing", "[workspace]") {
  Fixture fixture;
  std::vector<std::thread> threads;
  std::atomic<int> failed{0};
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      auto config = StackConfig::Load(fixture.path, "shop");
      const bool ok = config.ok() && config->SetText("k" + std::to_string(i), "v", false).ok() && config->Save().ok();
      failed += !ok;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failed == 0);
  const ConfigMap saved = fixture.Load().config();
  for (int i = 0; i < 16; ++i) CHECK(saved.count("shop:k" + std::to_string(i)) == 1);
}

TEST_CASE("the first of two new salts stays, and a changed salt is noticed", "[workspace]") {
  Fixture fresh("config: {}\n");
  StackConfig first = fresh.Load(), second = fresh.Load();
  first.set_encryption_salt("v1:first");
  second.set_encryption_salt("v1:second");
  REQUIRE(first.Save().ok());
  REQUIRE(second.Save().ok());
  CHECK(second.encryption_salt() == "v1:first");

  StackConfig secret = fresh.Load(), change = fresh.Load();
  REQUIRE(secret.SetSecret("password", "under-the-first", false).ok());
  change.set_encryption_salt("v1:changed");
  SECTION("another command changed the salt") {
    REQUIRE(change.Save().ok());
    CHECK(secret.Save().code() == Code::kAborted);
    CHECK(fresh.Load().config().empty());
  }
  SECTION("this command changed the salt while another added a secret under the former one") {
    REQUIRE(secret.Save().ok());
    CHECK(change.Save().code() == Code::kAborted);
    CHECK(fresh.Load().encryption_salt() == "v1:first");
  }
}

TEST_CASE("numbers in settings reach programs as written, and changed ones are listed", "[workspace]") {
  const std::string text =
      "config:\n  shop:account: 012345678912\n  shop:version: 1.10\n  shop:hex: 0x1F\n"
      "  shop:tree: {version: 1.10, codes: [0123]}\n";
  Fixture fixture(text);
  StackConfig config = fixture.Load();
  CHECK(**config.Get("account", false) == "012345678912");
  CHECK(**config.Get("version", false) == "1.10");
  CHECK(**config.Get("hex", false) == 31);
  CHECK(**config.Get("tree.codes[0]", true) == "0123");
  std::vector<std::string> changed;
  for (const ChangedNumber& number : config.changed_numbers()) {
    changed.push_back(number.pointer + " " + number.written + " " + number.read);
  }
  const std::vector<std::string> both = {"/config/shop:hex 0x1F 31", "/config/shop:tree/version 1.10 1.1"};
  CHECK(changed == both);

  REQUIRE(config.SetText("other", "x", false).ok());
  REQUIRE(config.Save().ok());
  CHECK(Slurp(fixture.path) == text + "  shop:other: x\n");  // what nobody changed stays, byte for byte
}

TEST_CASE("settings follow their stack to another project, and all else in the file stays", "[workspace]") {
  Fixture fixture(R"(# old: stays
config:
  "old:port": 8080  # old:port
  old:region: eu
  old:tree: {old:leaf: "old:text"}
  old:config:former: 1
  older:key: old:value
  bare: 2
)");
  CHECK(fixture.Load().TextInProject("old", "new") == R"(# old: stays
config:
  "new:port": 8080  # old:port
  new:region: eu
  new:tree: {old:leaf: "old:text"}
  new:config:former: 1
  older:key: old:value
  bare: 2
)");
  CHECK(Fixture("").Load().TextInProject("old", "new").empty());
}

}  // namespace kingpost::stack_config_test
