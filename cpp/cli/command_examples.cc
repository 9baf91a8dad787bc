// SPDX-License-Identifier: Apache-2.0
#include "cli/command_examples.h"

#include "base/command_name.h"

namespace kingpost {

namespace {

// In an order in which each finds what it needs; a stack that one removes is made again by the next.
constexpr CommandExample kExamples[] = {
    {"version", "version", "The version of Pulumi that this is compatible with"},
    {"about env", "about env", "The variables that the command reads, and those that are set"},
    {"completion", "completion bash", "For `source <(kingpost completion bash)` in ~/.bashrc"},
    {"whoami", "whoami --long", "The user and the location of the state"},
    {"logs list", "logs list", "The logs that pulumi keeps of its commands, where both share a home"},
    {"logs remove", "logs remove --before 24h --yes", "Those from before yesterday"},
    {"login", "login --local", "Keep state in the home folder from now on"},
    {"logout", "logout", "Forget that again"},
    {"org", "org", "Where state is kept, and the organization"},
    {"org get-default", "org get-default", "State in folders has one organization"},
    {"new", "new python --dir ../site --yes --generate-only", "The files of a new project; see new --list-templates"},
    {"policy new", "policy new python --dir ../rules --generate-only",
     "A policy pack, for preview --policy-pack ../rules"},
    {"install", "install --no-plugins", "The packages of the program, after a fresh checkout"},
    {"stack init", "stack init dev", "A stack called dev, selected at once"},
    {"config set", "config set region eu-west-1", "A setting of the selected stack"},
    {"config set", "config set --secret token hunter22", "A setting that is stored encrypted"},
    {"config set-all", "config set-all --plaintext size=3 --plaintext color=red", "Several settings at once"},
    {"config get", "config get region", "One value, for a script"},
    {"stack init", "stack init test --no-select", "Another stack, while dev stays the selected one"},
    {"config cp", "config cp --dest test", "The same settings for it; secrets are encrypted anew"},
    {"config", "config --json", "All settings; secrets stay masked"},
    {"preview", "preview --diff", "The changes of an update, property by property"},
    {"preview", "preview --save-plan plan.json", "Keep the plan, for an update that does no more"},
    {"preview", "preview --output markdown", "A report for a pull request"},
    {"preview", "preview --explain", "Why each change is made"},
    {"preview", "preview --all --stack dev", "Every project below this folder that has a stack dev, as one"},
    {"up", "up --all --stack dev --yes --parallel-stacks 8", "All of them, in the order of their references"},
    {"fleet worker", "fleet worker dask://10.0.0.1:8786 --stacks 4", "A worker of a cluster, for up --all --on"},
    {"watch", "watch --explain", "The plan, and why, anew at each save"},
    {"why", "why shop-dev", "The last step on a resource, and its reason"},
    {"up", "up --yes", "Preview and update without a question"},
    {"state get", "state get urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "One resource, as it is recorded"},
    {"config refresh", "config refresh --force", "Settings as the last update had them"},
    {"up", "up --yes --skip-preview --config size=4", "Set a value and update at once"},
    {"import", "import aws:s3/bucket:Bucket archive archive-1 --yes", "Take over a bucket by its ID"},
    {"import", "import --from-state urn:pulumi:dev::shop::aws:s3/bucket:Bucket::archive",
     "The code that declares what is recorded"},
    {"state unprotect", "state unprotect urn:pulumi:dev::shop::aws:s3/bucket:Bucket::archive --yes",
     "An imported resource is protected until you lift that"},
    {"state rename", "state rename urn:pulumi:dev::shop::aws:s3/bucket:Bucket::archive backups --yes",
     "A new name, as the program now has it"},
    {"state taint", "state taint urn:pulumi:dev::shop::aws:s3/bucket:Bucket::backups --yes",
     "The next update replaces it"},
    {"state untaint", "state untaint urn:pulumi:dev::shop::aws:s3/bucket:Bucket::backups --yes", "Or not"},
    {"state move", "state move --dest test --include-parents urn:pulumi:dev::shop::aws:s3/bucket:Bucket::backups --yes",
     "From now on another stack has it"},
    {"state delete", "state delete --stack test urn:pulumi:test::shop::aws:s3/bucket:Bucket::backups --yes",
     "Forget it; the bucket itself stays"},
    {"state edit", "state edit", "The state as text in $EDITOR, checked before it is saved"},
    {"stack", "stack --show-ids", "The resources as a tree, with their IDs"},
    {"stack output", "stack output --json", "All outputs, for a program"},
    {"stack ls", "stack ls", "The stacks of this project"},
    {"stack ls", "stack ls --all --tree", "Which stacks read which, and which are behind"},
    {"project ls", "project ls", "How many stacks each project has"},
    {"stack history", "stack history --page-size 1 --page 1", "The last operation"},
    {"stack export", "stack export --file state.json", "The state as a document"},
    {"stack import", "stack import --file state.json", "The same document as the state"},
    {"graph", "graph stack.html", "A page with search, for a browser"},
    {"graph", "graph --all --stack dev stacks.html", "Many stacks, which unfold into their resources"},
    {"graph", "graph --format mermaid", "A picture for a Markdown page"},
    {"stack graph", "stack graph stack.dot", "The same for Graphviz"},
    {"refresh", "refresh --preview-only --expect-no-changes",
     "Look for changes outside of the program; ends with 7 if there are any"},
    {"stack tag set", "stack tag set owner platform", "A note on the stack"},
    {"stack tag get", "stack tag get owner", "Read it"},
    {"stack tag ls", "stack tag ls", "All notes"},
    {"stack tag rm", "stack tag rm owner", "Take it away"},
    {"state protect", "state protect --all --yes", "Nothing can be deleted by accident"},
    {"state unprotect", "state unprotect --all --yes", "Lift that"},
    {"state repair", "state repair --yes", "After an edit by hand: order the state"},
    {"state promote", "state promote frontNet --yes", "A snippet of the state as code for the program"},
    {"state upgrade", "state upgrade --yes", "Stacks of old versions, by project"},
    {"state migrate", "state migrate file://~ 'postgres://db.example.com/pulumi'", "All stacks into a database"},
    {"stack rollback", "stack rollback --to 3", "The state as it was after the third operation"},
    {"stack rename", "stack rename staging", "The same stack under another name"},
    {"stack select", "stack select staging", "Work with it from now on"},
    {"destroy", "destroy --yes", "Delete all resources; settings and history stay"},
    {"stack change-secrets-provider", "stack change-secrets-provider passphrase", "Encrypt under a new passphrase"},
    {"config rm", "config rm region", "One setting less"},
    {"config rm-all", "config rm-all size color", "Several settings less"},
    {"cancel", "cancel --yes", "Remove the lock of an update whose machine is gone"},
    {"schema check", "schema check shapes.json", "The faults of a schema, before it is used"},
    {"package get-schema", "package get-schema shapes.json", "The schema of a package, in one form for all"},
    {"package info", "package info shapes.json --resource Bucket", "The inputs and outputs of a resource"},
    {"package get-mapping", "package get-mapping terraform aws", "The package's mapping for a Terraform provider"},
    {"convert", "convert --language typescript --out ../typescript", "A program in YAML, as a project in TypeScript"},
    {"package gen-sdk", "package gen-sdk shapes.json --language python --out sdks", "An SDK, to publish or to look at"},
    {"package add", "package add ./components", "An SDK for components in a folder, for this project alone"},
    {"plugin install", "plugin install resource random 4.16.0 --file random.tar.gz",
     "Without a network, from an archive; without --file it is downloaded"},
    {"plugin ls", "plugin ls", "The installed plugins"},
    {"plugin run", "plugin run ./pulumi-tool-lint -- --fix", "Its own program, with arguments of yours"},
    {"plugin rm", "plugin rm resource random 4.16.0 --yes", "Take it away"},
    {"doctor", "doctor", "Check the backend"},
    {"about", "about", "The versions to report with a question or a bug"},
    {"stack unselect", "stack unselect", "Work with no stack"},
    {"stack rm", "stack rm staging --yes", "Remove an empty stack and its settings"},
};

}  // namespace

std::span<const CommandExample> CommandExamples() { return kExamples; }

std::string ExamplesText(const std::string& path) {
  std::string text;
  for (const CommandExample& example : CommandExamples()) {
    if (path != example.path) continue;
    text += "  # " + std::string(example.says) + "\n  " + NamedCommand(example.line) + "\n";
  }
  return text.empty() ? "" : "\nExamples:\n" + text;
}

}  // namespace kingpost
