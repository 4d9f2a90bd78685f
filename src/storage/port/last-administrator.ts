/** Thrown by a verb that would have left nobody to administer the service; nothing was stored. */
export class LastAdministrator extends Error {
  override readonly name = 'LastAdministrator'

  constructor() {
    super('Nobody else could administer this service any more.')
  }
}
