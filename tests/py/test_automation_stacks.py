# SPDX-License-Identifier: Apache-2.0
"""Stacks and their settings by the unmodified Automation API of the Python SDK.

As in test_automation.py, each test runs on Kingpost, and with -m slow also on the peer.
"""

import json
import os

import pulumi
import pytest
from pulumi import automation as auto
from pulumi.automation import errors
from semver import VersionInfo

from harness.automation import OUR_OWN, plain, secret, things


def as_dict(config):
    return {k: (v.value, v.secret) for k, v in config.items()}


# Stacks.

def test_stacks_are_created_selected_listed_and_removed(site):
    stack = site.stack(init=auto.create_stack)
    with pytest.raises(errors.StackAlreadyExistsError):
        site.stack(init=auto.create_stack)
    with pytest.raises(errors.StackNotFoundError):
        site.stack(name="absent", init=auto.select_stack)
    assert site.stack(init=auto.select_stack).name == "dev"
    site.stack(name="other")
    listed = {s.name: s for s in stack.workspace.list_stacks()}
    assert {n: s.current for n, s in listed.items()} == {"dev": False, "other": True}
    assert listed["dev"].resource_count in (None, 0) and not listed["dev"].update_in_progress
    assert stack.workspace.stack().name == "other"
    full = auto.fully_qualified_stack_name("organization", "site", "dev")
    assert site.stack(name=full, init=auto.select_stack).name == full
    assert stack.workspace.stack().name == "dev"
    stack.workspace.remove_stack("other")
    assert [s.name for s in stack.workspace.list_stacks(include_all=True)] == ["dev"]
    with pytest.raises(errors.StackNotFoundError):
        stack.workspace.remove_stack("other")


def test_a_stack_with_resources_is_removed_only_by_force(site):
    stack = site.stack(things("first"))
    stack.set_config("colour", plain("red"))
    stack.up()
    listed, = stack.workspace.list_stacks()
    assert listed.resource_count == 3 and listed.last_update is not None
    with pytest.raises(errors.CommandError, match="still has resources"):
        stack.workspace.remove_stack("dev")
    stack.workspace.remove_stack("dev", force=True, preserve_config=True)
    assert stack.workspace.list_stacks() == [] and "red" in (site.project / "Pulumi.dev.yaml").read_text()
    site.stack()
    stack.workspace.remove_stack("dev")
    assert not (site.project / "Pulumi.dev.yaml").exists()


def test_a_stack_is_renamed_with_its_resources(site):
    stack = site.stack(things("first"))
    stack.up()
    renamed = stack.rename("production", show_secrets=True)
    assert stack.name == "production" and renamed.summary.result == "succeeded"
    rows = stack.export_stack().deployment["resources"]
    assert {r["urn"].split(":")[2] for r in rows} == {"production"}
    assert stack.preview(on_event=site.hear, expect_no_changes=True).change_summary == {auto.OpType.SAME: 2}
    empty = site.stack(name="empty")
    assert empty.rename("still-empty").summary is None


def test_who_am_i_names_the_user_and_the_backend(site):
    workspace = site.stack().workspace
    me = workspace.who_am_i()
    assert me.user and me.url == site.backend.as_uri() and me.organizations is None
    assert workspace.pulumi_version == site.version
    with pytest.raises(errors.CommandError, match="organization"):
        workspace.org_set_default("elsewhere")


@OUR_OWN
def test_the_organization_of_files_is_always_the_same(site):
    assert site.stack().workspace.org_get_default() == "organization"


def test_the_version_is_checked_wherever_the_command_is(site, monkeypatch):
    root = str(site.root / "install")
    assert str(auto.PulumiCommand(root=root).version) == site.version
    assert auto.PulumiCommand.install(root=root, version=VersionInfo(3, 200, 0)).command == f"{root}/bin/pulumi"
    with pytest.raises(errors.InvalidVersionError, match="Minimum version requirement failed"):
        auto.PulumiCommand(version=VersionInfo(3, 999, 0))
    monkeypatch.setenv("PATH", os.defpath)
    stack = site.stack(pulumi_command=auto.PulumiCommand(root=root))
    assert stack.up().summary.result == "succeeded"


def test_a_workspace_has_settings_of_its_own(site):
    home = site.root / "another-home"
    settings = auto.ProjectSettings("shop", runtime="python", description="what it is for", main="src",
                                    backend=auto.ProjectBackend((site.backend).as_uri()))
    stack = auto.create_stack("dev", project_name="shop", program=things(), opts=site.options(
        project_settings=settings, pulumi_home=str(home), secrets_provider="passphrase",
        stack_settings={"dev": auto.StackSettings(config={"shop:depth": "3"})},
        env_vars={"PULUMI_CONFIG_PASSPHRASE": "another", "PULUMI_BACKEND_URL": ""}))
    assert stack.workspace.project_settings().description == "what it is for"
    assert stack.get_config("depth").value == "3"
    stack.set_config("key", secret("s3cr3t"))
    kept = stack.workspace.stack_settings("dev")
    assert kept.encryption_salt and "s3cr3t" not in kept.config["shop:key"].secure
    stack.workspace.save_stack_settings("dev", kept)
    assert stack.get_config("key").value == "s3cr3t"
    assert list((home / "workspaces").iterdir()) and not (site.home / "workspaces").exists()
    assert auto.LocalWorkspace(work_dir=str(site.project)).list_stacks()[0].name == "dev"


# Configuration, tags, environments.

def test_configuration_is_read_and_written(site):
    stack = site.stack()
    stack.set_config("colour", plain("red"))
    stack.set_config("other:key", secret("-starts with a dash"))
    stack.set_config("path.list[0].name", plain("first"), path=True)
    stack.set_config("a.b", plain("not a path"))
    assert (stack.get_config("colour").value, stack.get_config("colour").secret) == ("red", False)
    assert (stack.get_config("other:key").value, stack.get_config("other:key").secret) == ("-starts with a dash", True)
    assert stack.get_config("path.list[0].name", path=True).value == "first"
    assert as_dict(stack.get_all_config()) == {
        "site:colour": ("red", False), "other:key": ("-starts with a dash", True), "site:a.b": ("not a path", False),
        "site:path": ('{"list":[{"name":"first"}]}', False)}
    with pytest.raises(errors.CommandError, match="configuration key 'absent' not found for stack 'dev'"):
        stack.get_config("absent")
    stack.remove_config("path.list[0]", path=True)
    stack.remove_config("a.b")
    assert stack.get_config("path").value == '{"list":[]}'
    stack.remove_all_config(["colour", "other:key", "never:there"])
    stack.remove_all_config(["path.list"], path=True)
    assert as_dict(stack.get_all_config()) == {"site:path": ("{}", False)}


def test_configuration_is_set_all_at_once(site):
    stack = site.stack()
    stack.set_all_config({"one": plain("1"), "two": secret("zwei=2"), "three": plain(""), "o:k": plain("a b")})
    stack.set_all_config({"deep.down": plain("here"), "deep.list[0]": secret("hidden")}, path=True)
    everything = {
        "site:one": ("1", False), "site:two": ("zwei=2", True), "site:three": ("", False), "o:k": ("a b", False),
        "site:deep": ('{"down":"here","list":["hidden"]}', True)}
    assert as_dict(stack.get_all_config()) == everything
    text = (site.project / "Pulumi.dev.yaml").read_text()
    assert "hidden" not in text and "zwei" not in text
    copied = site.stack(name="copy")
    copied.set_all_config_json(json.dumps({
        "one": {"value": "1", "secret": False}, "site:two": {"value": "zwei=2", "secret": True},
        "site:deep": {"value": '{"x":1}', "objectValue": {"x": 1}, "secret": False}}))
    assert as_dict(copied.get_all_config()) == {
        "site:one": ("1", False), "site:two": ("zwei=2", True), "site:deep": ('{"x":1}', False)}


def test_configuration_of_the_last_update_comes_back(site):
    def program():
        config = pulumi.Config()
        pulumi.export("seen", [config.require("colour"), config.require_int("number"), config.require_object("deep")])
        pulumi.export("hidden", config.require_secret("key"))

    stack = site.stack(program)
    stack.set_all_config({"colour": plain("red"), "number": plain("7"), "key": secret("s3cr3t")})
    stack.set_config("deep.down", plain("here"), path=True)
    result = stack.up()
    assert result.outputs["seen"].value == ["red", 7, {"down": "here"}] and not result.outputs["seen"].secret
    assert result.outputs["hidden"].value == "s3cr3t" and result.outputs["hidden"].secret
    assert as_dict(result.summary.config)["site:key"] == ("s3cr3t", True)
    assert as_dict(stack.info(show_secrets=False).config)["site:key"] == ("[secret]", True)
    stack.set_config("colour", plain("blue"))
    stack.remove_config("key")
    stack.refresh_config()
    assert as_dict(stack.get_all_config()) == {
        "site:colour": ("red", False), "site:number": ("7", False), "site:key": ("s3cr3t", True),
        "site:deep": ('{"down":"here"}', False)}


def test_a_stack_has_tags(site):
    stack = site.stack()
    stack.set_tag("owner", "the harbour")
    stack.set_tag("other", "1")
    assert stack.get_tag("owner") == "the harbour"
    assert stack.list_tags().items() >= {"owner": "the harbour", "other": "1"}.items()
    stack.remove_tag("other")
    assert "other" not in stack.list_tags()
    with pytest.raises(errors.CommandError, match="stack tag 'other' not found for stack 'dev'"):
        stack.get_tag("other")


def test_environments_are_refused_with_a_reason(site):
    stack = site.stack()
    for call in (lambda: stack.add_environments("one", "two"), stack.list_environments,
                 lambda: stack.remove_environment("one")):
        with pytest.raises(errors.CommandError, match="does not support environments"):
            call()
