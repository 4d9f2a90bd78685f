/** The database cannot be reached, is locked for too long, or refuses writes. Becomes 503 with `Retry-After`. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  /** Whether it may be over soon without anybody's doing: the server is away, starts, or has too much to do. */
  readonly isPassing: boolean

  constructor(
    message: string,
    { isPassing = false, ...options }: ErrorOptions & { readonly isPassing?: boolean } = {},
  ) {
    super(message, options)
    this.isPassing = isPassing
  }
}
