/** The proxies of deploy/ on loopback ports: the shipped files, with addresses, certificate and account changed. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { read } from '../repository/sources.ts'

export type Ports = {
  /** Of the processes of the service: three. */
  readonly nodes: readonly number[]
  readonly http: number
  readonly https: number
}

export type RunningProxy = {
  /** With a trailing slash. */
  readonly address: string
  /** The same without TLS, at the loopback address. */
  readonly plainAddress: string
  /** What it wrote. */
  output(): string
  stop(): Promise<void>
}

export type ProxyKind = {
  readonly name: string
  /** The path of the shipped file below the project's folder. */
  readonly file: string
  /** Whether the machine has the program. */
  readonly isHere: () => boolean
  /** Writes the changed file and answers with the command line that runs it in the foreground, and its environment. */
  readonly prepare: (folder: string, ports: Ports) => Prepared
}

type Prepared = { readonly command: readonly string[]; readonly env?: Readonly<Record<string, string>> }

/** Replaces every pattern, each of which must be there: a shipped file that was changed is not run by half. */
function change(text: string, changes: readonly (readonly [pattern: string | RegExp, replacement: string])[]): string {
  return changes.reduce((before, [pattern, replacement]) => {
    const after = before.replaceAll(pattern, replacement)
    assert.notEqual(after, before, `${pattern} is not in the shipped file`)
    return after
  }, text)
}

const nodePorts = ({ nodes }: Ports) =>
  [5081, 5082, 5083].map((port, index) => [`127.0.0.1:${port}`, `127.0.0.1:${nodes[index]}`] as const)

const nginx: ProxyKind = {
  name: 'nginx',
  file: 'deploy/nginx/latchkey.conf',
  isHere: () => answers('nginx', '-v'),
  prepare(folder, ports) {
    const { certificate, key } = pathsIn(folder)
    const site = change(read(nginx.file), [
      ...nodePorts(ports),
      ['listen 80;', `listen 127.0.0.1:${ports.http};`],
      ['listen 443 ssl;', `listen 127.0.0.1:${ports.https} ssl;`],
      [/listen \[::\]:\d+( ssl)?;/g, ''],
      ['server_name id.example.com;', 'server_name localhost;'],
      ['/etc/ssl/id.example.com.pem', certificate],
      ['/etc/ssl/private/id.example.com.key', key],
      ['/var/log/nginx/latchkey.log', join(folder, 'access.log')],
    ])
    writeFileSync(join(folder, 'latchkey.conf'), site)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    )
    const main = [
      'daemon off;',
      'worker_processes 2;',
      `pid ${join(folder, 'nginx.pid')};`,
      'error_log stderr warn;',
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      'events { worker_connections 1024; }',
      `http { ${paths.join(' ')} include ${join(folder, 'latchkey.conf')}; }`,
    ]
    writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
    return { command: ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')] }
  },
}

const haproxy: ProxyKind = {
  name: 'HAProxy',
  file: 'deploy/haproxy/haproxy.cfg',
  isHere: () => answers('haproxy', '-v'),
  prepare(folder, ports) {
    const { certificate, key, both } = pathsIn(folder)
    writeFileSync(both, `${readFileSync(certificate, 'utf8')}${readFileSync(key, 'utf8')}`)
    const text = change(read(haproxy.file), [
      ...nodePorts(ports),
      ['log /dev/log local0', 'log stdout format raw local0'],
      ['maxconn 20000', 'maxconn 1000'],
      [/^ {4}(?:user|group) haproxy\n/gm, ''],
      [/^ {4}bind :::.*\n/gm, ''],
      ['bind :80', `bind 127.0.0.1:${ports.http}`],
      ['bind :443', `bind 127.0.0.1:${ports.https}`],
      ['/etc/haproxy/id.example.com.pem', both],
    ])
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, text)
    return { command: ['haproxy', '-db', '-f', file] }
  },
}

const caddy: ProxyKind = {
  name: 'Caddy',
  file: 'deploy/caddy/Caddyfile',
  isHere: () => answers('caddy', 'version'),
  prepare(folder, ports) {
    const { certificate, key } = pathsIn(folder)
    const site = change(read(caddy.file), [
      ...nodePorts(ports),
      [/^id\.example\.com \{/gm, `https://localhost:${ports.https} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ])
    const file = join(folder, 'Caddyfile')
    // Without a grace period Caddy waits for open requests for as long as they take.
    const options = ['admin off', `http_port ${ports.http}`, 'default_bind 127.0.0.1', 'grace_period 5s']
    writeFileSync(file, `{\n\t${options.join('\n\t')}\n}\n${site}`)
    return {
      command: ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
      env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    }
  },
}

export const proxies: readonly ProxyKind[] = [nginx, haproxy, caddy]

function answers(program: string, parameter: string): boolean {
  return spawnSync(program, [parameter]).status === 0
}

const pathsIn = (folder: string) => ({
  certificate: join(folder, 'certificate.pem'),
  key: join(folder, 'key.pem'),
  both: join(folder, 'both.pem'),
})

/** Makes a certificate for `localhost` that this process trusts, for what it fetches from now on. */
function makeCertificate(folder: string): void {
  const { certificate, key } = pathsIn(folder)
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')])
}

/** Starts a proxy in a folder of its own and waits until it answers. Rejects with what it wrote when it ends before. */
export async function startProxy(kind: ProxyKind, ports: Ports): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-proxy-'))
  makeCertificate(folder)
  const { command, env } = kind.prepare(folder, ports)
  const [file = '', ...parameters] = command
  const child: ChildProcess = spawn(file, parameters, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = once(child, 'close').then(() => 'ended' as const)
  const address = `https://localhost:${ports.https}/`
  const plainAddress = `http://127.0.0.1:${ports.http}/`
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const asked = () =>
    fetch(new URL('healthz', address), { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  for (;;) {
    const answered = await Promise.race([asked(), ended])
    if (answered === true) return { address, plainAddress, output: () => output, stop }
    if (answered === 'ended') {
      rmSync(folder, { recursive: true, force: true })
      throw new Error(`${kind.name} ended:\n${output}`)
    }
  }
}
