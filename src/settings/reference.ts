/** Generates the documentation of the settings from their table. */
import { isFixed } from './reload.ts'
import { parameterSetting, providerTable, type Setting, settingsTable } from './table.ts'

/** What the settings mean and which values they take, each text once. What is code alone has nothing to translate. */
export function settingTexts(): string[] {
  const all = [...Object.values(settingsTable), ...Object.values(providerTable), parameterSetting] as Setting<unknown>[]
  const texts = new Set([...all.map(({ meaning }) => meaning), ...all.map(({ kind }) => kind.type)])
  return [...texts].filter((text) => /\p{L}/u.test(text.replaceAll(/`[^`]*`/g, '')))
}

export function settingsReference(): string {
  const providers = Object.entries(providerTable).map(([part, setting]) =>
    row(`OAuth:External:<Provider>:${part}`, setting),
  )
  providers.push(row('OAuth:External:<Provider>:Parameters:<name>', parameterSetting))
  return `# Settings

Generated from \`src/settings/table.ts\`; change it there.

Settings come from three places, of which a later one takes precedence: the defaults below, a JSON file (\`latchkey.json\` in the working
directory, or the file after \`--config\`), and the environment. A name's \`:\` is nesting in the file and \`__\` in the
environment. Names are compared without regard to case.

\`\`\`json
{ "OAuth": { "Issuer": "https://id.example.com/", "AccessTokenLifetime": 600 } }
\`\`\`

\`\`\`sh
OAuth__Issuer=https://id.example.com/ OAuth__AccessTokenLifetime=600 latchkey serve
\`\`\`

An empty value means the default. A list is a JSON array in the file; in the environment its items are numbered
(\`Cors__Origins__0\`, \`Cors__Origins__1\`) or separated by commas. A list from a later place replaces the earlier one as a
whole. An unknown name or a malformed value stops the start, and all problems are reported at once. A variable whose
section is nearly one of these (\`Branding__Name\`) is ignored with a warning. Values of secrets are never written to a message or the log.

A running service reads the file again on \`SIGHUP\`. Settings that are marked with ↻ need a restart instead; a reload that
would change one of them is refused as a whole, and so is one with a problem.

| Setting | Default | Value | Meaning |
|---|---|---|---|
${Object.entries(settingsTable)
  .map(([name, setting]) => row(name, setting))
  .join('\n')}

## External providers

\`<Provider>\` is a name of your choice. It appears in the callback address to register at the provider,
\`<scheme>://<host>/callback/login/<Provider>\`, with the host of the issuer. \`GitHub\` works with a client id and a client secret alone; any other name needs
\`Issuer\`, or all three endpoints.

In the environment \`_\` in the name of a provider stands for \`-\`, because \`/bin/sh\` and many tools drop variables with a dash:
\`OAuth__External__Entra_ID__ClientId\` sets the provider \`Entra-ID\`, whose callback address ends in \`/callback/login/Entra-ID\`. The log of a
start and \`latchkey doctor\` say so. A provider of the file keeps the name that it has there: with
\`{"OAuth": {"External": {"My_Idp": {"DisplayName": "Ours"}}}}\`, the variables \`OAuth__External__My_Idp__…\` mean \`My_Idp\`. Two names that differ
by \`_\` and \`-\` alone stop the start.

| Setting | Default | Value | Meaning |
|---|---|---|---|
${providers.join('\n')}
`
}

function row(name: string, { default: value, kind, meaning }: Setting<unknown>): string {
  const shown = value === undefined ? 'none' : value === '' ? 'empty' : `\`${value}\``
  return `| \`${name}\` | ${shown} | ${kind.type} | ${meaning}${isFixed(name) ? ' ↻' : ''} |`
}
