/** The database is unreachable, locked for too long, or refuses writes. Becomes 503 with `Retry-After`. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  /** Whether the condition may pass without an operator: the server is unreachable, starting or overloaded. */
  readonly isPassing: boolean
  /** Whether another process holds the file of the database. */
  readonly isHeld: boolean

  constructor(
    message: string,
    {
      isPassing = false,
      isHeld = false,
      ...options
    }: ErrorOptions & { readonly isPassing?: boolean; readonly isHeld?: boolean } = {},
  ) {
    super(message, options)
    this.isPassing = isPassing
    this.isHeld = isHeld
  }
}
