// Bundles a single-page application of spa/ and serves it: node spa.mjs oidc-client-ts
// Register its client with --redirect-uri ORIGIN/ and list ORIGIN in Cors:Origins of Latchkey.
import { existsSync } from 'node:fs'
import { build } from 'esbuild'
import express from 'express'

const { ISSUER, CLIENT_ID, PORT } = process.env
const [name] = process.argv.slice(2)
const entry = ['js', 'jsx', 'ts']
  .map((ending) => new URL(`./spa/${name}.${ending}`, import.meta.url).pathname)
  .find((file) => existsSync(file))
if (entry === undefined) throw new Error(`There is no application spa/${name}.`)

const { outputFiles } = await build({
  entryPoints: [entry],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
})
const [script] = outputFiles

const app = express()
app.get('/config.json', (_request, response) => response.json({ issuer: ISSUER, clientId: CLIENT_ID }))
app.get('/app.js', (_request, response) => response.type('text/javascript').send(script.text))
app.get('/', (_request, response) => {
  response.send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${name}</title></head>
<body><div id="app"></div><script type="module" src="/app.js"></script></body>
</html>
`)
})
app.listen(PORT)
