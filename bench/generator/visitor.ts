/** A browser or an application on one connection: keeps cookies, writes requests, follows nothing by itself. */
import type { Answer, Connection } from './connection.ts'

export type Fields = Readonly<Record<string, string>>

export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly connection: Connection
  readonly #host: string
  /** The address that a proxy in front would pass on; undefined: there is none. */
  address: string | undefined

  constructor(connection: Connection, issuer: string) {
    this.connection = connection
    this.#host = new URL(issuer).host
  }

  get(path: string): Promise<Answer> {
    return this.#send(this.getText(path))
  }

  post(path: string, fields: Fields): Promise<Answer> {
    return this.#send(this.postText(path, fields))
  }

  /** A change in Latchkey's account area, with the anti-forgery token in its header. */
  change(method: 'POST' | 'DELETE', path: string, token: string, value?: unknown): Promise<Answer> {
    const body = value === undefined ? '' : JSON.stringify(value)
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\nrequestverificationtoken: ${token}\r\n`
    const length = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
    return this.#send(`${head}${length}${this.#cookieLine()}\r\n${body}`)
  }

  /** The request as text, for those who send the same one many times. `header`: further whole lines. */
  getText(path: string, header = ''): string {
    return `GET ${path} HTTP/1.1\r\nhost: ${this.#host}\r\naccept: */*\r\n${header}${this.#cookieLine()}\r\n`
  }

  postText(path: string, fields: Fields, header = ''): string {
    const body = new URLSearchParams(fields).toString()
    const type = 'content-type: application/x-www-form-urlencoded'
    const length = `content-length: ${body.length}`
    return `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\naccept: */*\r\n${type}\r\n${length}\r\n${header}${this.#cookieLine()}\r\n${body}`
  }

  async #send(request: string): Promise<Answer> {
    const answer = await this.connection.send(request)
    for (const [, name = '', value = '', rest = ''] of answer.head.matchAll(
      /\r\nset-cookie: ([^=]+)=([^;\r]*)([^\r]*)/gi,
    )) {
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(rest)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  #cookieLine(): string {
    const forwarded = this.address === undefined ? '' : `x-forwarded-for: ${this.address}\r\n`
    if (this.cookies.size === 0) return forwarded
    return `${forwarded}cookie: ${[...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}\r\n`
  }
}

/** Path and query of the `Location` field. Throws when the answer is no redirect. */
export function locationOf(answer: Answer, issuer: string): string {
  const found = /\r\nlocation: ([^\r]+)/i.exec(answer.head)?.[1]
  if (found === undefined) throw unexpected('a redirect', answer)
  return found.startsWith(issuer) ? found.slice(issuer.length - 1) : found
}

/** The authorization code of the answer to the client. Throws when there is none. */
export function codeOf(answer: Answer): string {
  const code = /\r\nlocation: http:\/\/localhost:5081\/callback\?(?:[^\r]*&)?code=([^&\r]+)/i.exec(answer.head)?.[1]
  if (code === undefined) throw unexpected('a code', answer)
  return decodeURIComponent(code)
}

/** The tokens as they stand in the JSON text. Throws unless all three are there. */
export function refreshTokenOf(answer: Answer): string {
  const refreshToken = /"refresh_token":"([^"]+)"/.exec(answer.body)?.[1]
  const complete =
    answer.status === 200 && answer.body.includes('"access_token":"ey') && answer.body.includes('"id_token":"ey')
  if (refreshToken === undefined || !complete) throw unexpected('three tokens', answer)
  return refreshToken
}

export function unexpected(wanted: string, { status, head, body }: Answer): Error {
  const location = /\r\nlocation: ([^\r]+)/i.exec(head)?.[1]
  return new Error(
    `${wanted} was expected, and this came: ${[status, location, body.slice(0, 300)].filter(Boolean).join(' ')}`,
  )
}
