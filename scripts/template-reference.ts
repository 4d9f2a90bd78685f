/** Makes `docs/libraries.md`: for each library and product the command that registers it, and its settings. */
import { readFileSync } from 'node:fs'
import { clientTemplates } from '../src/protocol/templates/index.ts'
import type { Template, Values } from '../src/protocol/templates/template.ts'

const issuer = 'https://id.example.com/'
const secret = 'THE_SECRET'

/** Addresses that readers replace, by what a template takes. */
const places: Readonly<Record<Template['takes'], string>> = {
  application: 'https://app.example.com',
  api: 'https://api.example.com',
  scheme: '',
  nothing: '',
}

export function templateReference(): string {
  const contents = clientTemplates.map(({ id, title }) => `- [${title}](#${anchorOf(title)}) (\`${id}\`)`)
  return [
    '# Settings of libraries and products',
    '',
    'Generated from `src/protocol/templates/`; change it there.',
    '',
    'What `latchkey client add --for` prints, here with values as an example ([recipes.md](recipes.md#one-command-for-a-library)): for each',
    'library the command that registers it, its settings, what else it needs, and whether the tests run it. Whole programs for many of them are',
    'in [`examples/clients`](../examples/clients/README.md). A library without a version is that of the machine which runs the tests, such as a',
    'package of Debian. Where a library is missing, its test is skipped and says so.',
    '',
    ...contents,
    '',
    ...clientTemplates.flatMap(sectionOf),
  ].join('\n')
}

const manifest = new URL('../examples/clients/package.json', import.meta.url)
const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly dependencies: Record<string, string> }

const list = new Intl.ListFormat('en-GB')

function checkedLine({ ranWith }: Template): string {
  if (ranWith === undefined) return 'Not run by the tests: it follows the documentation of the library.'
  const named = ranWith.map((name) => [name, dependencies[name]].filter(Boolean).join(' '))
  return `Run by the tests as it is printed, with ${list.format(named)}.`
}

/** As the hosts of repositories make it from a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

function sectionOf(template: Template): readonly string[] {
  const place = places[template.takes]
  const base = place === '' ? template.developedAt : place
  const [redirectUri = ''] = [template.members(base).redirect_uris ?? []].flat() as string[]
  const scopes = [template.members(base).scope ?? []].flat().map(String)
  const hasSecret = String(template.members(base).token_endpoint_auth_method).startsWith('client_secret')
  const id = template.takes === 'api' ? 'orders' : 'shop'
  const values: Values = {
    ...{ issuer, clientId: id, secret: hasSecret ? secret : '', sessionSecret: 'A_RANDOM_TEXT', base, redirectUri },
    scope: ['openid', ...scopes].join(' '),
  }
  const { title, language, code, environment, install, run, notes } = template.setup(values)
  const url = template.takes === 'nothing' ? '' : ` --url ${base}`
  return [
    `## ${template.title}`,
    '',
    checkedLine(template),
    '',
    ...fenced('sh', `latchkey client add ${id} --for ${template.id}${url}`),
    ...(install === undefined ? [] : ['Install:', '', ...fenced('sh', install)]),
    `${title}:`,
    '',
    ...fenced(language, code),
    ...(environment === undefined ? [] : [`${environment.title}:`, '', ...fenced('sh', environment.code)]),
    ...(run === undefined ? [] : ['Start:', '', ...fenced('sh', run)]),
    ...notes.map((note) => `- ${note}`),
    '',
  ]
}

const fenced = (language: string, code: string): readonly string[] => [`\`\`\`${language}`, code, '```', '']
