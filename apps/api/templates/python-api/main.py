"""A JSON API on Python's standard library. PORT and HOST come from the platform."""

import json
import os
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

ROUTES = {
    "/": lambda: {"message": "It works. Edit main.py to add your routes.", "routes": list(ROUTES)},
    "/healthz": lambda: {"status": "ok"},
    "/api/time": lambda: {"now": datetime.now(timezone.utc).isoformat()},
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        route = ROUTES.get(urlsplit(self.path).path)
        body = json.dumps(route() if route else {"message": "Not found."}).encode()
        self.send_response(200 if route else 404)
        self.send_header("content-type", "application/json; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "3000")))
ThreadingHTTPServer(address, Handler).serve_forever()
