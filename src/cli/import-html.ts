/** `latchkey import --report FILE`: a page of HTML that needs nothing from elsewhere. Every text in it may be hostile, and is escaped. */
import type { ImportResult } from '../import/run.ts'
import type { FindingKind, FindingSeverity, ImportFinding } from '../storage/port/imports.ts'
import { allFindings } from './import-report.ts'

export type ReportAbout = {
  readonly kind: string
  /** The names of the files. */
  readonly files: readonly string[]
  readonly isDryRun: boolean
  readonly nowMs: number
}

const severities: Readonly<Record<FindingSeverity, readonly [title: string, about: string]>> = {
  lost: ['Does not come', 'It is not here. Where a command is given, it brings it, or stands in for it.'],
  held: ['Comes, and waits', 'It is here, and cannot be used until somebody did what the reason says.'],
  risk: ['Comes with a risk', 'It works as it did, and is less safe than what is registered here.'],
  changed: ['Comes changed', 'It is here as something else.'],
}

const kinds: Readonly<Record<FindingKind, string>> = {
  ...{ realm: 'Settings', client: 'Applications', scope: 'Scopes', mapper: 'Claims', provider: 'External providers' },
  ...{ group: 'Groups', role: 'Roles', organization: 'Organizations', person: 'People' },
}

export function reportPage(result: ImportResult, about: ReportAbout): string {
  const findings = allFindings(result)
  const counted = (severity: FindingSeverity) => findings.filter((one) => one.severity === severity).length
  const tiles: readonly (readonly [number, string])[] = [
    [result.created, about.isDryRun ? 'would come' : 'came'],
    [result.updated, 'changed'],
    [result.skipped, 'were there'],
    [result.failed, 'left out'],
    [counted('held'), 'held'],
    [counted('risk'), 'with a risk'],
  ]
  const title = about.isDryRun ? 'What this import would do' : 'What this import did'
  const when = new Date(about.nowMs).toISOString().slice(0, 16).replace('T', ' ')
  const body = [
    `<header><p class="kicker">Latchkey · import ${text(about.kind)}</p><h1>${title}</h1>`,
    `<p class="about">${text(about.files.join(', '))} · ${when} UTC${about.isDryRun ? ' · nothing was stored' : ''}</p></header>`,
    `<ul class="tiles">${tiles.map(([count, name]) => `<li><b>${count}</b> ${name}</li>`).join('')}</ul>`,
    commandsOf(findings),
    ...Object.keys(severities).map((severity) => sectionOf(severity as FindingSeverity, findings)),
    applicationsOf(findings),
    leftOut(result),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style></head>
<body><main>${body.join('\n')}</main></body></html>
`
}

/** What gives rights over the whole service is beside the person alone: nobody pastes it with others. */
const isOfAdministrators = (command: string) => /^latchkey user add-role .* latchkey-(?:admin|viewer)$/.test(command)

function commandsOf(findings: readonly ImportFinding[]): string {
  const all = [...new Set(findings.flatMap(({ command }) => command ?? []))].filter((one) => !isOfAdministrators(one))
  const settings = all.filter((one) => one.startsWith('{'))
  const commands = all.filter((one) => !one.startsWith('{'))
  const blocks = [
    commands.length === 0 ? '' : `<h3>Commands</h3><pre>${text(commands.join('\n'))}</pre>`,
    settings.length === 0 ? '' : `<h3>In latchkey.json</h3><pre>${text(settings.join('\n'))}</pre>`,
  ].join('')
  return blocks === ''
    ? ''
    : section('to-do', 'What to do', 'To be read one by one: below is what each is for.', blocks)
}

function sectionOf(severity: FindingSeverity, findings: readonly ImportFinding[]): string {
  const [title, about] = severities[severity]
  const all = findings.filter((one) => one.severity === severity)
  if (all.length === 0) return ''
  const groups = Object.entries(kinds).map(([kind, name]) => {
    const of = all.filter((one) => one.kind === kind)
    return of.length === 0 ? '' : `<h3>${name} <span class="count">${of.length}</span></h3>${listOf(of)}`
  })
  return section(severity, title, about, groups.join(''))
}

function listOf(findings: readonly ImportFinding[]): string {
  const items = findings.map(({ source, member, reason, people, table, key, command }) => {
    const place = [table, key === source ? undefined : key].filter((one) => one !== undefined).join(', ')
    const what = [member, place].filter((one) => one !== '').map((one) => `<code>${text(one)}</code>`)
    const who = people === undefined || people === 1 ? '' : `<span class="people">${people} people</span>`
    const told = command === undefined ? '' : `<pre>${text(command)}</pre>`
    return `<li><div class="name">${text(source || 'the source')} ${what.join(' ')} ${who}</div><p>${text(reason)}</p>${told}</li>`
  })
  return `<ul class="findings">${items.join('')}</ul>`
}

/** Each application by itself, for whoever looks after it. */
function applicationsOf(findings: readonly ImportFinding[]): string {
  const of = (one: ImportFinding) => (one.kind === 'mapper' ? one.source.replace(/: [^:]*$/, '') : one.source)
  const clients = new Set(findings.filter(({ kind }) => kind === 'client').map(({ source }) => source))
  const all = Map.groupBy(
    findings.filter((one) => (one.kind === 'client' || one.kind === 'mapper') && clients.has(of(one))),
    of,
  )
  if (all.size === 0) return ''
  const items = [...all]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, list]) => {
      const lines = list.map(
        ({ severity, reason }) => `<li><span class="tag ${severity}">${severity}</span> ${text(reason)}</li>`,
      )
      return `<details><summary>${text(name)} <span class="count">${list.length}</span></summary><ul>${lines.join('')}</ul></details>`
    })
  return section(
    'applications',
    'What each application will notice',
    'Everybody signs in once more, because sessions and refresh tokens do not come. Beside that:',
    items.join(''),
  )
}

/** What could not be read or stored, and has no finding of its own. */
function leftOut({ rows, findings }: ImportResult): string {
  const known = new Set(findings.map(({ reason }) => reason))
  const others = rows.filter(({ reason }) => !known.has(reason))
  if (others.length === 0) return ''
  const items = others.map(({ line, file, table, reason }) => {
    const place = [table ?? file, `line ${line}`].filter((one) => one !== undefined).join(', ')
    return `<tr><td>${text(place)}</td><td>${text(reason)}</td></tr>`
  })
  const head = '<thead><tr><th scope="col">Where</th><th scope="col">Why</th></tr></thead>'
  return section(
    'rows',
    'Rows that were left out',
    'They were there already, or could not be read.',
    `<div class="wide"><table>${head}<tbody>${items.join('')}</tbody></table></div>`,
  )
}

function section(id: string, title: string, about: string, content: string): string {
  return `<section class="${id}" id="${id}"><h2>${title}</h2><p class="about">${about}</p>${content}</section>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text. Marks that change the direction of what follows, and controls but line breaks, are shown as what they are. */
function text(value: string): string {
  const shown = value
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (one) => (one === '\n' ? one : '\ufffd'))
  return shown.replaceAll(/[&<>"']/g, (one) => entities[one] ?? one)
}

const style = `
:root{--paper:#fbfaf8;--ink:#1d1b18;--soft:#6a645b;--line:#e2ddd4;--card:#fff;--lost:#a1261f;--held:#8a5a00;--risk:#a34a00;--changed:#2b5a8c}
@media (prefers-color-scheme:dark){:root{--paper:#171614;--ink:#ece8e1;--soft:#a39c90;--line:#35322d;--card:#1f1d1a;--lost:#ff8f87;--held:#f0b955;--risk:#ffa366;--changed:#8fbef0}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:54rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
.kicker{margin:0;color:var(--soft);font-size:.875rem}
h1{margin:.25rem 0;font-size:clamp(1.6rem,5vw,2.25rem);line-height:1.15;letter-spacing:-.015em;text-wrap:balance}
h2{margin:0;font-size:1.3rem;letter-spacing:-.01em}
h3{margin:1.5rem 0 .25rem;font-size:1rem}
.about{margin:.25rem 0 0;color:var(--soft);overflow-wrap:anywhere}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:1px;list-style:none;margin:1.75rem 0 0;padding:0;background:var(--line);border:1px solid var(--line);border-radius:.5rem;overflow:hidden}
.tiles li{background:var(--card);padding:.75rem 1rem;color:var(--soft);font-size:.875rem}
.tiles b{display:block;color:var(--ink);font-size:1.6rem;line-height:1.2;font-variant-numeric:tabular-nums}
section{margin-top:2.75rem;padding-top:1.25rem;border-top:2px solid var(--line)}
section.lost{border-color:var(--lost)}section.held{border-color:var(--held)}section.risk{border-color:var(--risk)}section.changed{border-color:var(--changed)}
.count{color:var(--soft);font-weight:400;font-variant-numeric:tabular-nums}
.findings{list-style:none;margin:0;padding:0}
.findings li{padding:.75rem 0;border-bottom:1px solid var(--line)}
.name{font-weight:600;overflow-wrap:anywhere}
.name code{font-weight:400}
.findings p{margin:.15rem 0 0;overflow-wrap:anywhere}
.people{color:var(--soft);font-weight:400;font-size:.875rem}
code,pre{font:.85rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{color:var(--soft)}
pre{margin:.5rem 0 0;padding:.6rem .75rem;background:var(--card);border:1px solid var(--line);border-radius:.375rem;white-space:pre-wrap;overflow-wrap:anywhere}
details{border-bottom:1px solid var(--line)}
summary{padding:.6rem 0;font-weight:600;cursor:pointer;overflow-wrap:anywhere}
summary:focus-visible{outline:2px solid var(--changed);outline-offset:2px}
details ul{margin:0 0 .75rem;padding:0;list-style:none}
details li{padding:.2rem 0;overflow-wrap:anywhere}
.tag{display:inline-block;min-width:4.25rem;font-size:.8rem;font-weight:600}
.tag.lost{color:var(--lost)}.tag.held{color:var(--held)}.tag.risk{color:var(--risk)}.tag.changed{color:var(--changed)}
.wide{overflow-x:auto}
table{width:100%;border-collapse:collapse;margin-top:.75rem;font-size:.9rem}
th,td{padding:.45rem .75rem .45rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{color:var(--soft);font-weight:600}td:first-child{white-space:nowrap;color:var(--soft)}
@media print{:root{--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb}body{font-size:11pt}main{max-width:none;padding:0}.findings li,details{break-inside:avoid}h2,h3{break-after:avoid}details::details-content{content-visibility:visible}}
`.trim()
