# SPDX-License-Identifier: Apache-2.0
"""The dependencies in a snapshot.

    for resource in kingpost.dependency_graph(snapshot):   # dependencies first
        ...
"""

from __future__ import annotations

import json
from typing import Any, Iterator, List, NamedTuple

from . import _kingpost
from ._kingpost import Resource
from .errors import Error
from .snapshot import ResourceLike, Snapshot


class Edge(NamedTuple):
    """A reference of one resource to another.

    source, target: URNs: who refers to whom
    kind:           "provider", "parent", "dependency", "property", "deleted_with" or "replace_with"
    property:       of "property", else ""
    """

    source: str
    target: str
    kind: str
    property: str  #: of "property", else ""


class DependencyGraph:
    """Iterates over the resources in an order in which what a resource depends on comes before it."""

    def __init__(self, snapshot: Snapshot) -> None:
        _kingpost.build_graph(snapshot._native)
        self.snapshot = snapshot

    def __iter__(self) -> Iterator[Resource]:
        return iter(self.snapshot)

    def __len__(self) -> int:
        return len(self.snapshot)

    def dependencies(self, resource: ResourceLike, *, transitive: bool = False) -> List[Resource]:
        return self.snapshot.dependencies(resource, transitive=transitive)

    def dependents(self, resource: ResourceLike, *, children: bool = True) -> List[Resource]:
        return self.snapshot.dependents(resource, children=children)

    def edges(self) -> List[Edge]:
        """Every reference, by the resource that has it. Two resources may have several between them."""
        return [Edge(*edge) for edge in _kingpost.edges(self.snapshot._native)]

    def to_networkx(self) -> Any:
        """A ``networkx.MultiDiGraph``. Nodes are URNs with ``resource``, ``type`` and ``name``; edges point at the
        dependency, with ``kind`` and ``property``. Raises Error if networkx is not installed."""
        try:
            import networkx
        except ImportError:
            raise Error("to_networkx needs the package networkx; install it with: pip install networkx") from None
        graph = networkx.MultiDiGraph()
        for resource in self:
            graph.add_node(resource.urn, resource=resource, type=resource.type, name=resource.name)
        for edge in self.edges():
            graph.add_edge(edge.source, edge.target, kind=edge.kind, property=edge.property)
        return graph

    def to_dot(self) -> str:
        """Graphviz's language: nodes by URN, labelled with name and type; one arrow for each pair and kind."""
        lines = ["digraph stack {", "  rankdir=LR;", "  node [shape=box];"]
        for resource in self:
            lines.append(f"  {json.dumps(resource.urn)} [label={json.dumps(resource.name + chr(10) + resource.type)}];")
        arrows = dict.fromkeys((edge.source, edge.target, edge.kind) for edge in self.edges())
        for source, target, kind in arrows:
            lines.append(f"  {json.dumps(source)} -> {json.dumps(target)} [label={json.dumps(kind)}];")
        return "\n".join([*lines, "}", ""])


def dependency_graph(snapshot: Snapshot) -> DependencyGraph:
    """The graph of a snapshot. Raises StateDamaged if the snapshot is not in order, and so has none."""
    if not isinstance(snapshot, Snapshot):
        raise TypeError(f"a graph is made of a kingpost.Snapshot, not {type(snapshot).__name__}")
    return DependencyGraph(snapshot)
