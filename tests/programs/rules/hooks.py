# SPDX-License-Identifier: Apache-2.0
"""1: created with hooks. 2: updated. 3: deleted, which needs its hooks to be known still. 4: an error hook retries a create."""

from pathlib import Path

from pulumi import ErrorHook, ResourceHook, ResourceHookBinding, ResourceOptions

from thing import Thing


def note(moment: str):
    def hook(args):
        with open("hooks.log", "a", encoding="utf-8") as file:
            new, old = (args.new_inputs or {}).get("value"), (args.old_inputs or {}).get("value")
            file.write(f"{moment} {args.name} {old}>{new}\n")
    return hook


def program(step: int) -> None:
    moments = ["before_create", "after_create", "before_update", "after_update", "before_delete", "after_delete"]
    hooks = {moment: [ResourceHook(moment, note(moment))] for moment in moments}

    def again(args):
        with open("hooks.log", "a", encoding="utf-8") as file:
            file.write(f"on_error {args.name} {args.failed_operation} {len(args.errors)}\n")
        if len(args.errors) == 2:
            Path("things").mkdir(exist_ok=True)
            Path("things", f"flaky-{args.name}").touch()
        return len(args.errors) < 4

    if step != 3:
        Thing("hooked", f"step {min(step, 2)}", ResourceOptions(hooks=ResourceHookBinding(**hooks)))
    if step >= 4:
        retry = ErrorHook("again", again)
        Thing("flaky", "try", ResourceOptions(hooks=ResourceHookBinding(on_error=[retry])))
