// A web application on a server, with golang.org/x/oauth2 and go-oidc.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

// visit is what the application keeps of one browser.
type visit struct {
	state, nonce, verifier string
	person                 map[string]interface{}
	tokens                 *oauth2.Token
	idToken                string
}

var (
	issuer, port = os.Getenv("ISSUER"), os.Getenv("PORT")
	origin       = "http://localhost:" + port
	mutex        sync.Mutex
	visits       = map[string]*visit{}
)

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// visitOf finds the visit of a browser by its cookie, or begins one.
func visitOf(w http.ResponseWriter, r *http.Request) *visit {
	mutex.Lock()
	defer mutex.Unlock()
	if cookie, err := r.Cookie("sid"); err == nil && visits[cookie.Value] != nil {
		return visits[cookie.Value]
	}
	id := random()
	visits[id] = &visit{}
	http.SetCookie(w, &http.Cookie{Name: "sid", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	return visits[id]
}

func main() {
	ctx := context.Background()
	// The issuer ends with a slash, and go-oidc compares it character by character.
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		log.Fatal(err)
	}
	client := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  origin + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: client.ClientID})

	handle("/", func(w http.ResponseWriter, r *http.Request, v *visit) error {
		return json.NewEncoder(w).Encode(v.person)
	})
	handle("/login", func(w http.ResponseWriter, r *http.Request, v *visit) error {
		v.state, v.nonce, v.verifier = random(), random(), random()
		hash := sha256.Sum256([]byte(v.verifier))
		http.Redirect(w, r, client.AuthCodeURL(v.state,
			oidc.Nonce(v.nonce),
			oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(hash[:])),
			oauth2.SetAuthURLParam("code_challenge_method", "S256")), http.StatusFound)
		return nil
	})
	handle("/callback", func(w http.ResponseWriter, r *http.Request, v *visit) error {
		if r.URL.Query().Get("state") != v.state {
			return errors.New("this answer belongs to another sign-in")
		}
		tokens, err := client.Exchange(ctx, r.URL.Query().Get("code"), oauth2.SetAuthURLParam("code_verifier", v.verifier))
		if err != nil {
			return err
		}
		v.tokens, v.idToken = tokens, tokens.Extra("id_token").(string)
		idToken, err := verifier.Verify(ctx, v.idToken)
		if err != nil {
			return err
		}
		if idToken.Nonce != v.nonce {
			return errors.New("the id token belongs to another sign-in")
		}
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
		if err != nil {
			return err
		}
		if info.Subject != idToken.Subject {
			return errors.New("the userinfo response is about another person")
		}
		if err := info.Claims(&v.person); err != nil {
			return err
		}
		http.Redirect(w, r, "/", http.StatusFound)
		return nil
	})
	handle("/refresh", func(w http.ResponseWriter, r *http.Request, v *visit) error {
		// A token without an access token counts as expired, so the source refreshes it at once.
		tokens, err := client.TokenSource(ctx, &oauth2.Token{RefreshToken: v.tokens.RefreshToken}).Token()
		if err != nil {
			return err
		}
		v.tokens, v.idToken = tokens, tokens.Extra("id_token").(string)
		_, err = w.Write([]byte(`{"refreshed":true}`))
		return err
	})
	handle("/logout", func(w http.ResponseWriter, r *http.Request, v *visit) error {
		query := url.Values{"id_token_hint": {v.idToken}, "post_logout_redirect_uri": {origin + "/"}}
		*v = visit{}
		http.Redirect(w, r, issuer+"connect/logout?"+query.Encode(), http.StatusFound)
		return nil
	})
	log.Fatal(http.ListenAndServe("localhost:"+port, nil))
}

func handle(path string, work func(http.ResponseWriter, *http.Request, *visit) error) {
	http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if err := work(w, r, visitOf(w, r)); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}
