// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/yaml_language.h"

#include "languages/yaml/program_run.h"

namespace kingpost::yaml {

namespace {

// A program, or the components of a plugin.
class LoadedText final : public EmbeddedProgram, public EmbeddedPlugin {
 public:
  explicit LoadedText(LoadedProgram loaded) : loaded_(std::make_shared<const LoadedProgram>(std::move(loaded))) {}

  std::vector<RequiredPackage> RequiredPackages() const override {
    return RequiredPackagesOf(loaded_->program, loaded_->decls);
  }
  Task<RunResponse> Run(LanguageServices services, DeploymentInfo info) const override {
    return RunProgram(std::move(services), loaded_, std::move(info));
  }
  Result<ProviderPtr> Provide(LanguageServices services) const override {
    return NewComponentProvider(std::move(services), loaded_);
  }

 private:
  const std::shared_ptr<const LoadedProgram> loaded_;
};

template <class Role>
Result<std::shared_ptr<const Role>> In(Result<LoadedProgram> loaded) {
  if (!loaded.ok()) return loaded.status();
  return std::shared_ptr<const Role>(std::make_shared<const LoadedText>(std::move(*loaded)));
}

class YamlLanguage final : public EmbeddedLanguage {
 public:
  Result<EmbeddedProgramPtr> LoadProgram(const std::string& folder, const std::string& project_file) const override {
    return In<EmbeddedProgram>(yaml::LoadProgram(folder, project_file));
  }
  Result<EmbeddedProgramPtr> LoadText(const std::string& name, std::string text,
                                      const std::string& folder) const override {
    return In<EmbeddedProgram>(LoadProgramText(name, std::move(text), folder));
  }
  Result<std::shared_ptr<const EmbeddedPlugin>> LoadPlugin(const std::string& folder) const override {
    return In<EmbeddedPlugin>(yaml::LoadPlugin(folder));
  }
};

}  // namespace

EmbeddedLanguages AsEmbeddedLanguages() { return {{"yaml", std::make_shared<const YamlLanguage>()}}; }

}  // namespace kingpost::yaml
