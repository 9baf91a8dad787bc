// SPDX-License-Identifier: Apache-2.0
// See layout_upgrade.h.
#include "store/layout_upgrade.h"

#include "store/blob_store.h"
#include "store/file_store.h"

namespace kingpost {

namespace {

// FileStore and BlobStore lay their stacks out alike, and are asked alike.
template <class Store>
class UpgradeOf : public LayoutUpgrade {
 public:
  explicit UpgradeOf(const Store& store)
      : legacy_(store.InLayout(/*legacy=*/true)), projects_(store.InLayout(/*legacy=*/false)) {}

  StateStore& legacy() override { return *legacy_; }
  StateStore& projects() override { return *projects_; }
  Status DeclareProjects() override { return projects_->WriteMeta(); }

  Status Move(const StackName& from, const StackName& to, std::string_view bytes) override {
    const Result<StackDocument> there = projects_->Load(to);
    if (!there.ok()) return there.status();
    if (there->exists && there->bytes != bytes) {
      return {Code::kAlreadyExists, "a stack named " + to.str() + " already exists"};
    }
    return projects_->RenameFrom(*legacy_, from, to, bytes);
  }

 private:
  const std::unique_ptr<Store> legacy_, projects_;
};

}  // namespace

Result<std::unique_ptr<LayoutUpgrade>> LayoutUpgrade::Open(StateStore& store) {
  // A store that is newer than this version is left alone.
  if (Status there = store.CheckAccess(); !there.ok()) return there;
  if (const auto* files = dynamic_cast<const FileStore*>(&store)) {
    return std::unique_ptr<LayoutUpgrade>(std::make_unique<UpgradeOf<FileStore>>(*files));
  }
  if (const auto* objects = dynamic_cast<const BlobStore*>(&store)) {
    return std::unique_ptr<LayoutUpgrade>(std::make_unique<UpgradeOf<BlobStore>>(*objects));
  }
  return std::unique_ptr<LayoutUpgrade>();
}

}  // namespace kingpost
