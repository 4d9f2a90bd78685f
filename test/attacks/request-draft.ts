/** A request that is not sent yet. */
export type Pair = [name: string, value: string]
/** `json`: the body; otherwise it is the form. */
export type Draft = {
  method: string
  path: string
  query: Pair[]
  form: Pair[] | undefined
  json?: string | undefined
  headers: Pair[]
}
