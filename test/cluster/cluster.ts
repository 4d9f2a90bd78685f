/**
 * Three PostgreSQL under Patroni, etcd, and HAProxy in front: the configuration of `deploy/`, on loopback ports.
 *
 * Everything works below one folder and ends with the test process at the latest (`watchdog.ts`).
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { read } from '../repository/sources.ts'
import { freePort } from '../support/free-port.ts'
import { findPrograms, missingLine } from './packages.ts'
import { type Relay, startRelay } from './relay.ts'
import { guardFolder, handOver, killBelow, makeFolder, type Server, startServer, until } from './watchdog.ts'

export type Replication = 'synchronous' | 'asynchronous'

export type ClusterOptions = {
  /** An existing folder for its files; default: a new one on the disk, since commits wait for it. It is removed at the end. */
  readonly folder?: string
  /** Default: `synchronous`, as the shipped configuration has it. */
  readonly replication?: Replication
  /** Changes the configuration of a member further, before it is started. */
  readonly configure?: (patroni: string, member: Member) => string
  /** The configuration restores a backup, so that the database of the service is there. Default: false. */
  readonly isRestored?: boolean
}

export type Member = {
  readonly name: string
  /** Of PostgreSQL. */
  readonly port: number
  /** Of Patroni. */
  readonly restPort: number
  /** Its files, below which its data are in `data`. */
  readonly folder: string
}

/** What Patroni says of a member. `role`: `leader`, `sync_standby`, `replica`; `lag`: bytes. */
export type MemberState = {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | string
  /** A setting was changed that needs a restart. */
  readonly pending_restart?: boolean
}

export type Cluster = {
  readonly folder: string
  readonly replication: Replication
  /** The database of the service through HAProxy, as its owner `latchkey`. */
  readonly url: string
  /** The same with the three servers by name. */
  readonly hostsUrl: string
  readonly members: readonly Member[]
  /** The address of a database on one server, as the superuser. */
  superuserUrl(name: string, database?: string): string
  /** What the members say. Rejects if none of them answers. */
  state(): Promise<readonly MemberState[]>
  /** Waits until a member is the only primary and takes writes. */
  primary(): Promise<Member>
  /** Waits until both replicas follow the primary, one of them synchronously if replication is synchronous. */
  settled(): Promise<void>
  /** Hands the role of the primary to the synchronous replica, or with asynchronous replication to any; the new primary. */
  switchOver(): Promise<Member>
  /** Ends Patroni and PostgreSQL of a member at once (SIGKILL), as a power cut would. */
  kill(name: string): Promise<void>
  /** Ends Patroni alone, and leaves PostgreSQL without anybody who watches it. */
  killPatroni(name: string): Promise<void>
  start(name: string): void
  /** Cuts the line between Patroni of a member and etcd. PostgreSQL and its REST interface stay reachable. */
  cutFromEtcd(name: string): void
  reconnect(name: string): void
  killEtcd(): Promise<void>
  startEtcd(): Promise<void>
  killProxy(): Promise<void>
  startProxy(): void
  /** Ends all of it at once (SIGKILL) and starts it again. Does not wait until it takes writes. */
  restart(): Promise<void>
  /** The last lines of every log. */
  logs(): string
  stop(): Promise<void>
}

/** As in the shipped configuration, each replaced in the filled-in one. */
const passwords = {
  patroni: 'patroni-of-the-test',
  superuser: 'superuser-of-the-test',
  replicator: 'replicator-of-the-test',
  rewinder: 'rewinder-of-the-test',
  latchkey: 'latchkey-of-the-test',
}

/** A machine with two cores that does something else besides. */
const patienceMs = 120_000

/** Resolves when the database of the service is there, and both replicas follow. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { programs } = findPrograms()
  if (programs === undefined) throw new Error(missingLine())
  const { replication = 'synchronous', configure = (text: string) => text } = options
  const folder = realpathSync(options.folder ?? mkdtempSync(join(tmpdir(), 'latchkey-cluster-')))
  makeFolder(folder)
  handOver(folder)
  const watchdog = guardFolder(folder)

  const etcdPort = await freePort()
  const etcdPeerPort = await freePort()
  const proxyPort = await freePort()
  const members: Member[] = []
  const relays = new Map<string, Relay>()
  for (const name of ['db1', 'db2', 'db3']) {
    const member = { name, port: await freePort(), restPort: await freePort(), folder: makeFolder(join(folder, name)) }
    members.push(member)
    relays.set(name, await startRelay(await freePort(), etcdPort))
  }
  const etcdFolder = makeFolder(join(folder, 'etcd'))
  const proxyFolder = makeFolder(join(folder, 'proxy'))
  const servers = new Map<string, Server>()
  const member = (name: string): Member => {
    const found = members.find((one) => one.name === name)
    if (found === undefined) throw new Error(`there is no member ${name}`)
    return found
  }
  const url = (servers: string, query = '') => `postgres://latchkey:${passwords.latchkey}@${servers}/latchkey${query}`

  const cluster: Cluster = {
    folder,
    replication,
    url: url(`127.0.0.1:${proxyPort}`),
    hostsUrl: url(members.map(({ port }) => `127.0.0.1:${port}`).join(','), '?target_session_attrs=read-write'),
    members,
    superuserUrl: (name, database = 'postgres') =>
      `postgres://postgres:${passwords.superuser}@127.0.0.1:${member(name).port}/${database}`,
    async state() {
      const { members: found } = (await Promise.any(
        members.map(async ({ restPort }) => (await ask(restPort, '/cluster')).json()),
      )) as { members: MemberState[] }
      return found
    },
    primary: () =>
      until('one member is the primary', patienceMs, async () => {
        const roles = await Promise.all(members.map(async (one) => ((await isPrimary(one)) ? one : undefined)))
        const primaries = roles.filter((one) => one !== undefined)
        return primaries.length === 1 ? primaries[0] : undefined
      }),
    async settled() {
      await cluster.primary()
      await until('both replicas follow the primary', patienceMs, async () => {
        const found = await cluster.state()
        const following = found.filter(
          ({ role, state }) => role !== 'leader' && ['running', 'streaming'].includes(state),
        )
        const isSynchronous = found.some(({ role }) => role === 'sync_standby')
        const attached = await attachedReplicas(cluster.superuserUrl((await cluster.primary()).name))
        return (
          following.length === 2 &&
          attached.length === 2 &&
          (replication === 'asynchronous' || (isSynchronous && attached.includes('sync')))
        )
      })
    },
    async switchOver() {
      const leader = await cluster.primary()
      const authorization = `Basic ${Buffer.from(`patroni:${passwords.patroni}`).toString('base64')}`
      const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ leader: leader.name }),
        signal: AbortSignal.timeout(patienceMs),
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`Patroni did not switch over: ${answer.status} ${text}`)
      return until('another member is the primary', patienceMs, async () => {
        const now = await cluster.primary()
        return now.name === leader.name ? undefined : now
      })
    },
    async kill(name) {
      await servers.get(name)?.kill()
      await killBelow(member(name).folder)
    },
    killPatroni: async (name) => servers.get(name)?.kill(),
    start(name) {
      const { folder: own } = member(name)
      const env = {
        // Through the relay alone, whatever addresses etcd names.
        PATRONI_ETCD3_USE_PROXIES: 'true',
        PYTHONDONTWRITEBYTECODE: '1',
      }
      servers.set(name, startServer('patroni', [programs.patroni, join(own, 'patroni.yml')], { folder: own, env }))
    },
    cutFromEtcd: (name) => relays.get(name)?.cut(),
    reconnect: (name) => relays.get(name)?.mend(),
    killEtcd: async () => servers.get('etcd')?.kill(),
    async startEtcd() {
      const address = `http://127.0.0.1:${etcdPort}`
      const peer = `http://127.0.0.1:${etcdPeerPort}`
      const command = [
        ...[programs.etcd, '--name', 'etcd1', '--data-dir', join(etcdFolder, 'data'), '--log-level', 'warn'],
        ...['--listen-client-urls', address, '--advertise-client-urls', address],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd1=${peer}`],
      ]
      servers.set('etcd', startServer('etcd', command, { folder: etcdFolder }))
      await until('etcd answers', patienceMs, async () => (await ask(etcdPort, '/health')).status === 200)
    },
    killProxy: async () => servers.get('proxy')?.kill(),
    startProxy() {
      const command = [programs.haproxy, '-db', '-f', join(proxyFolder, 'haproxy.cfg')]
      servers.set('proxy', startServer('haproxy', command, { folder: proxyFolder }))
    },
    async restart() {
      await Promise.all([cluster.killEtcd(), cluster.killProxy(), ...members.map(({ name }) => cluster.kill(name))])
      cluster.startProxy()
      for (const { name } of members) cluster.start(name)
      await cluster.startEtcd()
    },
    logs: () => [...servers].map(([name, server]) => `--- ${name}\n${server.output()}`).join('\n'),
    async stop() {
      await Promise.all([...relays.values()].map((relay) => relay.stop()))
      await watchdog.release()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  try {
    writeFileSync(join(proxyFolder, 'haproxy.cfg'), proxyConfiguration(proxyPort, members))
    handOver(join(proxyFolder, 'haproxy.cfg'))
    for (const one of members) {
      const file = join(one.folder, 'patroni.yml')
      const text = memberConfiguration(one, {
        etcdPort: relays.get(one.name)?.port ?? 0,
        postgresFolder: programs.postgres,
        replication,
      })
      writeFileSync(file, configure(text, one), { mode: 0o600 })
      handOver(file)
    }
    await cluster.startEtcd()
    cluster.startProxy()
    for (const { name } of members) cluster.start(name)
    const { name } = await cluster.primary()
    if (options.isRestored !== true) {
      await execute(cluster.superuserUrl(name), [
        `create role latchkey login password '${passwords.latchkey}'`,
        'create database latchkey owner latchkey',
      ])
    }
    await cluster.settled()
    await until('HAProxy leads to the primary', patienceMs, async () => {
      await execute(cluster.url, ['select 1'])
      return true
    })
    return cluster
  } catch (error) {
    const logs = cluster.logs()
    await cluster.stop()
    throw new Error(`the cluster did not start:\n${logs}`, { cause: error })
  }
}

/** Replaces every pattern, each of which must be there: a shipped file that was changed is not filled in by half. */
export function fill(
  text: string,
  changes: readonly (readonly [pattern: string | RegExp, replacement: string])[],
): string {
  return changes.reduce((before, [pattern, replacement]) => {
    if (before.split(pattern).length === 1) throw new Error(`${pattern} is not in the shipped file`)
    return before.replaceAll(pattern, replacement)
  }, text)
}

function memberConfiguration(
  { name, port, restPort, folder }: Member,
  {
    etcdPort,
    postgresFolder,
    replication,
  }: { readonly etcdPort: number; readonly postgresFolder: string; readonly replication: Replication },
): string {
  const filled = fill(read('deploy/patroni/patroni.yml'), [
    ['name: db1', `name: ${name}`],
    ['192.0.2.21:2379,192.0.2.22:2379,192.0.2.23:2379', `127.0.0.1:${etcdPort}`],
    ['192.0.2.11:8008', `127.0.0.1:${restPort}`],
    ['192.0.2.11:5432', `127.0.0.1:${port}`],
    ['192.0.2.0/24', '127.0.0.1/32'],
    ['/usr/lib/postgresql/15/bin', postgresFolder],
    ['/var/lib/postgresql/15/latchkey', join(folder, 'data')],
    ['/var/lib/postgresql/latchkey.pgpass', join(folder, 'pgpass')],
    ['unix_socket_directories: /var/run/postgresql', "unix_socket_directories: ''"],
    [/^ {4}- local all all peer\n/gm, ''],
    // Below the folder, where a server that was killed leaves nothing behind.
    ['      parameters:\n', '      parameters:\n        dynamic_shared_memory_type: mmap\n'],
    ['change-me-patroni', passwords.patroni],
    ['change-me-superuser', passwords.superuser],
    ['change-me-replicator', passwords.replicator],
    ['change-me-rewinder', passwords.rewinder],
  ])
  if (replication === 'synchronous') return filled
  return fill(filled, [
    ['synchronous_mode: true', 'synchronous_mode: false'],
    ['synchronous_mode_strict: true', 'synchronous_mode_strict: false'],
  ])
}

function proxyConfiguration(port: number, members: readonly Member[]): string {
  return fill(read('deploy/haproxy/databases.cfg'), [
    ['log /dev/log local0', 'log stdout format raw local0'],
    [/^ {4}(?:user|group) haproxy\n/gm, ''],
    ['bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`],
    ...members.map(
      (one, index) =>
        [`192.0.2.1${index + 1}:5432 check port 8008`, `127.0.0.1:${one.port} check port ${one.restPort}`] as const,
    ),
  ])
}

/** An answer of Patroni or etcd. Each question has a connection of its own. */
function ask(port: number, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(3_000),
  })
}

/** Whether Patroni of this member holds the leader key, and its PostgreSQL takes writes. */
async function isPrimary({ restPort }: Member): Promise<boolean> {
  try {
    return (await ask(restPort, '/primary')).status === 200
  } catch {
    return false
  }
}

async function attachedReplicas(url: string): Promise<string[]> {
  const rows = await execute(url, ["select sync_state from pg_stat_replication where state = 'streaming'"])
  return rows.map(({ sync_state }) => String(sync_state))
}

/** Runs statements one after the other on a connection of their own; the rows of the last. */
export async function execute(
  url: string,
  statements: readonly string[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 5, fetch_types: false })
  try {
    let rows: readonly Readonly<Record<string, unknown>>[] = []
    for (const statement of statements) rows = [...(await sql.unsafe(statement))]
    return rows
  } finally {
    await sql.end({ timeout: 1 })
  }
}
