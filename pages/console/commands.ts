import { shellWord } from '../../src/protocol/shell-word.ts'
import type { Call } from './api.ts'

type Segments = readonly string[]

type Words = readonly string[]

/** A command: its words, or several that follow each other; `readsPassword`: from the standard input. */
type Command = { words: Words; readsPassword?: boolean }

/** The `latchkey` commands that do the same as a call, for a POSIX shell; undefined: there are none. */
export function commandOf(call: Call): string | undefined {
  const { method, path, body, query = {} } = call
  const segments = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent)
  if (segments[0] === 'users') return shown(userCommands(call, segments))
  const words = rules[`${method} ${segments[0]}`]?.(segments, body, query)
  return words && shown([{ words }])
}

function shown(commands: readonly Command[]): string | undefined {
  if (commands.length === 0) return undefined
  return commands
    .map(({ words, readsPassword }) => {
      const command = `latchkey ${words.map(shellWord).join(' ')}`
      return readsPassword ? `printf '%s\\n' "$PASSWORD" | ${command}` : command
    })
    .join(' && ')
}

/** Options come first: after `--`, a name that begins with a hyphen is no option. */
const withNames = (command: Words, options: Words, names: Words): string[] => [
  ...command,
  ...options,
  ...(names.some((name) => name.startsWith('-')) ? ['--'] : []),
  ...names,
]

type Rule = (segments: Segments, body: unknown, query: NonNullable<Call['query']>) => string[] | undefined

const only =
  (length: number, ...command: string[]): Rule =>
  (segments) =>
    segments.length === length ? withNames(command, [], segments.slice(1)) : undefined

const deletion =
  (kind: string): Rule =>
  ([, name, below]) =>
    name === undefined || below !== undefined ? undefined : withNames([kind, 'delete'], ['--yes'], [name])

const rules: Record<string, Rule> = {
  'GET scopes': only(1, 'scope', 'list'),
  'DELETE scopes': deletion('scope'),
  'POST scopes': (_, body) => {
    const {
      name,
      display_name,
      description,
      resources = [],
      ...others
    } = body as Record<string, string> & { resources?: string[] }
    const texts = Object.entries(others).filter(([member, text]) => text && /#|^purpose$/.test(member))
    const given = [
      ...(display_name ? [`--display-name=${display_name}`] : []),
      ...(description ? [`--description=${description}`] : []),
      ...texts.map(([member, text]) => `--text=${member}=${text}`),
      ...resources.flatMap((one) => [`--resource=${one}`]),
    ]
    return name === undefined ? undefined : withNames(['scope', 'add'], given, [name])
  },
  'GET attributes': (segments) =>
    withNames(['attribute', segments.length === 1 ? 'list' : 'show'], [], segments.slice(1)),
  'DELETE attributes': deletion('attribute'),
  'POST attributes': (_, body) => {
    const { name = '', ...members } = body as { name?: string }
    const given = Object.entries(members).filter(([, value]) => value !== null && value !== false)
    return withNames(['attribute', 'add'], [], [name, ...memberWords(given)])
  },
  'PATCH attributes': ([, name], body) =>
    name === undefined
      ? undefined
      : withNames(['attribute', 'set'], [], [name, ...memberWords(Object.entries(body as object))]),
  'GET branding': only(1, 'branding', 'show'),
  'PATCH branding': (_, body) => {
    // A command reads a logo from a file.
    const given = Object.entries(body as object).map(
      ([name, value]) => [name, /^logo/.test(name) && value !== null ? `${name}.png` : value] as const,
    )
    return ['branding', 'set', ...memberWords(given)]
  },
  // A command knows a group by its path.
  'GET groups': only(1, 'group', 'list'),
  'GET doctor': only(1, 'doctor'),
  'GET mail': only(1, 'mail', 'list'),
  'POST mail': (segments) => (segments[1] ? ['mail', 'retry', segments[1]] : undefined),
  'GET keys': only(1, 'keys', 'list'),
  'POST keys': only(2, 'keys'),
  'GET explain': only(2, 'explain'),
  'POST audit': only(2, 'audit'),
  'GET audit': ([, stream], _, query) => {
    const given = Object.entries(auditOptions).flatMap(([name, option]) =>
      [query[name] ?? ''].flat().flatMap((value) => (value === '' ? [] : [option, String(value)])),
    )
    return ['audit', 'list', ...given, ...(stream === 'stream' ? ['--follow'] : [])]
  },
  'DELETE clients': deletion('client'),
  // The API makes an id up; a command takes the one that it is given.
  'POST clients': ([, id, action], body) => {
    if (action === 'rotate-secret' && id !== undefined) {
      const { overlap_seconds: overlap = 0 } = body as { overlap_seconds?: number }
      return withNames(['client', 'rotate-secret'], ['--overlap', String(overlap)], [id])
    }
    if (id !== undefined) return undefined
    const { client_name: name = '', template, base_url: base, ...members } = body as NewClient
    const given = Object.entries(members).filter(([, value]) => value !== '')
    const made = [...(template ? ['--for', template] : []), ...(base ? ['--url', base] : [])]
    return ['client', 'add', slugOf(name), ...made, ...memberWords([['client_name', name], ...given])]
  },
  'GET client-templates': only(1, 'client', 'templates'),
  'PATCH clients': ([, id], body) =>
    id === undefined
      ? undefined
      : withNames(['client', 'set'], [], [id, ...memberWords(Object.entries(body as object))]),
  'POST invitations': ([, id], body) => {
    if (id !== undefined) return undefined
    const { email, roles = [], send = true } = body as { email: string; roles?: string[]; send?: boolean }
    return withNames(['user', 'invite'], [...(send ? [] : ['--link']), ...rolesAsOptions(roles)], [email])
  },
  'DELETE invitations': ([, id]) =>
    id === undefined ? undefined : withNames(['user', 'withdraw-invitation'], [], [id]),
  'GET invitations': only(1, 'user', 'invitations'),
  'GET clients': (segments) =>
    segments.length === 1
      ? ['client', 'list']
      : segments.length === 2
        ? withNames(['client', 'show'], [], [segments[1] ?? ''])
        : undefined,
}

type NewClient = { client_name?: string; template?: string; base_url?: string }

const auditOptions = {
  kind: '--kind',
  outcome: '--outcome',
  exclude_client_id: '--exclude-client',
  user_id: '--user',
  client_id: '--client',
  trace_id: '--trace',
  since: '--since',
  until: '--until',
}

/** Commands that are called as the action is in the API. */
const actions: ReadonlySet<string> = new Set([
  'lock',
  'unlock',
  'send-reset',
  'send-confirmation',
  'reset-second-factor',
])

function userCommands(call: Call, [, id, action, item]: Segments): Command[] {
  const { method, body, query = {}, username, rolesBefore } = call
  const isFiltered = Object.entries(query).some(
    ([name, value]) => name !== 'cursor' && value !== undefined && value !== '',
  )
  if (id === undefined) {
    if (method === 'POST') return additions(body as NewPerson)
    return method === 'GET' && !isFiltered ? [{ words: ['user', 'list'] }] : []
  }
  if (username === undefined) return []
  const about = (command: string, options: Words = [], more: Words = []) => ({
    words: withNames(['user', command], options, [username, ...more]),
  })
  if (method === 'DELETE' && action === 'authenticator-apps' && item !== undefined)
    return [about('remove-authenticator-app', [], [item])]
  if (item !== undefined) return []
  if (method === 'PUT' && action === 'roles' && rolesBefore !== undefined) {
    const roles = body as string[]
    return [
      ...roles.filter((one) => !rolesBefore.includes(one)).map((one) => about('add-role', [], [one])),
      ...rolesBefore.filter((one) => !roles.includes(one)).map((one) => about('remove-role', [], [one])),
    ]
  }
  if (method === 'POST' && action === 'set-password')
    return [{ ...about('set-password', ['--password-stdin']), readsPassword: true }]
  if (method === 'POST' && action !== undefined && actions.has(action)) {
    const { until } = (body ?? {}) as { until?: string }
    return [about(action, until === undefined ? [] : ['--until', until])]
  }
  if (action !== undefined) return []
  if (method === 'DELETE') return [about('delete', ['--yes'])]
  if (method !== 'PATCH') return []
  const { attributes = {}, required_actions: asked, ...members } = body as Changes
  // The command takes this list with commas.
  const given = { ...members, ...(asked && { required_actions: asked.join(',') }) }
  return [about('set', [], memberWords([...Object.entries(given), ...Object.entries(attributes)]))]
}

type Changes = { attributes?: object; required_actions?: string[] }
type NewPerson = { username: string; email: string; password?: string; roles?: string[]; email_verified?: boolean }

/** `user add` takes no claims: they are set afterwards. */
function additions({ username, email, password, roles = [], email_verified, ...claims }: NewPerson): Command[] {
  const options = [
    `--email=${email}`,
    ...rolesAsOptions(roles),
    ...(email_verified ? ['--email-confirmed'] : []),
    password === undefined ? '--no-password' : '--password-stdin',
  ]
  const members = memberWords(Object.entries(claims))
  return [
    { words: withNames(['user', 'add'], options, [username]), readsPassword: password !== undefined },
    ...(members.length > 0 ? [{ words: withNames(['user', 'set'], [], [username, ...members]) }] : []),
  ]
}

const rolesAsOptions = (roles: Words): string[] => roles.map((role) => `--role=${role}`)

/** `MEMBER=VALUE`: texts as they are, everything else as JSON; no value is the default. */
function memberWords(members: readonly (readonly [string, unknown])[]): string[] {
  return members.map(([member, value]) => `${member}=${typeof value === 'string' ? value : textOf(value)}`)
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value))

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'app' : slug
}
