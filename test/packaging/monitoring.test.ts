/** The alerts and the dashboard of deploy/ ask for numbers that the service shows. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { serve } from '../operations/running.ts'
import { read } from '../repository/sources.ts'
import { authorizePath, Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { postgresServer, type SharedPostgres } from '../support/postgres.ts'
import { assertNone } from '../support/values.ts'

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}
type Panel = {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string }[]
}

const rules: Rule[] = parse(read('deploy/prometheus/latchkey.rules.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
)
const dashboard = JSON.parse(read('deploy/grafana/latchkey.json'))
const panels: Panel[] = dashboard.panels

/** The variable of the dashboard, as Grafana writes it. */
const dataSource = '$' + '{datasource}'

/** What an expression asks for: each series with its matchers. */
function selectorsOf(expr: string): { readonly name: string; readonly matchers: ReadonlyMap<string, string> }[] {
  return [...expr.matchAll(/\b((?:latchkey|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = '', inside = '']) => ({
      name,
      matchers: new Map([...inside.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = '', value = '']) => [label, value])),
    }),
  )
}

/** The values of each label of each series, as two services showed them that were used a little. */
const shown = new Map<string, Map<string, Set<string>>>()

function remember(text: string): void {
  for (const line of text.split('\n')) {
    const [, declared] = /^# TYPE (\S+) (?:counter|gauge)$/.exec(line) ?? []
    const [, histogram] = /^# TYPE (\S+) histogram$/.exec(line) ?? []
    const names = histogram === undefined ? [declared] : ['_bucket', '_sum', '_count'].map((end) => histogram + end)
    for (const name of names) if (name !== undefined && !shown.has(name)) shown.set(name, new Map())
    const [, name = '', inside = ''] = /^(\w+)\{(.*)\} \S+$/.exec(line) ?? []
    for (const [, label = '', value = ''] of inside.matchAll(/(\w+)="([^"]*)"/g)) {
      const labels = shown.get(name) ?? new Map<string, Set<string>>()
      shown.set(name, labels.set(label, (labels.get(label) ?? new Set()).add(value)))
    }
  }
}

describe('the alerts and the dashboard', () => {
  let postgres: SharedPostgres
  const stops: (() => unknown)[] = []
  before(async () => {
    postgres = await postgresServer()
    const urls = [undefined, await postgres.createDatabase()]
    for (const url of urls) {
      const keys = { Keys__MasterKey: Buffer.alloc(32, 4).toString('base64') }
      const env = { Metrics__Port: '0', ...(url !== undefined && { ...keys, Database__Url: url }) }
      const service = await serve({ after: (stop) => stops.push(stop) }, { env })
      const { address } = await service.logged('metrics')
      const browser = new Browser(service)
      await browser.signIn({ password: 'wrong' })
      const { body } = await postToken(service, codeFields(await obtainCode(browser)))
      for (let time = 0; time < 2; time += 1) await postToken(service, refreshFields(body.refresh_token))
      await browser.get(authorizePath({ client_id: 'stranger' }))
      remember(await (await fetch(String(address))).text())
    }
  })
  after(async () => {
    for (const stop of stops) await stop()
    await postgres.stop()
  })

  const expressions = [
    ...rules.map(({ alert, expr }) => ({ place: alert, expr })),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: title, expr }))),
    ...dashboard.annotations.list.map(({ name, expr }: { name: string; expr: string }) => ({ place: name, expr })),
  ]

  it('ask for series that the service shows, by labels that these have', () => {
    assert.ok(expressions.length >= 40, `only ${expressions.length} expressions`)
    const faults: string[] = []
    for (const { place, expr } of expressions) {
      const selectors = selectorsOf(expr)
      if (selectors.length === 0) faults.push(`${place} asks for nothing: ${expr}`)
      for (const { name, matchers } of selectors) {
        if (matchers.get('job') !== 'latchkey' && matchers.get('job') !== '$job')
          faults.push(`${place}: ${name} of any job`)
        // What Prometheus itself knows of a target.
        if (name === 'up') continue
        const labels = shown.get(name)
        if (labels === undefined) faults.push(`${place}: there is no ${name}`)
        for (const label of matchers.keys()) {
          if (label !== 'job' && !labels?.has(label)) faults.push(`${place}: ${name} has no label ${label}`)
        }
      }
      for (const [, list = ''] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
        for (const label of list.split(', ')) {
          const known =
            ['job', 'instance'].includes(label) || selectors.every(({ name }) => shown.get(name)?.has(label))
          if (!known) faults.push(`${place}: not all of it has the label ${label}`)
        }
      }
    }
    assert.deepEqual(faults, [])
  })

  it('name values of labels that the service uses', () => {
    const sources = ['src/telemetry/metrics.ts', 'src/telemetry/prometheus.ts'].map(read).join('\n')
    let compared = 0
    for (const { place, expr } of expressions) {
      for (const { name, matchers } of selectorsOf(expr)) {
        for (const [label, pattern] of matchers) {
          if (label === 'job') continue
          for (const value of pattern.split('|')) {
            compared += 1
            const seen = [...(shown.get(name)?.get(label) ?? [])].some((each) =>
              new RegExp(`^(?:${value})$`).test(each),
            )
            assert.ok(
              seen || sources.includes(`'${value}'`) || value === '5..',
              `${place}: ${label}="${value}" of ${name}`,
            )
          }
        }
      }
    }
    assert.ok(compared >= 15, `only ${compared} values`)
  })

  it('leave out nothing that the service counts for an operator', () => {
    const asked = new Set(
      expressions.flatMap(({ expr }) =>
        selectorsOf(expr).map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '')),
      ),
    )
    const own = [...shown.keys()]
      .filter((name) => name.startsWith('latchkey_'))
      .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
    assert.ok(own.length >= 15, own.join())
    assertNone([...new Set(own)].filter((name) => !asked.has(name)))
  })

  it('say for each alert how bad it is and what it is about', () => {
    assert.ok(rules.length >= 10)
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
    for (const { alert, labels, annotations } of rules) {
      assert.match(alert, /^Latchkey[A-Z]\w+$/)
      assert.ok(['warning', 'critical'].includes(labels.severity), alert)
      assert.match(annotations.summary ?? '', /\.$/, alert)
    }
  })

  it('lay the panels side by side, with a data source of the reader’s choice', () => {
    assert.ok(panels.length >= 20)
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    assert.equal(new Set(cells).size, cells.length, 'panels lie over each other')
    assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24))
    const uids = [...read('deploy/grafana/latchkey.json').matchAll(/"uid": "([^"]+)"/g)].map(([, uid]) => uid)
    assert.deepEqual([...new Set(uids)].sort(), [dataSource, 'latchkey'])
  })
})
