/** Values that are longer than one cookie may be, in several. */
import type { SetCookie } from '../http/answer.ts'
import type { CookieName, CookieOptions, Cookies } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { inflatedAtMost, sealCompressed, sealText } from '../secrets/sealed.ts'

/** Browsers limit a cookie to 4096 bytes, name and attributes included. */
const chunkLength = 3600
const maxChunks = 5
/** Beyond these a value is compressed. */
const plainChunks = 4

/** The longest value that fits. */
export const maxChunkedLength = chunkLength * maxChunks

/** Returns how many cookies a value takes. */
export const chunksOf = (text: string): number => Math.ceil(text.length / chunkLength)

/** Returns the text sealed for the steps of a sign-in, compressed if it is long: most of it is a return address. One that is too long to open again is too long for the cookies as well. */
export function sealedForChunks(
  keys: Pick<KeyRing, 'secret'>,
  label: string,
  text: string,
  random: (bytes: number) => Uint8Array,
): string {
  const sealed = sealText(keys, 'external', label, text, random)
  if (sealed.length <= chunkLength * plainChunks || Buffer.byteLength(text) > inflatedAtMost) return sealed
  return sealCompressed(keys, 'external', label, text, random)
}

/** Returns the name of each part. */
type Names = (index: number) => CookieName

export type ChunkedCookies = {
  /** Makes the cookies of a value, and removes parts of a longer former one. */
  make(request: Request, names: Names, text: string, options: CookieOptions): SetCookie[]
  /** Returns the value; empty if there is none. */
  read(request: Request, names: Names): string
  remove(request: Request, names: Names): SetCookie[]
}

export function chunkedCookies(cookies: Cookies): ChunkedCookies {
  const indexes = Array.from({ length: maxChunks }, (_, index) => index)
  return {
    make: (request, names, text, options) =>
      indexes.flatMap((index) => {
        const chunk = text.slice(index * chunkLength, (index + 1) * chunkLength)
        if (chunk !== '') return [cookies.make(names(index), chunk, options)]
        return cookies.read(request, names(index)) === undefined ? [] : [cookies.removal(names(index))]
      }),
    read: (request, names) => indexes.map((index) => cookies.read(request, names(index)) ?? '').join(''),
    remove: (request, names) =>
      indexes
        .filter((index) => index === 0 || cookies.read(request, names(index)) !== undefined)
        .map((index) => cookies.removal(names(index))),
  }
}
