// SPDX-License-Identifier: Apache-2.0
// From the URL of a backend to the store behind it.
#include <filesystem>

#include "base/os.h"
#include "remote/blob/postgres_bucket.h"
#include "remote/cloud/open_bucket.h"
#include "store/blob_store.h"
#include "store/file_store.h"

namespace kingpost {
namespace {

constexpr char kFilePrefix[] = "file://";

std::string PercentDecode(const std::string& text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) &&
        std::isxdigit(static_cast<unsigned char>(text[i + 2]))) {
      decoded += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

}  // namespace

// Options after ? are the other tool's business.
std::string FolderOfFileUrl(const std::string& url) {
  if (!url.starts_with(kFilePrefix)) return "";
  std::string path = url.substr(sizeof kFilePrefix - 1);
  path = PercentDecode(path.substr(0, path.find('?')));
  if (path == "~") path = UserHome();
  if (path.starts_with("~/")) path = UserHome() + path.substr(1);
  const std::filesystem::path absolute = std::filesystem::absolute(path.empty() ? "." : path).lexically_normal();
  std::string text = absolute.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

Result<std::unique_ptr<StateStore>> OpenStore(const std::string& url) {
  if (url == "memory" || url.starts_with("mem://")) return NewMemoryStore();
  if (url.starts_with(kFilePrefix)) {
    Result<FileStoreOptions> options = FileStoreOptionsFromEnvironment();
    if (!options.ok()) return options.status();
    return FileStore::Open(FolderOfFileUrl(url), url, std::move(*options));
  }
  if (url.starts_with("postgres://")) {
    Result<std::shared_ptr<BlobBucket>> bucket = PostgresBucket::Open(url);
    return bucket.ok() ? OpenBlobStore(*std::move(bucket), url) : bucket.status();
  }
  if (IsCloudBucketUrl(url)) {
    Result<std::shared_ptr<BlobBucket>> bucket = OpenCloudBucket(url);
    return bucket.ok() ? OpenBlobStore(*std::move(bucket), url) : bucket.status();
  }
  constexpr char kRemedy[] =
      "; choose another with PULUMI_BACKEND_URL (file://PATH, postgres://, s3://, gs://, azblob://), and bring stacks "
      "over with 'stack export' and 'stack import'";
  for (const char* scheme : {"https://", "http://"}) {
    if (!url.starts_with(scheme)) continue;
    // Without what stands before @, which may be a password.
    return Status(Code::kUnimplemented,
                  "the backend " + std::string(scheme) + "... is not supported by this version" + kRemedy);
  }
  return Status(
      Code::kInvalidArgument,
      "the backend URL has no known scheme; expected file://PATH, postgres://, s3://, gs://, azblob:// or mem://");
}

}  // namespace kingpost
