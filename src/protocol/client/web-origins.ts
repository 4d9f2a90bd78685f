/** How origins are written whose scripts may read answers to a client's requests (CORS). */
import type { MemberRule } from './member-kinds.ts'

/** Stands for the origins of the client's redirect addresses. */
export const ofRedirects = '+'

/** An origin as browsers send it (Fetch §3.2), or `+`. */
export const webOrigin: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    given === ofRedirects || (typeof given === 'string' && isOrigin(given))
      ? { value: given }
      : { fault: 'must be an origin such as https://app.example.com, without a path or a slash at its end, or +' },
}

/** Other schemes have no origin that a server could tell from another (`null`), and `*` would be everybody. */
function isOrigin(text: string): boolean {
  if (text.length > 300 || !/^https?:\/\/[^*]+$/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}
