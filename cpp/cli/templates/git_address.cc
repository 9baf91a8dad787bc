// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/git_address.h"

#include <algorithm>
#include <cctype>

#include "remote/http/http_client.h"

namespace kingpost {

namespace {

constexpr char kSuffix[] = ".git";
constexpr size_t kCommitDigits = 40;

std::vector<std::string> PartsOf(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string Joined(const std::vector<std::string>& parts, size_t from) {
  std::string path;
  for (size_t i = from; i < parts.size(); ++i) path += (path.empty() ? "" : "/") + parts[i];
  return path;
}

bool LeadsUpwards(const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part == "." || part == ".."; });
}

// "git@github.com:acme/web" becomes "ssh://git@github.com/acme/web".
std::string WithScheme(const std::string& text) {
  if (text.find("://") != std::string::npos) return text;
  const size_t at = text.find('@'), colon = text.find(':');
  const bool is_short = at != std::string::npos && colon != std::string::npos && at < colon && text.find('/') > at;
  return is_short ? "ssh://" + text.substr(0, colon) + "/" + text.substr(colon + 1) : text;
}

bool IsCommit(const std::string& text) {
  return text.size() == kCommitDigits &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace

std::optional<GitAddress> ParseGitAddress(const std::string& text) {
  const std::string address = WithScheme(text);
  const size_t scheme_end = address.find("://");
  if (!address.starts_with("https://") && !address.starts_with("ssh://")) return std::nullopt;
  const size_t path_begin = address.find('/', scheme_end + 3);
  if (path_begin == std::string::npos) return std::nullopt;
  const std::string base = address.substr(0, path_begin + 1);
  const std::string host = HostOfUrl(address);
  const std::string path = address.substr(path_begin + 1);
  const std::vector<std::string> parts = PartsOf(path);
  if (parts.size() < 2 || LeadsUpwards(parts)) return std::nullopt;
  if (host == "dev.azure.com") return GitAddress{address, ""};
  if (host == "gist.github.com") {  // OWNER/ID
    return GitAddress{base + parts[1] + (parts[1].ends_with(kSuffix) ? "" : kSuffix), ""};
  }
  // A repository below several groups is told apart from a folder in it by its ".git".
  for (size_t i = parts.size(); i-- > 0;) {
    if (!parts[i].ends_with(kSuffix)) continue;
    return GitAddress{base + Joined({parts.begin(), parts.begin() + static_cast<long>(i) + 1}, 0),
                      Joined(parts, i + 1)};
  }
  return GitAddress{base + parts[0] + "/" + parts[1] + kSuffix, Joined(parts, 2)};
}

std::optional<GitFolder> SplitRefAndFolder(const std::string& inside, const std::vector<std::string>& refs) {
  const std::vector<std::string> parts = PartsOf(inside);
  if (parts.empty() || parts[0] != "tree") return GitFolder{"", inside};
  if (parts.size() < 2) return std::nullopt;
  if (IsCommit(parts[1])) return GitFolder{parts[1], Joined(parts, 2)};
  const std::string wanted = Joined(parts, 1) + "/";
  std::optional<GitFolder> best;
  for (const std::string& ref : refs) {
    if (!wanted.starts_with(ref + "/") || (best && best->ref.size() >= ref.size())) continue;
    best = GitFolder{ref, Joined(PartsOf(wanted.substr(ref.size() + 1)), 0)};
  }
  return best;
}

}  // namespace kingpost
