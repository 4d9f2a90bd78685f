# A web application on a server, with Flask and the core of Python Social Auth.
# Its frameworks (Django, Flask) bring the strategy and the storage; here both are as small as they can be.
# The library of this version has no PKCE, so register the client with require_pkce=false.
import os
from types import SimpleNamespace
from urllib.parse import urlencode

from flask import Flask, jsonify, redirect, request, session
from social_core.backends.open_id_connect import OpenIdConnectAuth
from social_core.strategy import BaseStrategy

ISSUER, PORT = os.environ["ISSUER"], os.environ["PORT"]
ORIGIN = f"http://localhost:{PORT}"
SETTINGS = {
    "SOCIAL_AUTH_LATCHKEY_OIDC_ENDPOINT": ISSUER.rstrip("/"),
    "SOCIAL_AUTH_LATCHKEY_KEY": os.environ["CLIENT_ID"],
    "SOCIAL_AUTH_LATCHKEY_SECRET": os.environ["CLIENT_SECRET"],
    "SOCIAL_AUTH_LATCHKEY_SCOPE": ["offline_access"],
}


class Latchkey(OpenIdConnectAuth):
    name = "latchkey"


class Nonces:
    """The nonces of sign-ins that have not come back yet."""

    pending = {}

    @classmethod
    def store(cls, server_url, association):
        association.id = association.handle
        cls.pending[association.handle] = association

    @classmethod
    def get(cls, server_url, handle):
        return [cls.pending[handle]] if handle in cls.pending else []

    @classmethod
    def remove(cls, ids):
        for each in ids:
            cls.pending.pop(each, None)


class Strategy(BaseStrategy):
    def get_setting(self, name):
        return SETTINGS[name]

    def request_data(self, merge=True):
        return request.args.to_dict()

    def request_host(self):
        return request.host

    def build_absolute_uri(self, path=None):
        return f"{ORIGIN}{path or ''}"

    def redirect(self, url):
        return redirect(url)

    def session_get(self, name, default=None):
        return session.get(name, default)

    def session_set(self, name, value):
        session[name] = value

    def session_pop(self, name):
        return session.pop(name, None)

    def authenticate(self, backend, *args, **kwargs):
        return kwargs["response"]


def backend():
    return Latchkey(Strategy(SimpleNamespace(association=Nonces)), redirect_uri="/callback")


app = Flask(__name__)
app.secret_key = os.environ["CLIENT_SECRET"]


@app.get("/")
def home():
    return jsonify(session.get("person"))


@app.get("/login")
def login():
    return backend().start()


@app.get("/callback")
def callback():
    answer = backend().auth_complete()
    session["person"] = {member: answer[member] for member in ("sub", "name", "email")}
    session["tokens"] = {"id_token": answer["id_token"], "refresh_token": answer["refresh_token"]}
    return redirect("/")


@app.get("/refresh")
def refresh():
    tokens = backend().refresh_token(session["tokens"]["refresh_token"])
    session["tokens"] = {"id_token": tokens["id_token"], "refresh_token": tokens["refresh_token"]}
    return jsonify(refreshed=True)


@app.get("/logout")
def logout():
    query = {"id_token_hint": session["tokens"]["id_token"], "post_logout_redirect_uri": f"{ORIGIN}/"}
    session.clear()
    return redirect(f"{ISSUER}connect/logout?{urlencode(query)}")


app.run(host="localhost", port=int(PORT))
