// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/config_files.h"

#include <fstream>
#include <sstream>

#include "base/os.h"
#include "base/trim.h"

namespace kingpost {

namespace {

// "[profile x]" of the one file is "[x]" of the other, and both may write [default].
std::string SectionName(const std::string& line, bool is_config) {
  const std::string inside = Trimmed(line.substr(1, line.find(']') - 1));
  const size_t blank = inside.find_first_of(" \t");
  if (blank != std::string::npos) return Trimmed(inside.substr(0, blank)) + " " + Trimmed(inside.substr(blank));
  if (is_config && inside != "default") return "other " + inside;
  return "profile " + inside;
}

// A "#" after a blank begins a comment, so that secrets may hold one.
std::string WithoutComment(std::string value) {
  for (const char* mark : {" #", " ;", "\t#", "\t;"}) value = value.substr(0, value.find(mark));
  return Trimmed(value);
}

class SectionReader {
 public:
  SectionReader(bool is_config, std::map<std::string, AwsSection>* sections)
      : is_config_(is_config), sections_(sections) {}

  void TakeLine(const std::string& line) {
    const std::string text = Trimmed(line);
    if (text.empty() || text.starts_with('#') || text.starts_with(';')) return;
    if (line.starts_with('[')) {
      section_ = &(*sections_)[SectionName(text, is_config_)];
      group_.clear();
      return;
    }
    const size_t equals = text.find('=');
    if (!section_ || equals == std::string::npos) return;
    const std::string name = Trimmed(text.substr(0, equals)), value = WithoutComment(text.substr(equals + 1));
    const bool indented = line[0] == ' ' || line[0] == '\t';
    if (!indented) group_ = value.empty() ? name + "." : "";
    (*section_)[indented ? group_ + name : name] = value;
  }

 private:
  const bool is_config_;
  std::map<std::string, AwsSection>* const sections_;
  AwsSection* section_ = nullptr;
  std::string group_;  // "s3." in what is indented below `s3 =`
};

void ReadSections(std::istream& in, bool is_config, std::map<std::string, AwsSection>* sections) {
  SectionReader reader(is_config, sections);
  for (std::string line; std::getline(in, line);) reader.TakeLine(line);
}

std::string FileNamed(const char* variable, const std::string& usual) {
  const std::string named = GetEnvironment(variable);
  return named.empty() ? HomeFile(usual) : named;
}

}  // namespace

std::string HomeFile(const std::string& path) { return UserHome() + "/" + path; }

std::string AwsProfileOfEnvironment() {
  for (const char* variable : {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"}) {
    const std::string profile = GetEnvironment(variable);
    if (!profile.empty()) return profile;
  }
  return "default";
}

AwsConfigFiles AwsConfigFiles::Read() {
  AwsConfigFiles files;
  std::ifstream config(FileNamed("AWS_CONFIG_FILE", ".aws/config"));
  ReadSections(config, true, &files.sections_);
  std::ifstream credentials(FileNamed("AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials"));
  ReadSections(credentials, false, &files.sections_);
  return files;
}

AwsConfigFiles AwsConfigFiles::Of(const std::string& config, const std::string& credentials) {
  AwsConfigFiles files;
  std::istringstream config_text(config), credentials_text(credentials);
  ReadSections(config_text, true, &files.sections_);
  ReadSections(credentials_text, false, &files.sections_);
  return files;
}

const AwsSection* AwsConfigFiles::Find(const std::string& section) const {
  const auto found = sections_.find(section);
  return found == sections_.end() ? nullptr : &found->second;
}

}  // namespace kingpost
