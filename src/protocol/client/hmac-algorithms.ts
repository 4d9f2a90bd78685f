/** The algorithms with which a client's secret signs its assertions (`client_secret_jwt`). */

/** By name, the bytes that the secret needs at least: those of the hash (RFC 7518 §3.2). Strongest first. */
export const secretBytesAtLeast = { HS512: 64, HS384: 48, HS256: 32 } as const

export type HmacAlgorithm = keyof typeof secretBytesAtLeast
export const hmacAlgorithms = Object.keys(secretBytesAtLeast) as readonly HmacAlgorithm[]
