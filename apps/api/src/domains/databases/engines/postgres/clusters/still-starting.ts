/** A server that recovers from a crash is not ready yet; its start goes on. */
export class StillStarting extends Error {
  override readonly name = 'StillStarting';

  constructor() {
    super('The server of this database is still starting.');
  }
}
