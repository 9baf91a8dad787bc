// SPDX-License-Identifier: Apache-2.0
#include "cli/session/remote_flags.h"

#include "base/os.h"
#include "cli/session/exit_code.h"

namespace kingpost {

namespace {

constexpr const char* kRemoteSwitches[] = {"--remote", "--suppress-stream-logs", "--remote-inherit-settings",
                                           "--remote-skip-install-dependencies"};
constexpr const char* kRemoteTexts[] = {"--remote-env",
                                        "--remote-env-secret",
                                        "--remote-pre-run-command",
                                        "--remote-git-branch",
                                        "--remote-git-commit",
                                        "--remote-git-repo-dir",
                                        "--remote-git-auth-access-token",
                                        "--remote-git-auth-ssh-private-key",
                                        "--remote-git-auth-ssh-private-key-path",
                                        "--remote-git-auth-password",
                                        "--remote-git-auth-username",
                                        "--remote-executor-image",
                                        "--remote-executor-image-username",
                                        "--remote-executor-image-password",
                                        "--remote-agent-pool-id"};

bool IsExperimental() { return IsTrueVariable("PULUMI_EXPERIMENTAL"); }

}  // namespace

void DeclareRemoteFlags(Flags* flags, RemoteFlags* values) {
  if (!IsExperimental()) return;
  flags->Section("For operations that Pulumi Cloud runs (refused)");
  for (const char* name : kRemoteSwitches) flags->Switch(name, &values->given, "");
  for (const char* name : kRemoteTexts) flags->List(name, &values->values, "");
}

Status CheckRemoteFlags(const RemoteFlags& values) {
  if (!values.given && values.values.empty() && values.address.empty()) return Status::Ok();
  return Fail(ExitCode::kFailed,
              "the Pulumi Cloud backend must be used for remote operations, and is not used here; run the operation "
              "in a pipeline instead");
}

}  // namespace kingpost
