import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog } from '../../src/server/log.ts'

function logged(readable: boolean, write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('info', { write: (line: string) => lines.push(line) }, readable))
  return lines.join('')
}

describe('the log', () => {
  it('takes secrets out, wherever they stand [C3.5]', () => {
    const text = logged(false, (log) => {
      log.info({ password: 'hunter2', body: { refresh_token: 'hunter2', name: 'alice' } }, 'message')
      log.info({ req: { headers: { authorization: 'hunter2', cookie: 'hunter2', 'set-cookie': 'hunter2' } } })
    })
    assert.ok(!text.includes('hunter2'), text)
    assert.match(text, /"name":"alice"/)
    assert.equal(text.match(/\[secret\]/g)?.length, 5)
  })

  it('shows the codes of errors and the exit codes of processes, and no authorization code', () => {
    const text = logged(false, (log) => {
      const refused = Object.assign(new Error('broken'), { code: 'ECONNREFUSED' })
      log.error({ err: refused }, 'system')
      log.error({ err: Object.assign(new Error('broken'), { code: '57P01', cause: refused }) }, 'database')
      log.error({ worker: 2, code: 137, signal: null }, 'ended')
      log.error({ worker: 2, code: null, signal: 'SIGKILL' }, 'killed')
      log.info({ code: 'SplxlOBeZQQYbYS6WxSbIA', body: { code: 'Qcb0Orv1zh30vL1MPRsbm' } }, 'codes')
      log.error({ err: Object.assign(new Error('broken'), { code: 'oC7s-9dkLwq' }) }, 'odd')
      log.info({ code: 'ABCDEFGH', query: { code: 'ABCDE' } }, 'short')
    })
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ err, code, body, query }) => err?.code ?? [code, body?.code, query?.code]),
      [
        'ECONNREFUSED',
        '57P01',
        [137, undefined, undefined],
        [null, undefined, undefined],
        ['[secret]', '[secret]', undefined],
        '[secret]',
        ['[secret]', undefined, '[secret]'],
      ],
    )
  })

  it('lets no value write to the terminal that shows it, nor begin a line of its own', () => {
    const hostile = 'a\u001b[2Jb\u009b31mc\u202egnp\u2066d\u007fe\r\n12:00:00 INFO  forged\u{e0041}'
    const error = new Error(`the provider said ${hostile}`)
    const write = (log: ReturnType<typeof createLog>) => {
      log.warn({ returnUrl: hostile, [hostile]: 1, err: error }, hostile)
    }
    const readable = logged(true, write)
    assert.doesNotMatch(readable.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    const [line, stack, ...places] = readable.trimEnd().split('\n')
    assert.match(line ?? '', /^\d\d:\d\d:\d\d WARN {2}a\\u\{1b\}\[2Jb\\u\{9b\}31mc\\u\{202e\}gnp\\u\{2066\}d/)
    assert.match(stack ?? '', /^Error: the provider said a\\u\{1b\}.*forged\\u\{e0041\}$/)
    assert.ok(places.length > 0 && places.every((place) => place.startsWith('    at ')))
    const json = logged(false, write)
    assert.doesNotMatch(json.trimEnd(), /[\p{Cc}\p{Cf}]/u)
    const { returnUrl, msg, err } = JSON.parse(json)
    assert.deepEqual([returnUrl, msg, err.message], [hostile, hostile, error.message])
  })

  it('is JSON with ISO times, from the level of the settings on [C3.29]', () => {
    const text = logged(false, (log) => {
      log.debug('not this')
      log.warn('this')
    })
    assert.match(text, /^\{"level":40,"time":"\d{4}-\d\d-\d\dT[\d:.]+Z","msg":"this"\}\n$/)
  })

  it('is readable on a terminal [C3.29]', () => {
    assert.match(
      logged(true, (log) => log.info({ issuer: 'x', count: 2 }, 'ready')),
      /^\d\d:\d\d:\d\d INFO {2}ready issuer="x" count=2\n$/,
    )
    assert.match(
      logged(true, (log) => log.error(new Error('broken'))),
      /^\d\d:\d\d:\d\d ERROR broken\nError: broken\n {4}at /,
    )
  })
})
