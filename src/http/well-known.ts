/** Paths below `/.well-known/` (RFC 8615), wherever they are: an issuer with a path may have such below it. */
import { plainPath } from './router.ts'

/**
 * Whether a path can only be that of a document for programs. None of them is ever a page: programs would take it for the document, and
 * password managers ask for a path that should not exist before they trust `change-password`.
 */
export const isWellKnown = (path: string): boolean => /\/\.well-known(?:\/|$)/i.test(plainPath(path))
