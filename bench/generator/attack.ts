/** People who sign in, each from an address of their own, and the addresses that keep them from it. */
import { numberOfPeople, personName } from '../people.ts'
import type { Target } from '../records.ts'
import type { Connection } from './connection.ts'
import { unexpected, Visitor } from './visitor.ts'
import type { Workload } from './workload.ts'

/** Guesses of one address that are under way at the same time. */
export const guessesOfAddress = 2

let people = 0

/** Each operation is the sign-in of the next person, in a browser that never signed in before. */
export function signingInPeople(target: Target, connections: readonly Connection[]): Workload {
  return {
    isAttacked: true,
    async supply() {},
    async run(at) {
      const visitor = new Visitor(connections[at] as Connection, target.issuer)
      people += 1
      visitor.address = `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`
      const token = await antiforgeryToken(visitor)
      const fields = { username: personName(people % numberOfPeople), password: 'Passw0rd!', ReturnUrl: '/' }
      const answer = await visitor.post('/Account/Login', { ...fields, __RequestVerificationToken: token })
      if (answer.status !== 302 || !/\r\nlocation: \/\r\n/i.test(`${answer.head}\r\n`)) {
        throw unexpected('a sign-in', answer)
      }
      return true
    },
  }
}

/** Wrong passwords for names that do not exist, which cost as much as others. Whatever is answered, they go on. */
export async function guessing(target: Target, connections: readonly Connection[]): Promise<Workload> {
  const visitors = connections.map((connection) => new Visitor(connection, target.issuer))
  const token = new Map<Visitor, string>()
  let guesses = 0
  for (const [at, visitor] of visitors.entries()) {
    const address = Math.floor(at / guessesOfAddress)
    visitor.address = `198.18.${address >> 8}.${address & 255}`
    token.set(visitor, await antiforgeryToken(visitor))
  }
  return {
    async supply() {},
    async run(at) {
      const visitor = visitors[at] as Visitor
      guesses += 1
      const fields = { username: `nobody${guesses}`, password: 'guess', ReturnUrl: '/' }
      await visitor.post('/Account/Login', { ...fields, __RequestVerificationToken: token.get(visitor) ?? '' })
      return true
    },
  }
}

async function antiforgeryToken(visitor: Visitor): Promise<string> {
  const page = await visitor.get('/Account/Antiforgery')
  const token = /"token":"([^"]+)"/.exec(page.body)?.[1]
  if (token === undefined) throw unexpected('an anti-forgery token', page)
  return token
}
