/** A database just gets a server of its own. */
export class BeingMoved extends Error {
  override readonly name = 'BeingMoved';

  constructor() {
    super('the database is being moved to a server of its own; try again in a few minutes');
  }
}
