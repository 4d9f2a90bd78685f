/** The statements of the service for SQLite. The build replaces this file by what it compiles them to. */
import { compiling } from '../sql/compile.ts'
import { findStatements } from '../sql/prepared.ts'

findStatements('sqlite', compiling('sqlite'))
