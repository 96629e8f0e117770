/** That a dump cannot be imported, in a sentence for people, without a value of its rows. */
export class DumpRefused extends Error {
  override readonly name = 'DumpRefused';
}
