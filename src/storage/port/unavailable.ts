/** The database is unreachable, locked for too long, or refuses writes. Becomes 503 with `Retry-After`. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  /** Whether the condition may pass without an operator: the server is unreachable, starting or overloaded. */
  readonly isPassing: boolean

  constructor(
    message: string,
    { isPassing = false, ...options }: ErrorOptions & { readonly isPassing?: boolean } = {},
  ) {
    super(message, options)
    this.isPassing = isPassing
  }
}
