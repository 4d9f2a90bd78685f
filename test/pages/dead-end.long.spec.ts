/** Proof that the walk through the matrix can fail: every kind of dead end is one to it. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DeadEnd, walk } from './dead-end.ts'
import { expect, type Page, test } from './fixtures.ts'

test.use({ expectedErrors: /status of 400|ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE)/ })

const html = (body: string): string => `<!doctype html><html lang="en"><title>A page</title><main>${body}</main>`
const link = (address: string): string => html(`<h1>A page</h1><a href="${address}">Go on</a>`)

/** Walks from the first page of a site that answers as `listener` says, and waits for that end no longer than until it is there. */
async function walkThrough(page: Page, listener: RequestListener, end?: string): Promise<unknown> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    listener(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const givesUp = (reason: string) => reason === end
    return await walk(page, { client: 'http://client.example', people: [], givesUp }).catch((error) => error)
  } finally {
    await page.goto('about:blank')
    server.closeAllConnections()
    server.close()
  }
}

const after = (then: string, status = 200): RequestListener => {
  return ({ url }, response) => {
    response.statusCode = url === '/' ? 200 : status
    response.end(url === '/' ? link('/then') : then)
  }
}

const deadEnds: Readonly<Record<DeadEnd['reason'], RequestListener>> = {
  'blank page': after(html('')),
  'empty 400': after('', 400),
  'error of the browser': ({ url }, response) => {
    if (url === '/') response.end(link('/then'))
    else response.destroy()
  },
  'nothing to press': after(html('<h1>Something happened</h1>')),
  'no effect': (_, response) => response.end(html('<h1>A page</h1><button type="button">Go on</button>')),
  loop: ({ url }, response) => response.end(link(url === '/' ? '/then' : '/')),
}

for (const [reason, listener] of Object.entries(deadEnds)) {
  test(`it is a dead end: ${reason}`, async ({ page }) => {
    const found = await walkThrough(page, listener, reason)
    expect(found).toBeInstanceOf(DeadEnd)
    expect((found as DeadEnd).reason).toBe(reason)
  })
}

test('it is a loop when the page that follows is the same one', async ({ page }) => {
  expect(await walkThrough(page, (_, response) => response.end(link('/')))).toHaveProperty('reason', 'loop')
})

test('it is no dead end: an explanation with a way out that works', async ({ page }) => {
  const explained = html('<h1>No</h1><p role="alert">Please go back to the application.</p><a href="/out">Out</a>')
  const arrival = await walkThrough(page, ({ url }, response) => response.end(url === '/out' ? link('/') : explained))
  expect(arrival).toEqual({ told: ['Please go back to the application.'], end: 'told', state: null })
})

test('it is a dead end after all when that way out is none', async ({ page }) => {
  const explained = html('<h1>No</h1><p role="alert">Please go back to the application.</p><a href="/out">Out</a>')
  const found = await walkThrough(
    page,
    ({ url }, response) => response.end(url === '/out' ? '' : explained),
    'blank page',
  )
  expect(found).toHaveProperty('reason', 'blank page')
})
