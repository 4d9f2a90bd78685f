# A web application on a server, with Flask and requests-oauthlib.
# The library of this version has no PKCE, so register the client with require_pkce=false.
import os
from urllib.parse import urlencode

from flask import Flask, jsonify, redirect, request, session
from requests_oauthlib import OAuth2Session

ISSUER, PORT = os.environ["ISSUER"], os.environ["PORT"]
CLIENT_ID, CLIENT_SECRET = os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]
ORIGIN = f"http://localhost:{PORT}"
SCOPE = ["openid", "profile", "email", "offline_access"]
if ISSUER.startswith("http://"):
    # For an issuer on this machine: the library demands https otherwise.
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

app = Flask(__name__)
app.secret_key = CLIENT_SECRET


def latchkey(**more):
    return OAuth2Session(CLIENT_ID, redirect_uri=f"{ORIGIN}/callback", scope=SCOPE, **more)


@app.get("/")
def home():
    return jsonify(session.get("person"))


@app.get("/login")
def login():
    address, session["state"] = latchkey().authorization_url(f"{ISSUER}connect/authorize")
    return redirect(address)


@app.get("/callback")
def callback():
    oauth = latchkey(state=session.pop("state"))
    tokens = oauth.fetch_token(
        f"{ISSUER}connect/token", client_secret=CLIENT_SECRET, authorization_response=request.url
    )
    session["person"] = oauth.get(f"{ISSUER}connect/userinfo").json()
    session["tokens"] = {"id_token": tokens["id_token"], "refresh_token": tokens["refresh_token"]}
    return redirect("/")


@app.get("/refresh")
def refresh():
    tokens = latchkey().refresh_token(
        f"{ISSUER}connect/token",
        refresh_token=session["tokens"]["refresh_token"],
        auth=(CLIENT_ID, CLIENT_SECRET),
    )
    session["tokens"] = {"id_token": tokens["id_token"], "refresh_token": tokens["refresh_token"]}
    return jsonify(refreshed=True)


@app.get("/logout")
def logout():
    query = {"id_token_hint": session["tokens"]["id_token"], "post_logout_redirect_uri": f"{ORIGIN}/"}
    session.clear()
    return redirect(f"{ISSUER}connect/logout?{urlencode(query)}")


app.run(host="localhost", port=int(PORT))
