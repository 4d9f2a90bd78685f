/**
 * What must hold: the catalogues of `test/requirements/`, which are read here.
 *
 * A catalogue says which members its rows have (`columns`) and groups them into sections. Under `proof: titles` the tests of
 * a row are those that name its id at the end of their titles, in brackets. In every other catalogue a row has `tests`: for
 * each file the titles of tests in it, without those ids. A test that is written once for many cases is named either as the
 * source writes it, `${…}` and all, which means every case, or as one of its cases.
 *
 * A catalogue with a column `state` also has rows that say what is not so. There `met` and `partly` need a proof, which may be
 * a link to a document (`documents`) where no test can tell; `not met` and `not applicable` need none.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Errors } from 'typebox/value'
import { LineCounter, parseDocument } from 'yaml'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The catalogues, in the order in which they are read. */
export const catalogueFiles = [
  'test/requirements/service.yaml',
  'test/requirements/contract.yaml',
  'test/requirements/provider.yaml',
  'test/requirements/certification.yaml',
  'test/requirements/accounts.yaml',
  'test/requirements/claims-and-groups.yaml',
  'test/requirements/connections.yaml',
  'test/requirements/moving-in.yaml',
  'test/requirements/threats.yaml',
  'test/requirements/rfc-9700.yaml',
  'test/requirements/asvs.yaml',
] as const

/** One test, or every case of one. */
export type Proof = { readonly file: string; readonly name: string }

export type Requirement = {
  readonly id: string
  /** File and line, for messages. */
  readonly place: string
  /** What it says: a text for each column that it fills. */
  readonly texts: Readonly<Record<string, string>>
  readonly proofs: readonly Proof[]
  /** Links in Markdown, relative to the project's folder. */
  readonly documents: readonly string[]
}

export type Catalogue = {
  readonly file: string
  readonly title: string
  readonly about?: string
  /** Members of the rows, and their headings. */
  readonly columns: Readonly<Record<string, string>>
  /** Tests name the ids of the rows in their titles. */
  readonly isProvenByTitles: boolean
  readonly sections: readonly { readonly title: string; readonly rows: readonly Requirement[] }[]
}

/** A test that names ids of requirements in its title. */
export type TitledTest = Proof & { readonly ids: readonly string[] }

const text = Type.String({ minLength: 1 })
const id = '^[A-Z][0-9]+(\\.[0-9]+)*([a-z]|-[0-9]+)?$'
/** Columns that a row may leave empty. */
const optional = ['how', 'remains']
const closed = { additionalProperties: false } as const

/** The schema of a whole catalogue, whose rows have these members. */
function schemaOf(columns: readonly string[], isProvenByTitles: boolean) {
  const tests = Type.Record(Type.String({ pattern: '^test/' }), Type.Array(text, { minItems: 1 }), closed)
  const documents = Type.Array(Type.String({ pattern: '^\\[.+\\]\\(.+\\)$' }), { minItems: 1 })
  const row = Type.Object(
    {
      ...Object.fromEntries(columns.map((column) => [column, optional.includes(column) ? Type.Optional(text) : text])),
      ...(!isProvenByTitles && { tests: Type.Optional(tests) }),
      ...(columns.includes('state') && { documents: Type.Optional(documents) }),
    },
    closed,
  )
  const rows = Type.Record(Type.String({ pattern: id }), row, { ...closed, minProperties: 1 })
  return Type.Object(
    {
      title: text,
      about: Type.Optional(text),
      proof: Type.Optional(Type.Literal('titles')),
      columns: Type.Record(Type.String(), text, { minProperties: 1 }),
      sections: Type.Array(Type.Object({ title: text, rows }, closed), { minItems: 1 }),
    },
    closed,
  )
}

type Row = Readonly<Record<string, string>> & {
  readonly tests?: Readonly<Record<string, readonly string[]>>
  readonly documents?: readonly string[]
}

type CatalogueFile = {
  readonly title: string
  readonly about?: string
  readonly proof?: 'titles'
  readonly columns: Readonly<Record<string, string>>
  readonly sections: readonly { readonly title: string; readonly rows: Readonly<Record<string, Row>> }[]
}

/**
 * Reads one catalogue. `titled` are the tests whose titles name ids.
 *
 * @throws Error that names file and place of what is no catalogue, such as an id that stands twice in a section
 */
export function readCatalogue(file: string, source: string, titled: readonly TitledTest[]): Catalogue {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines })
  const [error] = document.errors
  if (error) throw new Error(`${file}:${error.linePos?.[0].line}: ${error.message}`)
  const value = document.toJS() as CatalogueFile
  const isProvenByTitles = value?.proof === 'titles'
  const [fault] = Errors(schemaOf(Object.keys(value?.columns ?? {}), isProvenByTitles), value)
  if (fault) throw new Error(`${file}${fault.instancePath}: ${fault.message} ${JSON.stringify(fault.params)}`)
  const lineOf = (section: number, row: string): number => {
    const key = document.getIn(['sections', section, 'rows', row], true) as { range?: readonly number[] } | undefined
    // The members of a row begin one line below its id.
    return lines.linePos(key?.range?.[0] ?? 0).line - 1
  }
  return {
    file,
    title: value.title,
    ...(value.about !== undefined && { about: value.about }),
    columns: value.columns,
    isProvenByTitles,
    sections: value.sections.map(({ title, rows }, section) => ({
      title,
      rows: Object.entries(rows).map(([name, { tests = {}, documents = [], ...texts }]) => ({
        id: name,
        place: `${file}:${lineOf(section, name)}`,
        texts,
        documents,
        proofs: isProvenByTitles
          ? titled.filter(({ ids }) => ids.includes(name)).map((test) => ({ file: test.file, name: test.name }))
          : Object.entries(tests).flatMap(([path, names]) => names.map((one) => ({ file: path, name: one }))),
      })),
    })),
  }
}

/** Every catalogue of the project. */
export function readCatalogues(titled: readonly TitledTest[]): Catalogue[] {
  return catalogueFiles.map((file) => readCatalogue(file, readFileSync(join(root, file), 'utf8'), titled))
}

/** The rows of a catalogue, section after section. */
export function rowsOf({ sections }: Catalogue): Requirement[] {
  return sections.flatMap(({ rows }) => rows)
}
