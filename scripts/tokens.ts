/** The design tokens (`pages/kit/tokens.css`) for those who cannot name them: emails, the service, and built sheets. */
import { readFileSync } from 'node:fs'

type Values = Readonly<Record<string, string>>

export type Tokens = {
  /** What no theme changes, such as space, type and radius. */
  readonly fixed: Values
  /** Colours, by theme. */
  readonly light: Values
  readonly dark: Values
}

export function readTokens(): Tokens {
  const sheet = readFileSync(new URL('../pages/kit/tokens.css', import.meta.url), 'utf8')
  const [light = {}, dark = {}] = sheet.split('@media').map(declarations)
  // A value that names another token changes with it.
  const themed = (name: string): boolean => name in dark || /^var/.test(light[name] ?? '')
  const some = (wanted: boolean): Values =>
    Object.fromEntries(Object.entries(light).filter(([name]) => themed(name) === wanted))
  return { fixed: some(false), light: some(true), dark: { ...some(true), ...dark } }
}

function declarations(block: string): Values {
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))
}

/** Puts the fixed tokens in their places in a built sheet, so that pages load values alone. A brand changes the radii. */
export function withFixedTokens(sheet: string, { fixed }: Tokens): string {
  let written = sheet
  for (const [name, value] of Object.entries(fixed)) {
    if (name.startsWith('radius-')) continue
    written = written
      .replaceAll(new RegExp(`--${name}:[^;}]*;?`, 'g'), '')
      .replaceAll(`var(--${name})`, value.replace(/^0\./, '.'))
  }
  return written
}

/** The tokens as a module of the service. */
export function tokensModule(): string {
  return `// Made from pages/kit/tokens.css by \`npm run generate\`.\nexport const tokens = ${JSON.stringify(readTokens(), null, 2)} as const\n`
}
