// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/yaml_language.h"

#include "languages/yaml/component_provider.h"
#include "languages/yaml/program_run.h"

namespace kingpost::yaml {

namespace {

using LoadedPtr = std::shared_ptr<const LoadedProgram>;

class YamlProgram final : public EmbeddedProgram {
 public:
  explicit YamlProgram(LoadedProgram loaded) : loaded_(std::make_shared<const LoadedProgram>(std::move(loaded))) {}

  std::vector<RequiredPackage> RequiredPackages() const override {
    return RequiredPackagesOf(loaded_->program, loaded_->decls);
  }
  Task<RunResponse> Run(LanguageServices services, DeploymentInfo info) const override {
    return RunProgram(std::move(services), loaded_, std::move(info));
  }

 private:
  const LoadedPtr loaded_;
};

class YamlPlugin final : public EmbeddedPlugin {
 public:
  explicit YamlPlugin(LoadedProgram loaded) : loaded_(std::make_shared<const LoadedProgram>(std::move(loaded))) {}

  Result<ProviderPtr> Provide(LanguageServices services) const override {
    return NewComponentProvider(std::move(services), loaded_);
  }

 private:
  const LoadedPtr loaded_;
};

template <class Base, class Made>
Result<std::shared_ptr<const Base>> MadeOf(Result<LoadedProgram> loaded) {
  if (!loaded.ok()) return loaded.status();
  return std::shared_ptr<const Base>(std::make_shared<const Made>(std::move(*loaded)));
}

class YamlLanguage final : public EmbeddedLanguage {
 public:
  Result<EmbeddedProgramPtr> LoadProgram(const std::string& folder, const std::string& project_file) const override {
    return MadeOf<EmbeddedProgram, YamlProgram>(yaml::LoadProgram(folder, project_file));
  }
  Result<EmbeddedProgramPtr> LoadText(const std::string& name, std::string text,
                                      const std::string& folder) const override {
    return MadeOf<EmbeddedProgram, YamlProgram>(LoadProgramText(name, std::move(text), folder));
  }
  Result<std::shared_ptr<const EmbeddedPlugin>> LoadPlugin(const std::string& folder) const override {
    return MadeOf<EmbeddedPlugin, YamlPlugin>(yaml::LoadPlugin(folder));
  }
};

}  // namespace

EmbeddedLanguages AsEmbeddedLanguages() { return {{"yaml", std::make_shared<const YamlLanguage>()}}; }

}  // namespace kingpost::yaml
