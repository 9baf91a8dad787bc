// SPDX-License-Identifier: Apache-2.0
// Checks the selected backend and stack: the reference's files, and which choice wins.
#include "workspace/selection.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/temp_folder.h"

namespace kingpost::selection_test {

// PULUMI_HOME in a folder of the test, no other choice in the environment.
struct Home {
  Home() {
    setenv("PULUMI_HOME", folder.path().c_str(), 1);
    unsetenv("PULUMI_BACKEND_URL");
    unsetenv("PULUMI_STACK");
    project.name = "shop";
    project.file = "/srv/shop/Pulumi.yaml";
  }
  ~Home() { unsetenv("PULUMI_HOME"); }
  TempFolder folder;
  Project project;
};

// SHA-1 of /srv/shop/Pulumi.yaml
constexpr char kFile[] = "workspaces/shop-0afcfe4cda3769433d61f279d29f7109103fe9ff-workspace.json";

TEST_CASE("the selected stack is kept per project and backend", "[workspace]") {
  Home home;
  CHECK(SelectionFile(home.project) == home.folder / kFile);
  CHECK(*SelectedStack(home.project, "file://~") == "");
  REQUIRE(SelectStack(home.project, "file://~", "organization/shop/dev").ok());
  CHECK(Slurp(home.folder / kFile) ==
        "{\n    \"stacks\": {\n        \"file://~\": \"organization/shop/dev\"\n    }\n}");
  CHECK(ModeOf(home.folder / kFile) == 0600);
  REQUIRE(SelectStack(home.project, "file:///b", "organization/shop/prod").ok());
  CHECK(*SelectedStack(home.project, "file://~") == "organization/shop/dev");
  CHECK(*SelectedStack(home.project, "file:///b") == "organization/shop/prod");
  CHECK(*SelectedStack(home.project, "file:///c") == "");
  setenv("PULUMI_STACK", "forced", 1);
  CHECK(*SelectedStack(home.project, "file://~") == "forced");
  unsetenv("PULUMI_STACK");
  REQUIRE(SelectStack(home.project, "file://~", "").ok());
  CHECK(*SelectedStack(home.project, "file://~") == "");
  REQUIRE(SelectStack(home.project, "file:///b", "").ok());
  CHECK_FALSE(std::filesystem::exists(home.folder / kFile));
}

TEST_CASE("a project that is reached by a link has one selection", "[workspace]") {
  Home home;
  const std::string real = home.folder / "real/Pulumi.yaml", link = home.folder / "linked/Pulumi.yaml";
  Spit(real, "name: shop\n");
  std::filesystem::create_directories(home.folder / "linked");
  std::filesystem::create_symlink(real, link);
  home.project.file = real;
  const std::string file = SelectionFile(home.project);
  REQUIRE(SelectStack(home.project, "file://~", "organization/shop/dev").ok());
  home.project.file = link;
  CHECK(SelectionFile(home.project) == file);
  CHECK(*SelectedStack(home.project, "file://~") == "organization/shop/dev");

  // A choice that was made while links were not followed holds until the next one.
  REQUIRE(std::filesystem::remove(file));
  Project unfollowed = home.project;
  unfollowed.file = home.folder / "gone/Pulumi.yaml";
  const std::string old = SelectionFile(unfollowed);
  Spit(old, "{\"stacks\": {\"file://~\": \"organization/shop/old\"}}");
  std::filesystem::create_directories(home.folder / "gone");
  std::filesystem::create_symlink(real, unfollowed.file);
  CHECK(*SelectedStack(unfollowed, "file://~") == "organization/shop/old");
  REQUIRE(SelectStack(unfollowed, "file:///b", "organization/shop/new").ok());
  CHECK_FALSE(std::filesystem::exists(old));
  CHECK(*SelectedStack(unfollowed, "file://~") == "organization/shop/old");
  CHECK(*SelectedStack(unfollowed, "file:///b") == "organization/shop/new");
}

TEST_CASE("an old selection file is read, and a broken one is refused with its path", "[workspace]") {
  Home home;
  Spit(home.folder / kFile, "{\"stack\":\"dev\"}");
  CHECK(*SelectedStack(home.project, "file://~") == "dev");
  Spit(home.folder / kFile, "{\"stacks\"");
  const Status broken = SelectedStack(home.project, "file://~").status();
  CHECK(broken.message().find(home.folder / kFile) == 0);
  CHECK_FALSE(SelectStack(home.project, "file://~", "dev").ok());
}

TEST_CASE("a login keeps the other accounts and what the reference has written besides", "[workspace]") {
  Home home;
  const std::string file = home.folder / "credentials.json";
  const auto theirs = nlohmann::json::parse(R"({
      "version": 2, "credentialHelper": "pass", "current": "https://api.pulumi.com",
      "accessTokens": {"https://api.pulumi.com": "t"},
      "accounts": {"https://api.pulumi.com": {"accessToken": "t", "username": "ada", "organizations": ["acme"]}}})");
  Spit(file, theirs.dump());
  REQUIRE(LogIn("file:///login").ok());
  auto expected = theirs;
  expected["current"] = "file:///login";
  expected["accessTokens"]["file:///login"] = "";
  expected["accounts"]["file:///login"] = {{"lastValidatedAt", "0001-01-01T00:00:00Z"}};
  CHECK(nlohmann::json::parse(Slurp(file)) == expected);

  REQUIRE(LogOut("file:///login").ok());
  expected = theirs;
  expected.erase("current");
  CHECK(nlohmann::json::parse(Slurp(file)) == expected);

  // A login at a backend that is known already changes nothing in its account.
  REQUIRE(LogIn("https://api.pulumi.com").ok());
  CHECK(nlohmann::json::parse(Slurp(file)) == theirs);
}

TEST_CASE("the environment, the project, then the login choose the backend", "[workspace]") {
  Home home;
  const Status none = ChosenBackend(nullptr).status();
  CHECK(none.code() == Code::kNotFound);
  CHECK(none.message().find("kingpost login") != std::string::npos);
  REQUIRE(LogIn("file:///login").ok());
  CHECK(*ChosenBackend(nullptr) == "file:///login");
  CHECK(*ChosenBackend(&home.project) == "file:///login");
  const auto credentials = nlohmann::json::parse(Slurp(home.folder / "credentials.json"));
  CHECK(credentials["current"] == "file:///login");
  CHECK(credentials["accessTokens"]["file:///login"] == "");
  CHECK(credentials["accounts"].contains("file:///login"));
  CHECK(ModeOf(home.folder / "credentials.json") == 0600);
  home.project.backend_url = "file:///project";
  CHECK(*ChosenBackend(&home.project) == "file:///project");
  setenv("PULUMI_BACKEND_URL", "file:///environment", 1);
  CHECK(*ChosenBackend(&home.project) == "file:///environment");
  unsetenv("PULUMI_BACKEND_URL");
  REQUIRE(LogOut("file:///another").ok());
  CHECK(*LoggedInTo() == "file:///login");
  REQUIRE(LogOut("file:///login").ok());
  CHECK(LoggedInTo()->empty());
  CHECK_FALSE(ChosenBackend(nullptr).ok());
  REQUIRE(LogIn("file:///login").ok());
  REQUIRE(LogOutOfAll().ok());
  CHECK(LoggedInTo()->empty());
}

}  // namespace kingpost::selection_test
