// SPDX-License-Identifier: Apache-2.0
// Checks which folders count as templates, and how the command fills in their files.
#include "workspace/template.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace kingpost::template_test {

const NewProject kShop = {"shop", "Sells: things", {}};

// The file of this path after a template with this one file and a plain Pulumi.yaml was filled in.
std::string Filled(const std::string& path, const std::string& content, const NewProject& project = kShop) {
  TemplateFiles files = {{path, content}};
  if (path != "Pulumi.yaml") files.push_back({"Pulumi.yaml", "name: ${PROJECT}\n"});
  const Result<ProjectTemplate> read = ReadTemplate("t", files);
  REQUIRE(read.ok());
  const Result<TemplateFiles> filled = Instantiate(*read, project);
  REQUIRE(filled.ok());
  return filled->front().path + "|" + filled->front().content;
}

TEST_CASE("names and descriptions take their places", "[workspace]") {
  CHECK(Filled("a.py", "# ${PROJECT}: ${DESCRIPTION} ${OTHER}\n") == "a.py|# shop: Sells: things ${OTHER}\n");
  CHECK(Filled("${PROJECT}.csproj", "x") == "shop.csproj|x");
  CHECK(Filled("values.yaml", "about: ${DESCRIPTION}\n") == "values.yaml|about: 'Sells: things'\n");
  CHECK(Filled("values.yaml", "n: ${PROJECT}\n", {"123", "", {}}) == "values.yaml|n: \"123\"\n");
  const std::string binary("\0${PROJECT}", 11);
  CHECK(Filled("logo.png", binary) == "logo.png|" + binary);
}

TEST_CASE("a description that names the project is not filled in again", "[workspace]") {
  CHECK(Filled("a.txt", "${DESCRIPTION}", {"shop", "${PROJECT} of ours", {}}) == "a.txt|${PROJECT} of ours");
}

TEST_CASE("Pulumi.yaml keeps its comments and loses its template section", "[workspace]") {
  const char* text =
      "name: ${PROJECT}\n"
      "description: ${DESCRIPTION}\n"
      "# of ${PROJECT}\n"
      "runtime:\n"
      "  name: python\n"
      "  options:\n"
      "    virtualenv: venv  # made by install\n"
      "template:\n"
      "  description: it\n"
      "  config:\n"
      "    aws:region:\n"
      "      default: eu\n";
  CHECK(Filled("Pulumi.yaml", text, {"shop", "Sells: things", {{"toolchain", "pip"}}}) ==
        "Pulumi.yaml|name: shop\n"
        "description: 'Sells: things'\n"
        "# of shop\n"
        "runtime:\n"
        "  name: python\n"
        "  options:\n"
        "    virtualenv: venv  # made by install\n"
        "    toolchain: pip\n");
  CHECK(Filled("Pulumi.yaml", "name: fixed\nruntime: go\n", {"mine", "", {{"binary", "x"}}}) ==
        "Pulumi.yaml|name: mine\nruntime:\n  name: go\n  options:\n    binary: x\n");
}

TEST_CASE("a template gives its quickstart, its name and its settings", "[workspace]") {
  const Result<ProjectTemplate> read = ReadTemplate("t", {{"Pulumi.yaml",
                                                           "name: ${PROJECT}\n"
                                                           "template:\n"
                                                           "  quickstart: Read this.\n"
                                                           "  config:\n"
                                                           "    size: {default: 3, description: how many}\n"
                                                           "    token: {secret: true}\n"}});
  REQUIRE(read.ok());
  CHECK(read->quickstart == "Read this.");
  CHECK(read->project_name == "${PROJECT}");
  REQUIRE(read->config.size() == 2);
  CHECK(read->config[0].key + "=" + read->config[0].default_value == "size=3");
  CHECK(read->config[0].description == "how many");
  CHECK_FALSE(read->config[0].secret);
  CHECK(read->config[1].key == "token");
  CHECK(read->config[1].secret);
}

TEST_CASE("a folder without a valid Pulumi.yaml is refused as a template", "[workspace]") {
  CHECK(ReadTemplate("t", {{"a.txt", ""}}).status().code() == Code::kNotFound);
  for (const char* text : {"runtime: go\n", "[]", "name: [\n", "name: {a: b}\n"}) {
    const Status status = ReadTemplate("t", {{"Pulumi.yaml", text}}).status();
    CHECK_FALSE(status.ok());
    CHECK(status.message().find("t/Pulumi.yaml") != std::string::npos);
  }
}

TEST_CASE("a folder's name becomes a valid name of a project", "[workspace]") {
  CHECK(ProjectNameFrom("my-site_2.0") == "my-site_2.0");
  CHECK(ProjectNameFrom("Käthes Haus") == "KthesHaus");
  CHECK(ProjectNameFrom("日本") == "project");
}

TEST_CASE("files are read from a folder and written to another", "[workspace]") {
  TempFolder folder;
  namespace fs = std::filesystem;
  fs::create_directories(folder / "from/.git/objects");
  fs::create_directories(folder / "from/bin");
  std::ofstream(folder / "from/.git/config") << "git's";
  std::ofstream(folder / "from/Pulumi.yaml") << "name: ${PROJECT}\n";
  std::ofstream(folder / "from/bin/run") << "#!/bin/sh\n";
  fs::permissions(folder / "from/bin/run", fs::perms::owner_all);
  const Result<TemplateFiles> files = LoadTemplateFiles(folder / "from");
  REQUIRE(files.ok());
  REQUIRE(files->size() == 2);

  const std::string to = folder / "to";
  fs::create_directories(to);
  CHECK(FindExistingFiles(*files, to).empty());
  REQUIRE(WriteTemplateFiles(*files, to, false).ok());
  CHECK((fs::status(to + "/bin/run").permissions() & fs::perms::owner_exec) != fs::perms::none);
  CHECK(FindExistingFiles(*files, to).size() == 2);

  std::ofstream(to + "/Pulumi.yaml") << "name: mine\n";
  CHECK_FALSE(WriteTemplateFiles(*files, to, false).ok());
  CHECK(fs::file_size(to + "/Pulumi.yaml") == 11);
  CHECK(WriteTemplateFiles(*files, to, true).ok());
  CHECK(fs::file_size(to + "/Pulumi.yaml") == 17);
}

TEST_CASE("a link in a template may name a file of the template, and leads nowhere else", "[workspace]") {
  TempFolder folder;
  namespace fs = std::filesystem;
  fs::create_directories(folder / "from/docs");
  std::ofstream(folder / "secret") << "hush";
  std::ofstream(folder / "from/docs/README.md") << "read me";
  fs::create_symlink("docs/README.md", folder / "from/README.md");
  const Result<TemplateFiles> files = LoadTemplateFiles(folder / "from");
  REQUIRE(files.ok());
  REQUIRE(files->size() == 2);
  CHECK((*files)[0].content == "read me");
  CHECK((*files)[1].content == "read me");

  for (const std::string& target : {folder / "secret", std::string("../secret"), std::string("docs/../../secret"),
                                    std::string(".."), std::string("../nothing"), std::string("/")}) {
    INFO(target);
    fs::create_symlink(target, folder / "from/out");
    const Result<TemplateFiles> refused = LoadTemplateFiles(folder / "from");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.status().message().find("its link out leads out of it") != std::string::npos);
    fs::remove(folder / "from/out");
  }
}

TEST_CASE("a template that would fill the memory is refused before it is read", "[workspace]") {
  TempFolder folder;
  std::filesystem::create_directories(folder / "from");
  std::ofstream(folder / "from/big");
  std::filesystem::resize_file(folder / "from/big", kTemplateSizeMax + 1);  // a hole
  CHECK(LoadTemplateFiles(folder / "from").status().message() ==
        "the template is refused: its files hold more than 256 MiB");
}

}  // namespace kingpost::template_test
