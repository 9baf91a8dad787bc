#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes an object of the cluster by hand: request.py METHOD PATH [BODY]. The server and its token are those of KUBECONFIG, as
`cluster.running` writes it; a body is a merge patch."""

import json
import os
import ssl
import sys
import urllib.request
from pathlib import Path

method, path, *body = sys.argv[1:]
config = json.loads(Path(os.environ["KUBECONFIG"]).read_text())
headers = {"Authorization": f"Bearer {config['users'][0]['user']['token']}", "Content-Type": "application/merge-patch+json"}
request = urllib.request.Request(f"{config['clusters'][0]['cluster']['server']}/{path}", method=method, headers=headers,
                                 data=body[0].encode() if body else None)
with urllib.request.urlopen(request, context=ssl._create_unverified_context(), timeout=30) as answer:
    print(answer.read().decode())
