# SPDX-License-Identifier: Apache-2.0
"""Providers and policies of this package as plugins, for any engine that speaks Pulumi's protocols.

    # pulumi-resource-site/__main__.py, beside a PulumiPlugin.yaml with "runtime: python"
    import kingpost
    from pages import site

    kingpost.serve(site)

`python -m kingpost provider my.module` serves the provider of a module, `python -m kingpost policies my.module` its
policies. Needs the package ``pulumi``, whose protocol it speaks: pip install 'kingpost[program]'.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Iterable, List, NoReturn, Optional, Sequence, Union

from .policies import Policy, PolicyLike, PolicyPack
from .provider import Provider


def serve(provider: Provider, arguments: Optional[Sequence[str]] = None) -> NoReturn:
    """Serves a provider until the engine ends it: prints the port, as plugins do. Does not return.

    arguments: of the process, without its name; the engine's address is among them
    """
    if not isinstance(provider, Provider):
        raise TypeError(f"what is served must be a kingpost.Provider, not {type(provider).__name__}")
    _need_pulumi()
    from pulumi.runtime.proto import provider_pb2_grpc

    from ._plugin_server import engine_address_of, run_server
    from ._provider_server import ProviderServicer

    address = engine_address_of(sys.argv[1:] if arguments is None else arguments)
    run_server(
        lambda server: provider_pb2_grpc.add_ResourceProviderServicer_to_server(
            ProviderServicer(provider, address), server
        )
    )
    raise SystemExit


def serve_policies(
    pack: Union[PolicyPack, Iterable[PolicyLike]], *, name: str = "policies", arguments: Optional[Sequence[str]] = None
) -> NoReturn:
    """Serves policies as a policy pack, as ``serve`` does a provider."""
    served = pack if isinstance(pack, PolicyPack) else PolicyPack(name, pack)
    _need_pulumi()
    from pulumi.runtime.proto import analyzer_pb2_grpc

    from ._plugin_server import engine_address_of, run_server
    from ._policy_server import PolicyServicer

    address = engine_address_of(sys.argv[1:] if arguments is None else arguments)
    run_server(lambda server: analyzer_pb2_grpc.add_AnalyzerServicer_to_server(PolicyServicer(served, address), server))
    raise SystemExit


def _need_pulumi() -> None:
    if importlib.util.find_spec("pulumi") is None:
        raise ImportError("a plugin needs the package pulumi; install it with: pip install 'kingpost[program]'")


# --- python -m kingpost ---------------------------------------------------------------------------


def load_module(where: str) -> ModuleType:
    """A module by its name, or by the path of its file or folder."""
    path = Path(where)
    if path.suffix == ".py" or path.is_dir():
        file = path / "__init__.py" if path.is_dir() else path
        if not file.is_file():
            raise SystemExit(f"kingpost: there is no module in {where}: no {file.name}")
        sys.path.insert(0, str(file.resolve().parent))
        spec = importlib.util.spec_from_file_location(path.resolve().stem, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    sys.path.insert(0, "")
    try:
        return importlib.import_module(where)
    except ModuleNotFoundError as error:
        if error.name != where and not where.startswith(f"{error.name}."):
            raise
        raise SystemExit(f"kingpost: there is no module {where!r} here or on sys.path") from None


def provider_in(module: ModuleType, attribute: str = "") -> Provider:
    """The one that is named, else the only instance, else an instance of the only class."""
    if attribute:
        found: Any = getattr(module, attribute, None)
        if isinstance(found, type) and issubclass(found, Provider):
            return found()
        if isinstance(found, Provider):
            return found
        raise SystemExit(f"kingpost: {module.__name__}.{attribute} is no kingpost.Provider")
    instances: List[Provider] = _once(value for value in vars(module).values() if isinstance(value, Provider))
    if len(instances) == 1:
        return instances[0]
    classes = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Provider) and value.__module__ == module.__name__
    ]
    if not instances and len(classes) == 1:
        return classes[0]()
    found_some = "several providers" if instances or classes else "no provider"
    raise SystemExit(f"kingpost: {module.__name__} has {found_some}; name one: {module.__name__}:NAME")


def policies_in(module: ModuleType, attribute: str = "") -> PolicyPack:
    """The pack that is named, or the only one, else all policies of the module as one pack."""
    if attribute:
        found: Any = getattr(module, attribute, None)
        if isinstance(found, PolicyPack):
            return found
        raise SystemExit(f"kingpost: {module.__name__}.{attribute} is no kingpost.PolicyPack")
    packs: List[PolicyPack] = _once(value for value in vars(module).values() if isinstance(value, PolicyPack))
    if len(packs) == 1:
        return packs[0]
    policies = _once(value for value in vars(module).values() if isinstance(value, Policy))
    if packs or not policies:
        found_some = "several packs" if packs else "no policies"
        raise SystemExit(f"kingpost: {module.__name__} has {found_some}; name a pack: {module.__name__}:NAME")
    return PolicyPack(module.__name__.rsplit(".", 1)[-1], policies)


def _once(values: Iterable[Any]) -> List[Any]:
    found: List[Any] = []
    for value in values:
        if not any(value is other for other in found):
            found.append(value)
    return found


def main(kind: str, arguments: Sequence[str]) -> NoReturn:
    """``provider MODULE[:NAME] [ENGINE]`` and ``policies MODULE[:NAME] [ENGINE]``."""
    if not arguments or arguments[0].startswith("-"):
        raise SystemExit(f"kingpost: which module? python -m kingpost {kind} MODULE[:NAME]")
    where, _, attribute = arguments[0].partition(":")
    module = load_module(where)
    if kind == "provider":
        serve(provider_in(module, attribute), arguments[1:])
    serve_policies(policies_in(module, attribute), arguments=arguments[1:])
