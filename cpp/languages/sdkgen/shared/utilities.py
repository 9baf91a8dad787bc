# SPDX-License-Identifier: Apache-2.0
# _utilities.py of every Python SDK: what its files share. get_version and get_plugin_download_url are the package's own
# and come at its end.
# ruff: noqa: F821, B028

import asyncio
import functools
import importlib.metadata
import importlib.util
import json
import os
import sys
import typing
import warnings

import packaging.version
import pulumi
import pulumi.runtime
from pulumi.runtime.sync_await import _sync_await
from semver import VersionInfo

_Callable = typing.TypeVar("_Callable", bound=typing.Callable)


def get_env(*names):
    """The first of the variables that is set."""
    return next((os.environ[name] for name in names if name in os.environ), None)


def get_env_bool(*names):
    return {
        "1": True, "t": True, "T": True, "true": True, "TRUE": True, "True": True,
        "0": False, "f": False, "F": False, "false": False, "FALSE": False, "False": False,
    }.get(get_env(*names) or "")


def _get_env_number(number, names):
    try:
        return number(get_env(*names))
    except (TypeError, ValueError):
        return None


def get_env_int(*names):
    return _get_env_number(int, names)


def get_env_float(*names):
    return _get_env_number(float, names)


def _installed_version() -> VersionInfo:
    # pip's 1.2.3a4 is the engine's 1.2.3-alpha.4; what pip has no word for stands behind a "+" there.
    version = packaging.version.Version(importlib.metadata.version(__name__.split(".")[0]))
    prerelease = None
    if version.pre is not None:
        word, number = version.pre
        prerelease = {"a": "alpha", "b": "beta", "rc": "rc"}[word] + f".{number}"
    elif version.dev is not None:
        prerelease = f"dev.{version.dev}"
    elif version.local is not None:
        prerelease = version.local
    return VersionInfo(version.major, version.minor, version.micro, prerelease)


_version = _installed_version()
_version_str = str(_version)


def get_resource_opts_defaults() -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(version=get_version(), plugin_download_url=get_plugin_download_url())


def get_invoke_opts_defaults() -> pulumi.InvokeOptions:
    return pulumi.InvokeOptions(version=get_version(), plugin_download_url=get_plugin_download_url())


def get_resource_args_opts(args_type, opts_type, *args, **kwargs):
    """The object of arguments and the options among what a resource was made with; None for what is not there."""
    rest = list(args)
    resource_args = rest.pop(0) if rest and isinstance(rest[0], args_type) else None
    opts = rest[0] if rest and isinstance(rest[0], opts_type) else None
    if resource_args is None and isinstance(kwargs.get("args"), args_type):
        resource_args = kwargs["args"]
    return resource_args, kwargs.get("opts") if opts is None else opts


def lazy_import(fullname):
    """The module, loaded when it is first used."""
    if fullname in sys.modules:
        return sys.modules[fullname]
    spec = importlib.util.find_spec(fullname)
    if fullname in sys.modules:  # finding it imports what is above it, which may import it
        return sys.modules[fullname]
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[fullname] = module
    spec.loader.exec_module(module)
    return module


class Package(pulumi.runtime.ResourcePackage):
    def __init__(self, info):
        super().__init__()
        self.info = info

    def version(self):
        return _version

    def construct_provider(self, name: str, typ: str, urn: str) -> pulumi.ProviderResource:
        if typ != self.info["token"]:
            raise Exception(f"unknown provider type {typ}")
        provider = getattr(lazy_import(self.info["fqn"]), self.info["class"])
        return provider(name, pulumi.ResourceOptions(urn=urn))


class Module(pulumi.runtime.ResourceModule):
    def __init__(self, info):
        super().__init__()
        self.info = info

    def version(self):
        return _version

    def construct(self, name: str, typ: str, urn: str) -> pulumi.Resource:
        if typ not in self.info["classes"]:
            raise Exception(f"unknown resource type {typ}")
        resource = getattr(lazy_import(self.info["fqn"]), self.info["classes"][typ])
        return resource(name, pulumi.ResourceOptions(urn=urn))


def register(resource_modules, resource_packages):
    for info in json.loads(resource_packages):
        pulumi.runtime.register_resource_package(info["pkg"], Package(info))
    for info in json.loads(resource_modules):
        pulumi.runtime.register_resource_module(info["pkg"], info["mod"], Module(info))


async def _settled(output: pulumi.Output) -> typing.Tuple[typing.Any, bool, bool]:
    return await output._future, await output._is_known, await output._is_secret


def call_plain(
    tok: str,
    props: pulumi.Inputs,
    res: typing.Optional[pulumi.Resource] = None,
    typ: typing.Optional[type] = None,
    package_ref: typing.Optional[typing.Awaitable[typing.Optional[str]]] = None,
) -> typing.Any:
    """Calls a method and waits for its answer, which is no output."""
    output = pulumi.runtime.call(tok, props, res, typ, package_ref=package_ref)
    result, known, secret = _sync_await(asyncio.ensure_future(_settled(output)))
    if known and not secret:
        return result
    raise AssertionError(
        f"Plain resource method '{tok}' incorrectly returned {'a secret' if known else 'an unknown'} value. "
        "This is an error in the provider, please report this to the provider developer."
    )


def deprecated(message: str) -> typing.Callable[[_Callable], _Callable]:
    """Warns when what it decorates is called."""

    def decorator(function: _Callable) -> _Callable:
        @functools.wraps(function)
        def warning(*args, **kwargs):
            warnings.warn(message)
            pulumi.warn(f"{function.__name__} is deprecated: {message}")
            return function(*args, **kwargs)

        # The SDK looks at properties without calling them.
        warning.__dict__["_pulumi_deprecated_callable"] = function
        return typing.cast(_Callable, warning)

    return decorator
