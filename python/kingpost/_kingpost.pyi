# SPDX-License-Identifier: Apache-2.0
# What the extension offers the package: its source is python/bindings/module.cc.
from typing import Any, Dict, List, Optional, Tuple

VERSION: str

class Session:
    def __init__(
        self, project: str, stack: str, organization: str, backend: str, passphrase: Optional[str]
    ) -> None: ...
    def export_state(self) -> str: ...

class Run:
    def __init__(
        self,
        session: Session,
        operation: str,
        options: Dict[str, Any],
        config: Dict[str, str],
        secret_keys: List[str],
        program: object,
        providers: Dict[str, Any],
        policies: List[Tuple[str, Any]],
    ) -> None: ...
    def wait(self, seconds: float) -> bool: ...
    def cancel(self) -> None: ...
    def terminate(self) -> None: ...
    def outcome(self) -> Dict[str, Any]: ...
