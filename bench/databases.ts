/** Makes databases on a PostgreSQL that runs already, and drops those that it made. */
import postgres from 'postgres'
import { findServer } from '../src/storage/postgres/hosts.ts'

/** `address`: of any database on it, by somebody who may create others. It may name several servers. */
export function databasesOn(address: string): { create(): Promise<string>; dropAll(): Promise<void> } {
  const made: string[] = []
  async function administer(statement: string): Promise<void> {
    const sql = postgres(await findServer(address), { max: 1, onnotice: () => {} })
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }
  return {
    async create() {
      const name = `latchkey_bench_${process.pid}_${made.length + 1}`
      await administer(`create database ${name} template template0 encoding 'UTF8'`)
      made.push(name)
      return address.replace(/^([a-z]+:\/\/[^/]+)(?:\/[^?]*)?/, `$1/${name}`)
    },
    async dropAll() {
      for (const name of made.splice(0)) await administer(`drop database if exists ${name} with (force)`)
    },
  }
}
