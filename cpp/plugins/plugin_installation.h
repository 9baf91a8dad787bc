// SPDX-License-Identifier: Apache-2.0
// A plugin on its way into the cache, in the reference's manner, so that both tools may install at the same time:
//
//   KIND-NAME-vVERSION/         the plugin; not to be used while there is
//   KIND-NAME-vVERSION.partial  the mark of an installation that has not ended
//   KIND-NAME-vVERSION.lock     locked (flock) by who installs; the file stays
//
// A process that died leaves a folder with its mark: the next installation starts over. Blocks; for worker
// threads, one at a time.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "plugins/plugin_download.h"
#include "plugins/plugin_source.h"

namespace kingpost {

class PluginInstallation {
 public:
  // Waits until nobody else installs this plugin. `spec` has a version.
  static Result<std::unique_ptr<PluginInstallation>> Begin(const PluginSpec& spec, const std::string& cache_folder,
                                                           bool reinstall, const std::atomic<bool>* cancelled);
  // Without Commit nothing is left behind. A failure of that is lost here: Abandon tells of it.
  ~PluginInstallation();
  PluginInstallation(const PluginInstallation&) = delete;

  // Another process was quicker, or the plugin was there before: there is nothing to do.
  bool is_complete() const { return complete_; }
  const std::string& folder() const { return folder_; }

  // The source of the folder's files: a downloaded archive, or a file or folder of the user.
  Status Unpack(const DownloadedArchive& archive, const DownloadContext& context);
  Status CopyFrom(const std::string& path);

  // From here on everybody sees the plugin.
  Status Commit();
  // Removes what there is. Answers why it was given up, and what could not be removed.
  Status Abandon(const Status& why);

 private:
  PluginInstallation(PluginSpec spec, std::string folder, int lock)
      : spec_(std::move(spec)), folder_(std::move(folder)), lock_(lock) {}
  Status Prepare(bool reinstall);
  Status CopyFile(const std::string& path);
  Status Discard() const;

  const PluginSpec spec_;
  const std::string folder_;
  const int lock_;
  bool complete_ = false;
  bool ended_ = false;  // nothing is left to be removed, or that has been tried
};

// "resource-aws-v6.1.0"
std::string PluginFolderName(const PluginSpec& spec);

}  // namespace kingpost
