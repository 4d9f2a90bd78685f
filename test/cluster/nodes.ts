/** Processes of the service on a cluster, behind the HAProxy of `deploy/haproxy/haproxy.cfg` without its TLS. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { read } from '../repository/sources.ts'
import { freePort } from '../support/free-port.ts'
import { seedDatabase } from '../support/seed.ts'
import { guard, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type Cluster, fill } from './cluster.ts'
import { findPrograms } from './packages.ts'
import { handOver, makeFolder, startServer, until } from './watchdog.ts'

export type NodesOptions = {
  /** At most three; default: three. */
  readonly count?: number
  /** Default: the address of the cluster through HAProxy. */
  readonly databaseUrl?: string
  /** Settings of every node, in their environment form. */
  readonly env?: Readonly<Record<string, string>>
  /** People who can sign in with the password of the tests. */
  readonly people?: readonly string[]
  /** Another release, which also makes the schema. Then nothing is stored but what it stores itself. */
  readonly program?: string
  readonly args?: readonly string[]
}

export type Nodes = {
  /** The address of the proxy, with a trailing slash. */
  readonly issuer: string
  /** The working folder of the nodes and of `cli`. */
  readonly folder: string
  /** The environment of the nodes and of `cli`. */
  readonly env: Readonly<Record<string, string>>
  /** The node at each place; undefined: it is stopped. */
  readonly processes: readonly (ServiceProcess | undefined)[]
  /** Starts what was stopped or killed, also as another release; waits until the node answers. */
  start(index: number, program?: string): Promise<void>
  /** SIGTERM; the exit code. */
  stopOne(index: number): Promise<number | null>
  /** SIGKILL. */
  kill(index: number): Promise<void>
  /** Stops a node and starts another release in its place. */
  replace(index: number, program?: string): Promise<void>
  /** What `/readyz` of each node says: its status, 0 if it does not answer. */
  readiness(): Promise<readonly number[]>
  /** Waits until every node says that it is ready. */
  ready(): Promise<void>
  /** Runs a command of this checkout on the database of the cluster. Rejects with what it printed unless it ends with 0. */
  cli(...parameters: string[]): Promise<string>
  /** The end of what each node wrote. */
  logs(): string
  stop(): Promise<void>
}

const ownProgram = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))
const readyWithinMs = 60_000

/** Makes the schema, the demo client and the people, starts the nodes, and waits until they are ready. */
export async function startNodes(cluster: Cluster, options: NodesOptions = {}): Promise<Nodes> {
  const { count = 3, people = ['alice'], databaseUrl = cluster.url, args = [] } = options
  const { programs } = findPrograms()
  const folder = makeFolder(join(cluster.folder, 'nodes'))
  const ports = [await freePort(), await freePort(), await freePort()]
  const proxyPort = await freePort()
  const issuer = `http://localhost:${proxyPort}/`
  const env: Record<string, string> = {
    Database__Url: databaseUrl,
    Keys__MasterKey: Buffer.alloc(32, 7).toString('base64'),
    OAuth__Issuer: issuer,
    Server__TrustProxy: '127.0.0.1',
    // Long enough for HAProxy to notice that a node is about to stop.
    Server__DrainDelay: '3',
    Log__Level: 'info',
    ...options.env,
  }
  if (options.program === undefined) {
    await seedDatabase({ kind: 'postgres', url: databaseUrl }, people)
  }
  const processes: (ServiceProcess | undefined)[] = []
  const nodes: Nodes = {
    issuer,
    folder,
    env,
    processes,
    async start(index, program) {
      const port = ports[index] ?? 0
      processes[index] = await startProcess({ port, folder, env, args, ...(program !== undefined && { program }) })
    },
    async stopOne(index) {
      const code = await processes[index]?.stop()
      processes[index] = undefined
      return code ?? null
    },
    async kill(index) {
      await processes[index]?.kill()
      processes[index] = undefined
    },
    async replace(index, program) {
      await nodes.stopOne(index)
      await nodes.start(index, program)
    },
    readiness: () =>
      Promise.all(
        processes.map(async (node) => {
          if (node === undefined) return 0
          const asked = fetch(new URL('readyz', node.address), { signal: AbortSignal.timeout(15_000) })
          return asked.then(
            ({ status }) => status,
            () => 0,
          )
        }),
      ),
    async ready() {
      await until('every node is ready', readyWithinMs, async () =>
        (await nodes.readiness()).every((status, index) => processes[index] === undefined || status === 200),
      )
      await until('the proxy leads to a node', readyWithinMs, async () => {
        const { status } = await fetch(new URL('readyz', issuer), { signal: AbortSignal.timeout(15_000) })
        return status === 200
      })
    },
    async cli(...parameters) {
      const { stdout } = await promisify(execFile)(ownProgram, parameters, {
        cwd: folder,
        env: { PATH: process.env.PATH, ...guard, ...env },
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout
    },
    logs: () => processes.map((node, index) => `--- node ${index}\n${node?.output().slice(-4000)}`).join('\n'),
    async stop() {
      await Promise.all(processes.map((_node, index) => nodes.kill(index)))
      await proxy.kill()
    },
  }
  const proxyFolder = makeFolder(join(folder, 'proxy'))
  const file = join(proxyFolder, 'haproxy.cfg')
  writeFileSync(file, proxyConfiguration(proxyPort, ports))
  handOver(file)
  const proxy = startServer('haproxy', [programs?.haproxy ?? 'haproxy', '-db', '-f', file], { folder: proxyFolder })
  try {
    // The first makes the schema of another release.
    for (let index = 0; index < count; index += 1) await nodes.start(index, options.program)
    await nodes.ready()
    return nodes
  } catch (error) {
    await nodes.stop()
    throw error
  }
}

function proxyConfiguration(port: number, nodes: readonly number[]): string {
  return fill(read('deploy/haproxy/haproxy.cfg'), [
    ['log /dev/log local0', 'log stdout format raw local0'],
    ['maxconn 20000', 'maxconn 1000'],
    [/^ {4}(?:user|group) haproxy\n/gm, ''],
    [/^ {4}bind (?::::80|:443|:::443) .*\n/gm, ''],
    [/^ {4}http-request redirect location https:.*\n/gm, ''],
    ['X-Forwarded-Proto https', 'X-Forwarded-Proto http'],
    ['bind :80', `bind 127.0.0.1:${port}`],
    ...nodes.map((node, index) => [`127.0.0.1:${5081 + index}`, `127.0.0.1:${node}`] as const),
  ])
}
