// SPDX-License-Identifier: Apache-2.0
// Go programs as the native host runs them. Shell scripts stand in for the compiler and for what it makes: the tests of
// real ones are tests/py/test_programs_go.py.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/loop.h"
#include "runtimes/native_language_host.h"
#include "runtimes/package_scan.h"
#include "support/temp_folder.h"
#include "wire/start_language_host.h"

namespace kingpost::go_program_test {

namespace fs = std::filesystem;

struct Fixture {
  const TempFolder temporary;
  const fs::path folder{temporary.path()};
  Loop loop;
  LanguageHostOptions options;
  std::string output;
  std::vector<std::string> progress;
  const std::string path = std::getenv("PATH");

  Fixture() {
    auto supervisor = ProcessSupervisor::Start();
    REQUIRE(supervisor.ok());
    options.project.file = folder / "Pulumi.yaml";
    options.project.name = "shop";
    options.project.runtime = "go";
    options.engine_address = "unix:///engine";
    options.supervisor = *supervisor;
    options.log = [this](Severity, std::string line, int) { output += line; };
    options.progress = [this](std::string message) { progress.push_back(std::move(message)); };
    setenv("PATH", ((folder / "bin").string() + ":" + path).c_str(), 1);
  }
  ~Fixture() { setenv("PATH", path.c_str(), 1); }

  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  void WriteScript(const std::string& name, const std::string& text) const {
    Write(name, "#!/bin/sh\n" + text + "\n");
    fs::permissions(folder / name, fs::perms::owner_all);
  }

  RunRequest Request() const {
    RunRequest request;
    request.info.project = "shop";
    request.info.stack = "dev";
    request.info.organization = "organization";
    request.info.parallel = 4;
    request.info.config = {{"shop:colour", "red"}};
    request.info.config_secret_keys = {"shop:colour"};
    request.monitor_address = "unix:///monitor";
    return request;
  }
  Result<RunResponse> Run() {
    auto run = [](Fixture* fixture) -> Task<Result<RunResponse>> {
      auto starting = StartLanguageHost(fixture->loop, fixture->options);
      auto host = co_await std::move(starting);
      if (!host.ok()) co_return host.status();
      auto running = (*host)->Run(fixture->Request());
      co_return co_await std::move(running);
    };
    return loop.RunUntilDone(run(this));
  }
  Result<std::vector<RequiredPackage>> RequiredPackages() {
    auto ask = [](Fixture* fixture) -> Task<Result<std::vector<RequiredPackage>>> {
      auto starting = StartLanguageHost(fixture->loop, fixture->options);
      auto host = co_await std::move(starting);
      if (!host.ok()) co_return host.status();
      auto asking = (*host)->GetRequiredPackages();
      co_return co_await std::move(asking);
    };
    return loop.RunUntilDone(ask(this));
  }
  bool Printed(const std::string& text) const { return output.find(text) != std::string::npos; }
};

// A compiler that "builds" main.go by copying it.
constexpr char kFakeGo[] = R"SH(
[ "$1" = build ] || exit 9
while [ "$1" != -o ]; do shift; done
echo "building in $(pwd)" >&2
cp main.go "$2" && chmod +x "$2"
)SH";

TEST_CASE("a Go program gets the data of its run in its environment") {
  Fixture fixture;
  fixture.options.project.runtime_options = nlohmann::json{{"binary", "shop"}};
  fixture.options.environment = {{"PULUMI_EXTRA", "more"}};
  fixture.WriteScript("shop", "env | grep ^PULUMI_; pwd; echo complaint >&2");
  auto response = fixture.Run();
  INFO(response.status().message());
  REQUIRE(response.ok());
  CHECK(response->error == "");
  CHECK_FALSE(response->bail);
  INFO(fixture.output);
  for (const char* line :
       {"PULUMI_ORGANIZATION=organization\n", "PULUMI_PROJECT=shop\n", "PULUMI_STACK=dev\n", "PULUMI_DRY_RUN=false\n",
        "PULUMI_CONFIG={\"shop:colour\":\"red\"}\n", "PULUMI_CONFIG_SECRET_KEYS=[\"shop:colour\"]\n",
        "PULUMI_PARALLEL=4\n", "PULUMI_MONITOR=unix:///monitor\n", "PULUMI_ENGINE=unix:///engine\n",
        "PULUMI_EXTRA=more\n", "complaint\n"}) {
    CHECK(fixture.Printed(line));
  }
  CHECK(fixture.Printed("PULUMI_ROOT_DIRECTORY=" + fixture.folder.string() + "\n"));
  CHECK(fixture.Printed(fixture.folder.string() + "\n"));
  CHECK(fixture.progress.empty());
}

TEST_CASE("the end of a Go program is read from its exit code") {
  Fixture fixture;
  fixture.options.project.runtime_options = nlohmann::json{{"binary", "./shop"}};
  fixture.WriteScript("shop", "exit 32");
  CHECK(fixture.Run()->bail);
  fixture.WriteScript("shop", "exit 3");
  CHECK(fixture.Run()->error == "program exited with non-zero exit code: 3");
  fixture.WriteScript("shop", "kill -9 $$");
  CHECK(fixture.Run()->error == "program exited unexpectedly: signal: Killed");
}

TEST_CASE("a Go program that go cannot list is built before it runs, and is not left behind") {
  Fixture fixture;
  fixture.WriteScript("bin/go", kFakeGo);
  fixture.options.project.main = "program/";
  fixture.Write("program/main.go", "#!/bin/sh\necho \"I am $0\"\n");
  auto response = fixture.Run();
  INFO(response.status().message());
  REQUIRE(response.ok());
  CHECK(response->error == "");
  CHECK(fixture.Printed("building in " + (fixture.folder / "program").string() + "\n"));
  const size_t begin = fixture.output.find("I am ");
  REQUIRE(begin != std::string::npos);
  const std::string built = fixture.output.substr(begin + 5, fixture.output.find('\n', begin) - begin - 5);
  CHECK_FALSE(fs::exists(built));
  CHECK(fixture.progress == std::vector<std::string>{"Compiling the program ...", "Finished compiling"});

  fixture.options.project.runtime_options = nlohmann::json{{"buildTarget", "out"}};
  REQUIRE(fixture.Run().ok());
  CHECK(fs::exists(fixture.folder / "program" / "out"));
}

TEST_CASE("each reason that keeps a Go program from being built is reported") {
  Fixture fixture;
  auto message = [&] { return fixture.Run().status().message(); };
  CHECK(message().find("Failed to find go files for 'go build' matching") != std::string::npos);
  fixture.Write("main.go", "package main\n");
  fixture.WriteScript("bin/go", "echo main.go:1: nonsense >&2; exit 1");
  CHECK(message() == "error in compiling Go: unable to run `go build`: exit status 1");
  CHECK(fixture.Printed("main.go:1: nonsense\n"));
  fixture.WriteScript("bin/go", "exit 0");
  CHECK(message().find("does your program have a 'main' package?") != std::string::npos);
  setenv("PATH", (fixture.folder / "nothing").c_str(), 1);
  CHECK(message().find("unable to find 'go' executable: install Go") != std::string::npos);
  fixture.options.project.runtime_options = nlohmann::json{{"binary", "absent"}};
  CHECK(message().find("unable to find 'absent' executable") != std::string::npos);
  fixture.options.project.runtime_options = nlohmann::json{{"binary", "a"}, {"buildTarget", "b"}};
  CHECK(message().find("binary and buildTarget cannot both be specified") != std::string::npos);
  fixture.options.project.runtime_options = nlohmann::json{{"binary", 5}};
  CHECK(message().find("binary option must be a string") != std::string::npos);
}

TEST_CASE("the modules of go.mod are listed, downloaded if need be, and asked for their packages") {
  Fixture fixture;
  fixture.Write("cache/paint/pulumi-plugin.json", R"({"resource": true})");
  fixture.Write("go.mod", "module shop\n");
  fixture.WriteScript("bin/go", R"(
folder=')" + fixture.folder.string() +
                                    R"('
echo "$*" >> "$folder/asked"
case "$*" in
  'list -m -f {{.GoMod}}') [ "$GOWORK" = off ] && echo "$folder/go.mod" ;;
  "mod edit -json $folder/go.mod") echo '{"Require": [{"Path": "h/o/pulumi-paint/sdk"}, {"Path": "h/o/plain"}]}' ;;
  'mod download h/o/pulumi-paint/sdk') touch "$folder/downloaded" ;;
  'list -m -f '*' h/o/pulumi-paint/sdk h/o/plain')
    [ -e "$folder/downloaded" ] && paint="$folder/cache/paint"
    printf 'h/o/pulumi-paint/sdk\tv1.2.3\t%s\nh/o/plain\tv1.0.0\t%s\n' "$paint" "$folder" ;;
  *) exit 9 ;;
esac
)");
  auto packages = fixture.RequiredPackages();
  REQUIRE(packages.ok());
  REQUIRE(packages->size() == 1);
  CHECK((*packages)[0].name == "paint");
  CHECK((*packages)[0].version == "1.2.3");

  fs::remove(fixture.folder / "downloaded");
  fixture.Write("vendor/h/o/pulumi-paint/sdk/pulumi-plugin.json", R"({"resource": true, "version": "7.0.0"})");
  packages = fixture.RequiredPackages();
  REQUIRE(packages->size() == 1);
  CHECK((*packages)[0].version == "7.0.0");
  CHECK_FALSE(fs::exists(fixture.folder / "downloaded"));

  fixture.WriteScript("bin/go", "exit 1");
  packages = fixture.RequiredPackages();
  REQUIRE(packages.ok());
  CHECK(packages->empty());
}

TEST_CASE("modules that a workspace has copied are found beside its go.work") {
  Fixture fixture;
  fixture.Write("app/go.mod", "module shop\n");
  fixture.Write("go.work", "use ./app\n");
  fixture.Write("vendor/h/o/pulumi-paint/sdk/pulumi-plugin.json", R"({"resource": true})");
  fixture.WriteScript("bin/go", R"(
folder=')" + fixture.folder.string() +
                                    R"('
case "$*" in
  'list -m -f {{.GoMod}}') echo "$folder/app/go.mod" ;;
  "mod edit -json $folder/app/go.mod") echo '{"Require": [{"Path": "h/o/pulumi-paint/sdk"}]}' ;;
  'list -m -f '*) printf 'h/o/pulumi-paint/sdk\tv1.2.3\t\n' ;;
  *) exit 9 ;;
esac
)");
  auto packages = fixture.RequiredPackages();
  REQUIRE(packages.ok());
  REQUIRE(packages->size() == 1);
  CHECK((*packages)[0].name == "paint");
  CHECK((*packages)[0].version == "1.2.3");
}

TEST_CASE("a Go module's package is where its description is, at the release before its commit") {
  Fixture fixture;
  const std::string resource = R"({"resource": true})";
  auto scan = [&](const std::string& file, const std::string& text, const std::string& version) {
    fs::remove_all(fixture.folder / "module");
    fixture.Write("module/" + file, text);
    auto found = ScanGoPackages({{"github.com/pulumi/pulumi-aws/sdk/v6", version, fixture.folder / "module"}});
    return found.empty() ? std::string("none") : found[0].name + " " + found[0].version;
  };
  CHECK(scan("pulumi-plugin.json", resource, "v6.1.0") == "aws 6.1.0");
  CHECK(scan("go/pulumi-plugin.json", resource, "v6.1.0") == "aws 6.1.0");
  CHECK(scan("go/aws/pulumi-plugin.json", resource, "v6.1.0") == "aws 6.1.0");
  CHECK(scan("aws/pulumi-plugin.json", resource, "v6.1.0") == "aws 6.1.0");
  CHECK(scan("deep/down/pulumi-plugin.json", resource, "v6.1.0") == "none");
  CHECK(scan("pulumi-plugin.json", R"({"resource": true, "name": "base", "version": "v2.0.0"})", "v6.1.0") ==
        "base 2.0.0");
  CHECK(scan("pulumi-plugin.json", R"({"resource": false, "name": "base"})", "v6.1.0") == "none");
  CHECK(scan("pulumi-plugin.json", "{", "v6.1.0") == "none");
  CHECK(scan("pulumi-plugin.json", resource, "v1.29.1-0.20200403140640-efb5e2a48a86") == "aws 1.29.0");
  CHECK(scan("pulumi-plugin.json", resource, "v1.0.0-beta.2") == "aws 1.0.0-beta.2");
  CHECK(scan("pulumi-plugin.json", resource, "v0.0.0-20200403140640-efb5e2a48a86") == "none");
  CHECK(scan("pulumi-plugin.json", resource, "") == "none");
}

}  // namespace kingpost::go_program_test
