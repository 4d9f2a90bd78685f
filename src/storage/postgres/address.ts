/** The address of a PostgreSQL database: one server, or several of which one accepts writes. */

export type PostgresAddress = {
  /** The address of each server, in the given order. */
  readonly servers: readonly string[]
  /**
   * Whether the server must be determined first: several were named, or `target_session_attrs` was set. Whatever its
   * value (`read-write`, `primary`), the service needs a server that accepts writes.
   */
  readonly isChosen: boolean
}

const parts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/

export function readAddress(url: string): PostgresAddress {
  const [, before = '', hosts = '', path = '', query = ''] = parts.exec(url) ?? []
  const parameters = query.split('&').filter((parameter) => parameter !== '')
  const others = parameters.filter((parameter) => !parameter.startsWith('target_session_attrs='))
  const list = hosts.split(',')
  const isChosen = list.length > 1 || others.length < parameters.length
  if (!isChosen) return { servers: [url], isChosen }
  const after = `${path}${others.length === 0 ? '' : `?${others.join('&')}`}`
  return { servers: list.map((host) => `${before}${host}${after}`), isChosen }
}

/** Returns hosts and database for messages, without user name and password. */
export function place(url: string): string {
  const [, , hosts = '', path = ''] = parts.exec(url) ?? []
  return `${hosts}${path}`
}
