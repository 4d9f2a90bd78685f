import type { Reader } from './source.ts'

/** The readers, each loaded when it is used. */
export const readers = {
  users: async () => (await import('./users-file.ts')).readUsers,
  'aspnet-identity': async () => (await import('./aspnet-identity.ts')).readAspNetIdentity,
  openiddict: async () => (await import('./openiddict.ts')).readOpenIddict,
  keycloak: async () => (await import('./keycloak.ts')).readKeycloak,
  auth0: async () => (await import('./auth0.ts')).readAuth0,
  firebase: async () => (await import('./firebase.ts')).readFirebase,
} as const satisfies Readonly<Record<string, () => Promise<Reader>>>

export type Kind = keyof typeof readers

export const isKind = (text: string): text is Kind => Object.hasOwn(readers, text)
