# A web application on a server, with Flask and Authlib.
import os
from urllib.parse import urlencode

from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, redirect, session

ISSUER, PORT = os.environ["ISSUER"], os.environ["PORT"]
ORIGIN = f"http://localhost:{PORT}"

app = Flask(__name__)
app.secret_key = os.environ["CLIENT_SECRET"]
latchkey = OAuth(app).register(
    "latchkey",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{ISSUER}.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email offline_access", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    return jsonify(session.get("person"))


@app.get("/login")
def login():
    return latchkey.authorize_redirect(f"{ORIGIN}/callback")


@app.get("/callback")
def callback():
    tokens = latchkey.authorize_access_token()
    person = latchkey.userinfo(token=tokens)
    if person["sub"] != tokens["userinfo"]["sub"]:
        raise ValueError("the userinfo response is about another person")
    session["person"] = person
    session["tokens"] = {"id_token": tokens["id_token"], "refresh_token": tokens["refresh_token"]}
    return redirect("/")


@app.get("/refresh")
def refresh():
    tokens = latchkey.fetch_access_token(
        grant_type="refresh_token", refresh_token=session["tokens"]["refresh_token"]
    )
    session["tokens"] = {"id_token": tokens["id_token"], "refresh_token": tokens["refresh_token"]}
    return jsonify(refreshed=True)


@app.get("/logout")
def logout():
    tokens = session.pop("tokens")
    session.clear()
    query = {"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": f"{ORIGIN}/"}
    return redirect(f"{latchkey.server_metadata['end_session_endpoint']}?{urlencode(query)}")


app.run(host="localhost", port=int(PORT))
