// SPDX-License-Identifier: Apache-2.0
// Checks where templates come from: addresses of repositories, archives, and the command itself.
#include <catch2/catch.hpp>
#include <set>

#include "cli/templates/builtin.h"
#include "cli/templates/git_address.h"
#include "cli/templates/template_source.h"

namespace kingpost::templates_test {

std::string Parsed(const std::string& text) {
  const std::optional<GitAddress> address = ParseGitAddress(text);
  return address ? address->url + "|" + address->inside : "none";
}

TEST_CASE("an address of a repository is split into its URL and a folder", "[cli]") {
  CHECK(Parsed("https://github.com/acme/web") == "https://github.com/acme/web.git|");
  CHECK(Parsed("https://github.com/acme/web/") == "https://github.com/acme/web.git|");
  CHECK(Parsed("https://github.com/acme/web.git/sub/folder") == "https://github.com/acme/web.git|sub/folder");
  CHECK(Parsed("https://github.com/acme/web/tree/main/sub") == "https://github.com/acme/web.git|tree/main/sub");
  CHECK(Parsed("https://gitlab.com/group/below/web.git/sub") == "https://gitlab.com/group/below/web.git|sub");
  CHECK(Parsed("https://me:token@host/acme/web") == "https://me:token@host/acme/web.git|");
  CHECK(Parsed("git@github.com:acme/web.git") == "ssh://git@github.com/acme/web.git|");
  CHECK(Parsed("ssh://git@host:22/acme/web") == "ssh://git@host:22/acme/web.git|");
  CHECK(Parsed("https://gist.github.com/me/0123abcd") == "https://gist.github.com/0123abcd.git|");
  CHECK(Parsed("https://dev.azure.com/o/p/_git/r") == "https://dev.azure.com/o/p/_git/r|");
  for (const char* text : {"python", "./folder", "a/b", "https://github.com", "https://github.com/acme", "http://h/a/b",
                           "https://h/a/b/../c", "file:///tmp/x", "user@host", "C:/x/y"}) {
    CAPTURE(text);
    CHECK(Parsed(text) == "none");
  }
}

std::string Split(const std::string& inside) {
  const auto found = SplitRefAndFolder(inside, {"main", "release", "release/1", "v1"});
  return found ? found->ref + "|" + found->folder : "none";
}

TEST_CASE("a path below tree/ is split into a branch, tag or commit and a folder", "[cli]") {
  CHECK(Split("") == "|");
  CHECK(Split("sub/folder") == "|sub/folder");
  CHECK(Split("tree/main") == "main|");
  CHECK(Split("tree/main/sub/folder") == "main|sub/folder");
  CHECK(Split("tree/release/1/sub") == "release/1|sub");
  CHECK(Split("tree/release/2") == "release|2");
  CHECK(Split("tree/mainly") == "none");
  CHECK(Split("tree") == "none");
  const std::string commit(40, 'a');
  CHECK(Split("tree/" + commit + "/sub") == commit + "|sub");
}

TEST_CASE("every template in the command can be read and filled in", "[cli]") {
  std::set<std::string> folders;
  for (const BuiltinFile& file : BuiltinFiles()) folders.insert(file.path.substr(0, file.path.find('/')));
  const std::vector<ProjectTemplate> templates = BuiltinTemplates(TemplateKind::kProject);
  CHECK(templates.size() == folders.size());
  CHECK(templates.size() > 10);
  for (const ProjectTemplate& known : templates) {
    CAPTURE(known.name);
    CHECK_FALSE(known.description.empty());
    CHECK(Instantiate(known, {"a", "b", {}}).ok());
  }
}

TEST_CASE("an archive holds one template, or several in folders", "[cli]") {
  const TemplateFile manifest{"Pulumi.yaml", "name: x\n"}, web{"web/Pulumi.yaml", "name: x\n"},
      job{"job/Pulumi.yaml", "name: x\n"}, readme{"README.md", ""};
  const auto names = [](const TemplateFiles& files) {
    const auto found = TemplatesAmong("a.zip", files, TemplateKind::kProject);
    if (!found.ok()) return found.status().message();
    std::string text;
    for (const ProjectTemplate& one : *found) text += one.name + ":" + std::to_string(one.files.size()) + " ";
    return text;
  };
  CHECK(names({manifest, web, readme}) == "a.zip:3 ");
  CHECK(names({web, readme}) == "web:1 ");
  CHECK(names({web, job}) == "job:1 web:1 ");
  CHECK(names({readme}) == "'a.zip' has no Pulumi.yaml: it is no template");
}

}  // namespace kingpost::templates_test
