// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_launch.h"

#include <filesystem>
#include <optional>
#include <sstream>

#include "base/encoding.h"
#include "base/json_access.h"
#include "base/os.h"
#include "model/dynamic_provider.h"
#include "model/version_range.h"
#include "plugins/plugin_bridge.h"
#include "processes/plugin_environment.h"
#include "runtimes/accelerators.h"
#include "runtimes/node_compile_cache.h"
#include "runtimes/python_dynamic_provider.h"
#include "workspace/yaml_node.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

Result<nlohmann::json> ReadYaml(const fs::path& path) {
  auto text = ReadWholeFile(path.string());
  if (!text.ok()) return text.status();
  auto document = YamlDocument::Parse(path.string(), std::move(*text));
  if (!document.ok()) return document.status();
  if (document->json().is_null()) return nlohmann::json::object();  // an empty file
  if (!document->json().is_object())
    return Status(Code::kInvalidArgument, path.string() + ": is not a map; write keys such as \"runtime: python\"");
  return document->json();
}

std::string TextOf(const nlohmann::json& json, const char* key) {
  auto found = json.find(key);
  if (found == json.end() || found->is_null()) return "";
  return found->is_string() ? TextIn(*found) : found->dump();
}

// `runtime: python`, or `runtime: {name: python, options: {...}}`.
Status ReadRuntime(const nlohmann::json& description, std::string* name, RuntimeOptions* options) {
  auto runtime = description.find("runtime");
  if (runtime == description.end() || runtime->is_null()) {
    return Status(Code::kInvalidArgument, "project is missing a 'runtime' attribute");
  }
  if (runtime->is_string()) {
    *name = TextIn(*runtime);
    return Status::Ok();
  }
  if (!runtime->is_object()) {
    return Status(Code::kInvalidArgument,
                  "invalid YAML file: runtime section must be a string or an object with name and options attributes");
  }
  *name = TextOf(*runtime, "name");
  auto given = runtime->find("options");
  if (given == runtime->end() || !given->is_object()) return Status::Ok();
  for (auto it = given->begin(); it != given->end(); ++it) {
    (*options)[it.key()] = it->is_string() ? TextIn(*it) : it->dump();
  }
  return Status::Ok();
}

// The name in the [project] table of a pyproject.toml.
Result<std::string> PythonDistribution(const fs::path& folder) {
  auto text = ReadWholeFile((folder / "pyproject.toml").string());
  const Status unusable(Code::kInvalidArgument, "plugin " + folder.string() +
                                                    " is not runnable, it provides neither __main__.py nor a "
                                                    "pyproject.toml with a project name");
  if (!text.ok()) return unusable;
  std::istringstream lines(*text);
  std::string line, table;
  while (std::getline(lines, line)) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    if (line[begin] == '[') table = line.substr(begin, line.find(']', begin) + 1 - begin);
    if (table != "[project]" || line.compare(begin, 4, "name") != 0) continue;
    const size_t open = line.find_first_of("\"'", begin);
    const size_t equals = line.find('=', begin);
    if (open == std::string::npos || equals == std::string::npos || equals > open) continue;
    const size_t close = line.find(line[open], open + 1);
    if (close != std::string::npos) return line.substr(open + 1, close - open - 1);
  }
  return unusable;
}

ProcessSpec MakeSpec(std::vector<std::string> argv, const std::string& working_directory,
                     const std::map<std::string, std::string>& environment) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.working_directory = working_directory;
  spec.environment = PluginEnvironment(environment);
  return spec;
}

void Append(const std::vector<std::string>& more, std::vector<std::string>* argv) {
  argv->insert(argv->end(), more.begin(), more.end());
}

// The interpreter's arguments for the debugger, if there is to be one.
Status AddDebugger(const LaunchContext& context, const std::string& name, bool python, std::vector<std::string>* argv) {
  if (!context.debugger) return Status::Ok();
  const std::string title = DebuggedPlugin(name);
  Result<Debugger> debugger = python ? PythonDebugger(title) : NodeDebugger(title);
  if (!debugger.ok()) return debugger.status();
  Append(debugger->arguments, argv);
  *context.debugger = std::move(*debugger);
  return Status::Ok();
}

Result<PluginLaunch> LaunchPythonPlugin(const std::string& name, const std::string& folder,
                                        const RuntimeOptions& options, const std::vector<std::string>& arguments,
                                        const LaunchContext& context) {
  auto python = FindPython(options, folder, true);
  if (!python.ok()) return python.status();
  std::map<std::string, std::string> environment = context.environment;
  environment.insert(python->environment.begin(), python->environment.end());
  std::vector<std::string> argv = {python->executable, "-u"};
  if (const Status debugged = AddDebugger(context, name, true, &argv); !debugged.ok()) return debugged;
  std::error_code error;
  if (fs::exists(fs::path(folder) / "__main__.py", error)) {
    argv.push_back(folder);
  } else {
    auto distribution = PythonDistribution(folder);
    if (!distribution.ok()) return distribution.status();
    for (const std::string& part : {std::string("-m"), std::string("pulumi.run.plugin"), *distribution}) {
      argv.push_back(part);
    }
  }
  Append(arguments, &argv);
  return PluginLaunch{MakeSpec(std::move(argv), context.working_directory, environment)};
}

Result<std::vector<std::string>> NodeCommand(const std::string& module, const std::string& folder,
                                             const RuntimeOptions& options) {
  auto script = FindNodeModule(module, folder);
  if (!script.ok()) return script.status();
  std::vector<std::string> argv = {"node"};
  for (std::string& argument : NodeArguments(options)) argv.push_back(std::move(argument));
  argv.push_back(*script);
  return argv;
}

Result<PluginLaunch> LaunchNodePlugin(const std::string& name, const std::string& folder, const RuntimeOptions& options,
                                      const std::vector<std::string>& arguments, const LaunchContext& context) {
  auto argv = NodeCommand("@pulumi/pulumi/cmd/run-plugin", folder, options);
  if (!argv.ok()) return argv.status();
  std::vector<std::string> debugging;
  if (const Status debugged = AddDebugger(context, name, false, &debugging); !debugged.ok()) return debugged;
  argv->insert(argv->begin() + 1, debugging.begin(), debugging.end());
  argv->push_back(folder);
  Append(arguments, &*argv);
  std::map<std::string, std::string> environment = context.environment;
  environment.merge(NodeEnvironment(options));
  ShareCompiledCode(&environment);
  return PluginLaunch{MakeSpec(std::move(*argv), context.working_directory, environment)};
}

Result<PluginLaunch> LaunchGoPlugin(const std::string& folder, const std::vector<std::string>& arguments,
                                    const LaunchContext& context) {
  if (context.debugger) {  // before the minutes that building may take
    if (const auto delve = FindDelve(); !delve.ok()) return delve.status();
  }
  std::vector<std::string> argv = {""};
  Append(arguments, &argv);
  PluginLaunch launch{MakeSpec(std::move(argv), context.working_directory, context.environment), folder};
  launch.debugs_go = context.debugger != nullptr;
  return launch;
}

// By the plugin of its language.
Result<PluginLaunch> LaunchByLanguage(const std::string& language, const BridgedPlugin& plugin,
                                      const LaunchContext& context) {
  if (context.debugger) {
    return Status(Code::kUnimplemented, "--attach-debugger: the plugin " + plugin.name + " is in " + language +
                                            ", and is not started under a debugger; start it under one yourself, and "
                                            "name its port in PULUMI_DEBUG_PROVIDERS");
  }
  auto argv = BridgeCommand(plugin);
  if (!argv.ok()) return argv.status();
  return PluginLaunch{MakeSpec(std::move(*argv), context.working_directory, context.environment), "", language};
}

// "rules" for rules.py or a package of that name, "rules.py" as well.
std::optional<PolicyPack> AsPythonModule(fs::path path) {
  std::error_code error;
  if (!path.has_filename()) path = path.parent_path();  // "package/"
  if (!fs::exists(path, error)) path += ".py";
  const bool is_package = fs::exists(path / "__init__.py", error) && !fs::exists(path / "PulumiPolicy.yaml", error);
  const bool is_source = path.extension() == ".py" && fs::is_regular_file(path, error) && !IsExecutableFile(path);
  if (!is_package && !is_source) return std::nullopt;
  PolicyPack pack;
  pack.folder = path.parent_path().string();
  pack.module = path.stem().string();
  return pack;
}

}  // namespace

Result<PluginDescription> ReadPluginDescription(const std::string& folder) {
  const fs::path file = fs::path(folder) / "PulumiPlugin.yaml";
  auto yaml = ReadYaml(file);
  if (!yaml.ok()) return yaml.status();
  PluginDescription description;
  Status status = ReadRuntime(*yaml, &description.runtime, &description.options);
  if (!status.ok()) return status.Wrap(file.string());
  description.required_version = TextOf(*yaml, "requiredPulumiVersion");
  return description;
}

Result<PluginLaunch> LaunchProvider(const FoundPlugin& plugin, const LaunchContext& context) {
  std::vector<std::string> arguments = context.log_flags;
  arguments.push_back(context.engine_address);
  return LaunchTool(plugin, "resource", arguments, context);
}

Result<PluginLaunch> LaunchTool(const FoundPlugin& plugin, const std::string& kind,
                                const std::vector<std::string>& arguments, const LaunchContext& context) {
  if (!plugin.is_directory) {
    std::vector<std::string> argv = {plugin.path};
    Append(arguments, &argv);
    return PluginLaunch{MakeSpec(std::move(argv), context.working_directory, context.environment)};
  }
  auto description = ReadPluginDescription(plugin.path);
  if (!description.ok()) {
    if (!fs::exists(plugin.path)) return Status(Code::kNotFound, "there is no such folder");
    return description.status().Wrap("the plugin " + Quote(plugin.name) + " has neither an executable " +
                                     plugin.executable + " nor a readable PulumiPlugin.yaml");
  }
  if (const Status fits = RequirePulumiVersion(description->required_version); !fits.ok()) return fits;
  const std::string& runtime = description->runtime;
  const RuntimeOptions& options = description->options;
  if (runtime == "python") return LaunchPythonPlugin(plugin.name, plugin.path, options, arguments, context);
  if (runtime == "nodejs") return LaunchNodePlugin(plugin.name, plugin.path, options, arguments, context);
  if (runtime == "go") return LaunchGoPlugin(plugin.path, arguments, context);
  return LaunchByLanguage(runtime, {"", context.engine_address, kind, plugin.name, plugin.path, options, arguments},
                          context);
}

Result<ProcessSpec> LaunchDynamicProvider(const std::string& name, const RuntimeOptions& options,
                                          const std::string& program_folder, const LaunchContext& context) {
  if (name == kNodeDynamicProvider) {
    auto argv = NodeCommand("@pulumi/pulumi/cmd/dynamic-provider", program_folder, {});
    if (!argv.ok()) return argv.status();
    argv->push_back(context.engine_address);
    std::map<std::string, std::string> environment = context.environment;
    ShareCompiledCode(&environment);
    return MakeSpec(std::move(*argv), program_folder, environment);
  }
  auto python = FindPython(options, context.working_directory, false);
  if (!python.ok()) return python.status();
  std::map<std::string, std::string> environment = context.environment;
  environment.insert(python->environment.begin(), python->environment.end());
  const std::string accelerators = WantsAccelerators() ? AcceleratorsInCache() : "";
  return MakeSpec(PythonDynamicProvider(python->executable, accelerators, context.engine_address),
                  context.working_directory, environment);
}

Result<PolicyPack> LoadPolicyPack(const std::string& path) {
  PolicyPack pack;
  std::error_code error;
  const fs::path absolute = fs::absolute(path).lexically_normal();
  if (auto module = AsPythonModule(absolute)) return std::move(*module);
  const bool is_file = fs::exists(absolute, error) && !fs::is_directory(absolute, error);
  pack.folder = is_file ? absolute.parent_path().string() : absolute.string();
  if (is_file) pack.executable = absolute.string();

  const fs::path description = fs::path(pack.folder) / "PulumiPolicy.yaml";
  const bool is_described = fs::exists(description, error);
  if (is_file && !is_described) return pack;
  const std::string what = "failed to load Pulumi policy project located at " + Quote(path);
  if (!is_described) {
    const std::string file = (fs::path(path) / "PulumiPolicy.yaml").string();
    return Status(Code::kNotFound, what + ": open " + file + ": no such file or directory");
  }
  auto yaml = ReadYaml(description);
  if (!yaml.ok()) return yaml.status().Wrap(what);
  pack.name = TextOf(*yaml, "name");
  pack.version = TextOf(*yaml, "version");
  pack.description = TextOf(*yaml, "description");
  pack.required_version = TextOf(*yaml, "requiredPulumiVersion");
  Status status = ReadRuntime(*yaml, &pack.runtime, &pack.options);
  if (!status.ok() && !is_file) return status.Wrap(what);
  return pack;
}

Result<PluginLaunch> LaunchPolicyPack(const PolicyPack& pack, const LaunchContext& context) {
  if (!pack.executable.empty()) {
    return PluginLaunch{
        MakeSpec({pack.executable, context.engine_address}, context.working_directory, context.environment)};
  }
  if (const Status fits = RequirePulumiVersion(pack.required_version); !fits.ok()) return fits;
  std::map<std::string, std::string> environment = context.environment;
  if (pack.runtime == "python" || !pack.module.empty()) {
    const bool as_project = !pack.module.empty() && !context.python_project.empty();
    auto python = as_project ? FindPython(context.python_options, context.python_project, false)
                             : FindPython(pack.options, pack.folder, true);
    if (!python.ok()) return python.status();
    environment.insert(python->environment.begin(), python->environment.end());
    std::vector<std::string> argv = {python->executable, "-u", "-m"};
    if (pack.module.empty()) {
      Append({"pulumi.policy", context.engine_address, pack.folder}, &argv);
    } else {
      Append({"kingpost", "policies", pack.module, context.engine_address}, &argv);
    }
    return PluginLaunch{MakeSpec(std::move(argv), pack.folder, environment)};
  }
  if (pack.runtime == "nodejs") {
    auto argv = NodeCommand("@pulumi/pulumi/cmd/run-policy-pack", pack.folder, pack.options);
    if (!argv.ok()) {
      return Status(Code::kNotFound,
                    "it looks like the policy pack's dependencies are not installed; try running npm install or yarn "
                    "install in " +
                        Quote(pack.folder));
    }
    argv->push_back(context.engine_address);
    argv->push_back(pack.folder);
    environment.merge(NodeEnvironment(pack.options));
    ShareCompiledCode(&environment);
    return PluginLaunch{MakeSpec(std::move(*argv), pack.folder, environment)};
  }
  if (pack.runtime == "go") {
    return PluginLaunch{MakeSpec({"", context.engine_address}, context.working_directory, environment), pack.folder};
  }
  return LaunchByLanguage(
      pack.runtime,
      {"", context.engine_address, "analyzer", pack.name, pack.folder, pack.options, {context.engine_address}},
      context);
}

}  // namespace kingpost
