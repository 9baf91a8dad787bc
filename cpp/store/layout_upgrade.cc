// SPDX-License-Identifier: Apache-2.0
// See layout_upgrade.h.
#include "store/layout_upgrade.h"

namespace kingpost {

LayoutUpgrade::LayoutUpgrade(const std::string& root, const std::string& url, const FileStoreOptions& options)
    : legacy_(std::make_unique<FileStore>(StoreLayout::Of(root, /*legacy=*/true), url, options)),
      projects_(std::make_unique<FileStore>(StoreLayout::Of(root, /*legacy=*/false), url, options)) {}

Result<std::unique_ptr<LayoutUpgrade>> LayoutUpgrade::Open(const std::string& url) {
  const std::string root = FolderOfFileUrl(url);
  if (root.empty()) return std::unique_ptr<LayoutUpgrade>();
  const Result<FileStoreOptions> options = FileStoreOptionsFromEnvironment();
  if (!options.ok()) return options.status();
  return std::unique_ptr<LayoutUpgrade>(new LayoutUpgrade(root, url, *options));
}

Status LayoutUpgrade::Move(const std::string& name, const std::string& project, std::string_view bytes) {
  const StackName from{kDiyOrganization, "", name};
  const StackName to{kDiyOrganization, project, name};
  return projects_->RenameFrom(*legacy_, from, to, bytes);
}

}  // namespace kingpost
