/** Makes `docs/libraries.md`: for each library and product the command that registers it, and its settings. */
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
    'What `latchkey client add --for` prints, with an issuer and addresses as an example. The command prints it with the values of your',
    'client, its secret among them ([recipes.md](recipes.md#one-command-for-a-library)). The texts follow the documentation of each library.',
    'Those of Express and Fastify are run by the tests as they are printed, and most of the other libraries for Node.js, Python, Ruby, Go',
    'and the browser as programs in [`examples/clients`](../examples/clients/README.md).',
    '',
    ...contents,
    '',
    ...clientTemplates.flatMap(sectionOf),
  ].join('\n')
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
    ...{ issuer, clientId: id, secret: hasSecret ? secret : '', base, redirectUri },
    scope: ['openid', ...scopes].join(' '),
  }
  const { title, language, code, notes } = template.setup(values)
  const url = template.takes === 'nothing' ? '' : ` --url ${base}`
  return [
    `## ${template.title}`,
    '',
    '```sh',
    `latchkey client add ${id} --for ${template.id}${url}`,
    '```',
    '',
    `${title}:`,
    '',
    `\`\`\`${language}`,
    code,
    '```',
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ]
}
