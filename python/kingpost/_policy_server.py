# SPDX-License-Identifier: Apache-2.0
"""A pack of kingpost policies as a plugin: the service Analyzer. It speaks to any engine."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from google.protobuf import empty_pb2
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc

from ._plugin_server import PluginServicer
from ._wire import from_struct, to_struct
from .policies import Policy, PolicyPack, Violation

_LEVELS = {
    "advisory": analyzer_pb2.ADVISORY,
    "mandatory": analyzer_pb2.MANDATORY,
    "disabled": analyzer_pb2.DISABLED,
    "remediate": analyzer_pb2.REMEDIATE,
}
_SEVERITIES = {
    "low": analyzer_pb2.POLICY_SEVERITY_LOW,
    "medium": analyzer_pb2.POLICY_SEVERITY_MEDIUM,
    "high": analyzer_pb2.POLICY_SEVERITY_HIGH,
    "critical": analyzer_pb2.POLICY_SEVERITY_CRITICAL,
}
_DEFAULT_VERSION = "0.0.1"


def _resource(request: Any) -> Dict[str, Any]:
    options = request.options
    fields: Dict[str, Any] = {
        "urn": request.urn,
        "type": request.type,
        "name": request.name,
        "properties": from_struct(request.properties),
        "parent": options.parent,
        "protect": options.protect,
        "ignore_changes": list(options.ignoreChanges),
        "additional_secret_outputs": list(options.additionalSecretOutputs),
    }
    if request.HasField("provider"):
        provider = request.provider
        properties = from_struct(provider.properties)
        fields["provider"] = {
            "urn": provider.urn,
            "type": provider.type,
            "name": provider.name,
            "properties": properties,
        }
    return fields


def _stack_resource(request: Any) -> Dict[str, Any]:
    return {
        **_resource(request),
        "parent": request.parent,
        "dependencies": list(request.dependencies),
        "property_dependencies": {key: list(value.urns) for key, value in request.propertyDependencies.items()},
    }


class PolicyServicer(PluginServicer, analyzer_pb2_grpc.AnalyzerServicer):
    def __init__(self, pack: PolicyPack, engine_address: str) -> None:
        super().__init__(pack.version or _DEFAULT_VERSION, engine_address)
        self._pack = pack

    async def Handshake(self, request: Any, context: Any) -> Any:
        self._engine_address = request.engine_address or self._engine_address
        return analyzer_pb2.AnalyzerHandshakeResponse()

    async def GetAnalyzerInfo(self, request: Any, context: Any) -> Any:
        return analyzer_pb2.AnalyzerInfo(
            name=self._pack.name,
            displayName=self._pack.name,
            version=self._version,
            supportsConfig=True,
            policies=[self._info(policy) for policy in self._pack.policies],
        )

    def _info(self, policy: Policy) -> Any:
        kind = analyzer_pb2.POLICY_TYPE_STACK if policy.is_stack else analyzer_pb2.POLICY_TYPE_RESOURCE
        info = analyzer_pb2.PolicyInfo(
            name=policy.name,
            displayName=policy.name,
            description=policy.description,
            enforcementLevel=_LEVELS[policy.level],
            policy_type=kind,
            severity=_SEVERITIES.get(policy.severity, analyzer_pb2.POLICY_SEVERITY_UNSPECIFIED),
        )
        for key, default in policy.config.items():
            info.configSchema.properties.fields[key].CopyFrom(to_struct({"": _schema_of(default)}).fields[""])
        return info

    async def Configure(self, request: Any, context: Any) -> Any:
        names = {number: name for name, number in _LEVELS.items()}
        try:
            self._pack.configure(
                {
                    # A file may say "level" among the settings, as policy_config does.
                    name: {"level": names[config.enforcementLevel], **from_struct(config.properties)}
                    for name, config in request.policyConfig.items()
                }
            )
        except BaseException as error:  # noqa: BLE001 - a wrong setting is the call's failure
            await self.fail(context, error)
        return empty_pb2.Empty()

    async def ConfigureStack(self, request: Any, context: Any) -> Any:
        return analyzer_pb2.AnalyzerStackConfigureResponse()

    async def Cancel(self, request: Any, context: Any) -> Any:
        return empty_pb2.Empty()

    async def Analyze(self, request: Any, context: Any) -> Any:
        return await self._violations(context, self._pack.analyze, _resource(request))

    async def AnalyzeStack(self, request: Any, context: Any) -> Any:
        resources = [_stack_resource(resource) for resource in request.resources]
        return await self._violations(context, self._pack.analyze_stack, resources)

    async def _violations(self, context: Any, ask: Any, subject: Any) -> Any:
        found: List[Tuple[Policy, Violation]] = []
        try:
            found = await self.called(ask, subject)
        except BaseException as error:  # noqa: BLE001 - whatever a policy raises is the call's failure
            await self.fail(context, error)
        return analyzer_pb2.AnalyzeResponse(diagnostics=[self._diagnostic(*pair) for pair in found])

    def _diagnostic(self, policy: Policy, violation: Violation) -> Any:
        # A policy that remediates and still reports a violation counts as mandatory.
        level = "advisory" if violation.advisory else "mandatory" if policy.level == "remediate" else policy.level
        diagnostic = analyzer_pb2.AnalyzeDiagnostic(
            policyName=policy.name,
            policyPackName=self._pack.name,
            policyPackVersion=self._version,
            description=policy.description,
            message=_with_description(policy, violation.message),
            enforcementLevel=_LEVELS[level],
            urn=violation.urn,
        )
        severity = violation.severity or policy.severity
        if hasattr(diagnostic, "severity"):  # older SDKs do not know it
            diagnostic.severity = _SEVERITIES.get(severity, analyzer_pb2.POLICY_SEVERITY_UNSPECIFIED)
        return diagnostic

    async def Remediate(self, request: Any, context: Any) -> Any:
        try:
            done = await self.called(self._pack.remediate, _resource(request))
        except BaseException as error:
            await self.fail(context, error)
            raise
        return analyzer_pb2.RemediateResponse(
            remediations=[
                analyzer_pb2.Remediation(
                    policyName=policy.name,
                    policyPackName=self._pack.name,
                    policyPackVersion=self._version,
                    description=policy.description,
                    properties=to_struct(properties),
                )
                for policy, properties, _ in done
            ]
        )


def _with_description(policy: Policy, message: str) -> str:
    return f"{policy.description}\n{message}" if policy.description and policy.description != message else message


def _schema_of(default: Any) -> Dict[str, Any]:
    kinds = ((bool, "boolean"), (int, "number"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))
    kind = next((name for kind, name in kinds if isinstance(default, kind)), None)
    return {"default": default, **({"type": kind} if kind else {})}
