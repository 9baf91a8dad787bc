// SPDX-License-Identifier: Apache-2.0
// Checks which installed Python packages a program can import, as far as they bring plugins.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "runtimes/package_scan.h"
#include "runtimes/python_site_packages.h"
#include "support/temp_folder.h"

namespace kingpost::python_package_scan_test {

namespace fs = std::filesystem;

constexpr char kSite[] = "venv/lib/python3.11/site-packages/";

class Environment {
 public:
  Environment() {
    Write("venv/pyvenv.cfg", "home = " + (folder_ / "python/bin") + "\ninclude-system-site-packages = false\n");
    Executable("venv/bin/python");
  }
  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((fs::path(folder_.path()) / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }
  void Executable(const std::string& path) {
    Write(path, "#!/bin/sh\n");
    fs::permissions(folder_ / path, fs::perms::owner_all);
  }
  void Package(const std::string& folder, const std::string& version) {
    Write(folder + "/pulumi-plugin.json", R"({"resource": true, "version": ")" + version + R"("})");
  }
  std::string Path(const std::string& path) const { return folder_ / path; }
  // "aws 1.0.0" of each, sorted.
  std::vector<std::string> Scan() const {
    const auto found = ScanPythonPackages({{"virtualenv", "venv"}}, folder_.path());
    REQUIRE(found.ok());
    std::vector<std::string> texts;
    for (const RequiredPackage& package : *found) texts.push_back(package.name + " " + package.version);
    std::sort(texts.begin(), texts.end());
    return texts;
  }

 private:
  TempFolder folder_;
};

using Texts = std::vector<std::string>;

TEST_CASE("packages with sources elsewhere are found through a .pth file") {
  Environment env;
  env.Write(std::string(kSite) + "_aws.pth", env.Path("packages/aws/src") + "\n");
  env.Package("packages/aws/src/pulumi_aws", "7.0.0");
  env.Write(std::string(kSite) + "more.pth",
            "# a comment\nimport pulumi_nothing\n../../../../relative\n\n/nowhere/at/all\n");
  env.Package("relative/pulumi_tls", "3.0.0");
  CHECK(env.Scan() == Texts{"aws 7.0.0", "tls 3.0.0"});
}

TEST_CASE("packages that setuptools' finder maps are found") {
  Environment env;
  env.Package("sdks/random/pulumi_random", "4.0.0");
  env.Package("sdks/gcp/pulumi_gcp", "8.0.0");
  env.Write(std::string(kSite) + "__editable___pulumi_random_4_0_0_finder.py",
            "import sys\n\nMAPPING: dict[str, str] = {'pulumi_random': '" + env.Path("sdks/random/pulumi_random") +
                "', 'pulumi_gcp': '" + env.Path("sdks/gcp/pulumi_gcp") +
                "'}\nNAMESPACES: dict[str, list[str]] = {'pulumi_none': ['" + env.Path("sdks") + "']}\n");
  CHECK(env.Scan() == Texts{"gcp 8.0.0", "random 4.0.0"});
}

TEST_CASE("an installed package hides one that a .pth file adds") {
  Environment env;
  env.Package(std::string(kSite) + "pulumi_random", "5.0.0");
  env.Write(std::string(kSite) + "_random.pth", env.Path("src") + "\n");
  env.Package("src/pulumi_random", "4.0.0");
  CHECK(env.Scan() == Texts{"random 5.0.0"});
}

TEST_CASE("the system's packages count where a virtual environment includes them") {
  Environment env;
  env.Executable("python/bin/python3.11");
  fs::create_symlink("python3.11", env.Path("python/bin/python3"));
  env.Package("python/lib/python3.11/site-packages/pulumi_zeal", "1.0.0");
  env.Package("python/lib/python3.11/site-packages/pulumi_random", "4.0.0");
  env.Package("python/lib/python3.9/site-packages/pulumi_old", "1.0.0");  // of another version of Python
  env.Package(std::string(kSite) + "pulumi_random", "5.0.0");
  CHECK(env.Scan() == Texts{"random 5.0.0"});
  env.Write("venv/pyvenv.cfg", "home = " + env.Path("python/bin") + "\ninclude-system-site-packages = true\n");
  const Texts found = env.Scan();
  for (const char* there : {"random 5.0.0", "zeal 1.0.0"}) {
    CHECK(std::find(found.begin(), found.end(), there) != found.end());
  }
  for (const char* hidden : {"random 4.0.0", "old 1.0.0"}) {
    CHECK(std::find(found.begin(), found.end(), hidden) == found.end());
  }
}

TEST_CASE("a script of pyenv stands for the Python that it chooses") {
  Environment env;
  const auto scan = [&](const std::string& folder) {
    const auto found = ScanPythonPackages({}, env.Path(folder));
    REQUIRE(found.ok());
    Texts texts;
    for (const RequiredPackage& package : *found) {
      if (package.name.starts_with("of-pyenv")) texts.push_back(package.name + " " + package.version);
    }
    return texts;
  };
  env.Executable("pyenv/shims/python3");
  env.Write("pyenv/version", "3.11.7\n");
  for (const std::string version : {"3.11", "3.9"}) {
    env.Executable("pyenv/versions/" + version + ".7/bin/python3");
    env.Package("pyenv/versions/" + version + ".7/lib/python" + version + "/site-packages/pulumi_of_pyenv",
                version + ".0");
  }
  env.Write("app/.python-version", "3.9.7\n");
  fs::create_directories(env.Path("app/deep"));
  fs::create_directories(env.Path("other"));
  setenv("PULUMI_PYTHON_CMD", env.Path("pyenv/shims/python3").c_str(), 1);
  CHECK(scan("app/deep") == Texts{"of-pyenv 3.9.0"});
  CHECK(scan("other") == Texts{"of-pyenv 3.11.0"});
  unsetenv("PULUMI_PYTHON_CMD");
}

TEST_CASE("direct_url.json names the sources of an editable installation") {
  Environment env;
  const auto describe = [&env](const std::string& package, const std::string& url, const std::string& info) {
    env.Write(std::string(kSite) + package + ".dist-info/direct_url.json",
              R"({"url": ")" + url + R"(", "dir_info": )" + info + "}");
  };
  describe("shop-1.0", "file:///srv/my%20shop", R"({"editable": true})");
  describe("copied-1.0", "file:///srv/copied", "{}");
  describe("fetched-1.0", "https://example.com/fetched.tar.gz", R"({"editable": true})");
  env.Write(std::string(kSite) + "odd-1.0.dist-info/direct_url.json", "[");
  Texts sources;
  for (const fs::path& site : SitePackagesOf(env.Path("venv/bin/python"), env.Path("app"))) {
    for (std::string& source : EditableSources(site)) sources.push_back(std::move(source));
  }
  CHECK(sources == Texts{"/srv/my shop"});
}

}  // namespace kingpost::python_package_scan_test
