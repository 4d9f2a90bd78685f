# A web application on a server, with Rack and OmniAuth OpenID Connect. OmniAuth brings the routes below /auth.
# The library of this version has no PKCE, so register the client with require_pkce=false.
require 'json'
require 'net/http'
require 'omniauth'
require 'omniauth_openid_connect'
require 'rack'

ISSUER, PORT = ENV.fetch('ISSUER'), ENV.fetch('PORT')
CLIENT_ID, CLIENT_SECRET = ENV.fetch('CLIENT_ID'), ENV.fetch('CLIENT_SECRET')
ORIGIN = "http://localhost:#{PORT}"
# For an issuer on this machine: the library looks for the discovery document with https otherwise.
SWD.url_builder = URI::HTTP if ISSUER.start_with?('http://')

# Sessions stay on the server: tokens are too long for a cookie.
use Rack::Session::Pool, key: 'sid'
use OmniAuth::Builder do
  provider :openid_connect,
           name: :latchkey,
           issuer: ISSUER,
           discovery: true,
           scope: %i[openid profile email offline_access],
           response_type: :code,
           client_options: { identifier: CLIENT_ID, secret: CLIENT_SECRET, redirect_uri: "#{ORIGIN}/auth/latchkey/callback" }
end
# OmniAuth starts a sign-in with a post that its own token protects; this example has a plain link.
OmniAuth.config.allowed_request_methods = %i[get]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.request_validation_phase = nil

run(lambda do |env|
  session = env['rack.session']
  json = ->(value) { [200, { 'content-type' => 'application/json' }, [JSON.generate(value)]] }
  to = ->(address) { [302, { 'location' => address }, []] }
  case env['PATH_INFO']
  when '/' then json.(session[:person])
  when '/login' then to.('/auth/latchkey')
  when '/auth/latchkey/callback'
    answer = env['omniauth.auth']
    session[:person] = { sub: answer.uid, name: answer.info.name, email: answer.info.email }
    session[:tokens] = { id: answer.credentials.id_token, refresh: answer.credentials.refresh_token }
    to.('/')
  when '/refresh'
    # OmniAuth leaves refreshing to the application (RFC 6749 §6).
    form = Net::HTTP::Post.new(URI("#{ISSUER}connect/token"))
    form.basic_auth(CLIENT_ID, CLIENT_SECRET)
    form.set_form_data(grant_type: 'refresh_token', refresh_token: session[:tokens][:refresh])
    answer = Net::HTTP.start(form.uri.host, form.uri.port, use_ssl: form.uri.scheme == 'https') { |http| http.request(form) }
    raise "the refresh was refused: #{answer.body}" unless answer.is_a?(Net::HTTPOK)

    tokens = JSON.parse(answer.body)
    session[:tokens] = { id: tokens['id_token'], refresh: tokens['refresh_token'] }
    json.({ refreshed: true })
  when '/logout'
    query = URI.encode_www_form(id_token_hint: session[:tokens][:id], post_logout_redirect_uri: "#{ORIGIN}/")
    session.clear
    to.("#{ISSUER}connect/logout?#{query}")
  else [404, {}, []]
  end
end)
