# SPDX-License-Identifier: Apache-2.0
"""Google Cloud Storage's JSON API, as far as a bucket of state needs it and as the documentation has it: generations,
preconditions, pages, tokens. It limits the writes of one name in a second, which no emulator does."""

import contextlib
import email.utils
import http.server
import json
import threading
import time
import urllib.parse

PAGE_MAX = 3  # so that small tests have many


class FakeGcs:
    """One bucket, `team`. Refuses requests without `token`."""

    def __init__(self, token: str, seconds_between_writes: float = 0):
        self.token, self.seconds_between_writes = token, seconds_between_writes
        self.objects: dict[str, dict] = {}
        self.generation = 0
        self.too_early = 0  # so many writes were refused
        self.lock = threading.Lock()

    def write(self, name: str, body: bytes, content_type: str, if_generation: str | None) -> tuple[int, dict]:
        with self.lock:
            there = self.objects.get(name)
            if there and time.monotonic() - there["written"] < self.seconds_between_writes:
                self.too_early += 1
                return 429, {"error": {"message": "The object exceeded the rate limit for object mutation operations"}}
            if if_generation is not None and if_generation != (there["generation"] if there else "0"):
                return 412, {"error": {"message": "At least one of the pre-conditions you specified did not hold."}}
            self.generation += 1
            self.objects[name] = {"body": body, "type": content_type, "generation": str(self.generation),
                                  "updated": time.time(), "written": time.monotonic()}
            return 200, {"name": name, "generation": str(self.generation)}

    def page(self, query: dict[str, str]) -> dict:
        prefix, after = query.get("prefix", ""), query.get("pageToken", "")
        with self.lock:
            names = sorted(n for n in self.objects if n.startswith(prefix) and n > after)
            if "delimiter" in query:
                names = [n for n in names if query["delimiter"] not in n[len(prefix):]]
            shown = names[:min(PAGE_MAX, int(query["maxResults"]))]
            items = [{"name": n, "size": str(len(self.objects[n]["body"])), "updated": time.strftime(
                "%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(self.objects[n]["updated"]))} for n in shown]
        return {"items": items} | ({"nextPageToken": shown[-1]} if len(shown) < len(names) else {})

    @contextlib.contextmanager
    def serving(self):
        """Gives "127.0.0.1:PORT"."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def handler_for(gcs: FakeGcs):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None):
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | (headers or {})).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def tell(self, status: int, document: dict):
            self.answer(status, json.dumps(document).encode(), {"Content-Type": "application/json"})

        def absent(self):
            self.tell(404, {"error": {"message": "No such object"}})

        def serve(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path, _, query_text = self.path.partition("?")
            query = dict(urllib.parse.parse_qsl(query_text))
            if gcs.token and self.headers["Authorization"] != f"Bearer {gcs.token}":
                return self.tell(401, {"error": {"message": "Invalid Credentials"}})
            parts = [urllib.parse.unquote(part) for part in path.split("/")]
            if path == "/upload/storage/v1/b/team/o":
                return self.tell(*gcs.write(query["name"], body, self.headers["Content-Type"],
                                            query.get("ifGenerationMatch")))
            if path == "/storage/v1/b/team/o":
                return self.tell(200, gcs.page(query))
            if parts[1:6] != ["storage", "v1", "b", "team", "o"]:
                return self.tell(404, {"error": {"message": "The specified bucket does not exist."}})
            return self.serve_object(parts[6], parts[7:], query)

        def serve_object(self, name: str, rest: list[str], query: dict[str, str]):
            there = gcs.objects.get(name)
            if there is None:
                return self.absent()
            if rest[:4] == ["rewriteTo", "b", "team", "o"]:
                status, told = gcs.write(rest[4], there["body"], there["type"], None)
                return self.tell(status, told | {"done": True})
            if self.command == "DELETE":
                if query.get("ifGenerationMatch", there["generation"]) != there["generation"]:
                    return self.tell(412, {"error": {"message": "At least one of the pre-conditions you specified did not hold."}})
                gcs.objects.pop(name, None)
                return self.answer(204)
            return self.answer(200, there["body"], {
                "Content-Type": there["type"], "X-Goog-Generation": there["generation"],
                "Last-Modified": email.utils.formatdate(there["updated"], usegmt=True)})

        do_GET = do_POST = do_DELETE = serve

    return Handler
