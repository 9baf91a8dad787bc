# SPDX-License-Identifier: Apache-2.0
"""The web server of the example: `site_server.py ROOT DATABASE PORT`, with the password in SITE_PASSWORD.

Serves the files under ROOT, the books in DATABASE as JSON under /api/books, and /admin to who knows the password.
"""

import base64
import functools
import hmac
import http.server
import json
import os
import sqlite3
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    database = ""
    password = ""

    def do_GET(self):
        if self.path == "/api/books":
            return self.reply(200, json.dumps(self.books()))
        if self.path == "/admin":
            want = "Basic " + base64.b64encode(f"admin:{self.password}".encode()).decode()
            if not hmac.compare_digest(self.headers.get("Authorization", ""), want):
                return self.reply(401, '"a password is needed"', ("WWW-Authenticate", "Basic"))
            return self.reply(200, '"welcome"')
        return super().do_GET()

    def books(self):
        db = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        db.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in db.execute("SELECT * FROM books ORDER BY title")]
        finally:
            db.close()

    def reply(self, code, text, *headers):
        body = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for header in headers:
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    root, Handler.database, port = sys.argv[1:]
    Handler.password = os.environ.pop("SITE_PASSWORD")
    handler = functools.partial(Handler, directory=root)
    http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler).serve_forever()
