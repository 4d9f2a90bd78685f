/** The address of a PostgreSQL: one server, or several of which one takes writes. */

export type PostgresAddress = {
  /** The address of each server by itself, in the order in which they were written. */
  readonly servers: readonly string[]
  /**
   * Whether the server is found out before it is used: several were named, or `target_session_attrs`. Whatever the value of
   * that (`read-write`, `primary`), the service needs one that takes writes.
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

/** Hosts and database for messages, without the name and the password. */
export function place(url: string): string {
  const [, , hosts = '', path = ''] = parts.exec(url) ?? []
  return `${hosts}${path}`
}
