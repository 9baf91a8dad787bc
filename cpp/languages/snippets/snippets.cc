// SPDX-License-Identifier: Apache-2.0
#include "languages/snippets/snippets.h"

#include "languages/pcl/snippet.h"
#include "languages/snippets/snippet_run.h"

namespace kingpost::snippets {

namespace {

class SnippetSource : public RegistrationSource {
 public:
  SnippetSource(pcl::Snippet snippet, std::shared_ptr<PackageSchemas> schemas, std::string folder)
      : snippet_(std::move(snippet)), schemas_(std::move(schemas)), folder_(std::move(folder)) {}

  Task<Status> Run(Monitor& monitor, WaitFor wait_for) override {
    SnippetRun run({monitor, std::move(wait_for), *schemas_, folder_}, snippet_);
    co_return co_await run.Run();
  }

 private:
  const pcl::Snippet snippet_;
  const std::shared_ptr<PackageSchemas> schemas_;  // of all snippets of the run
  const std::string folder_;
};

}  // namespace

Result<RegistrationSources> FindSnippets(Loop& loop, const Operation& operation) {
  auto snippets = pcl::ParseSnippets(operation.base->snippets_json);
  if (!snippets.ok()) return snippets.status();
  const auto schemas = std::make_shared<PackageSchemas>(loop, *operation.host);
  RegistrationSources sources;
  for (pcl::Snippet& snippet : *snippets) {
    sources.push_back(std::make_unique<SnippetSource>(std::move(snippet), schemas, operation.project_root));
  }
  return sources;
}

}  // namespace kingpost::snippets
