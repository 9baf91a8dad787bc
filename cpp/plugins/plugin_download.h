// SPDX-License-Identifier: Apache-2.0
// Downloads the archive of a plugin: tries its sources, repeats what may succeed another time, verifies its checksum.
// Blocks; for worker threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "plugins/plugin_source.h"
#include "runtimes/progress_reporter.h"

namespace kingpost {

struct DownloadContext {
  SourceSettings sources;
  PluginPlatform platform = PluginPlatform::Here();
  std::string folder;                              // where the archive lies meanwhile, without a name
  const std::atomic<bool>* cancelled = nullptr;    // may be null
  ProgressSink on_progress;                        // may be null
  std::function<void(std::string text)> on_retry;  // may be null
};

// An open file without a name, gone with the last who holds it, whatever becomes of the process.
class AnonymousFile {
 public:
  static Result<std::shared_ptr<AnonymousFile>> Make(const std::string& folder);
  explicit AnonymousFile(int fd) : fd_(fd) {}
  ~AnonymousFile();
  AnonymousFile(const AnonymousFile&) = delete;

  int fd() const { return fd_; }
  Status Clear();
  Status Append(std::string_view bytes);

 private:
  const int fd_;
};

struct DownloadedArchive {
  std::shared_ptr<AnonymousFile> file;
  int64_t size = 0;
};

// `spec` has a version. Programs match "404 HTTP error fetching plugin from URL" and "invalid checksum, expected".
Result<DownloadedArchive> DownloadPlugin(const PluginSpec& spec, const DownloadContext& context);
Result<std::string> FetchLatestVersion(const PluginSpec& spec, const DownloadContext& context);

}  // namespace kingpost
