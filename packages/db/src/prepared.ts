import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { leaveUnread } from './pipeline.ts';
import type { Database } from './schema/database.ts';

/** Where a parameter goes, while a query is compiled without its values. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Puts a parameter into a query that is being prepared. */
export type Parameter<P> = <N extends keyof P & string>(name: N) => RawBuilder<P[N]>;

/** Names of prepared statements by their text; each connection keeps its own statements under them. */
const names = new Map<string, string>();

export interface PreparedOptions {
  /**
   * Whether nobody reads what it gives: with values that are strings, a transaction goes on without its answer, and gets
   * no rows. The commit rejects where it failed.
   */
  unread?: boolean;
}

/**
 * A query for the hottest paths: compiled once by us, and parsed and planned once by each connection. `build` is
 * called at the first use. The result runs it, in whatever transaction `db` is, and gives its rows.
 */
export function prepare<P extends Record<string, unknown>, R>(
  build: (db: Kysely<Database>, parameter: Parameter<P>) => CompiledQuery<R>,
  { unread = false }: PreparedOptions = {},
) {
  let compiled: CompiledQuery<R> | undefined;
  return async (db: Kysely<Database>, values: P): Promise<R[]> => {
    if (!compiled) {
      compiled = build(db, (name) => sql`${new Slot(name)}`);
      if (!names.has(compiled.sql)) names.set(compiled.sql, `nephos_${names.size + 1}`);
    }
    const parameters = compiled.parameters.map((given) =>
      given instanceof Slot ? values[given.name] : given,
    );
    if (unread && db.isTransaction && parameters.every((value) => typeof value === 'string')) {
      leaveUnread(parameters);
    }
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters });
    return rows;
  };
}

/** Makes a connection run prepared texts as named statements. */
export function keepPreparedStatements(client: pg.ClientBase): void {
  const { query } = client;
  function named(text: unknown, values: unknown, ...rest: unknown[]): unknown {
    const name = typeof text === 'string' ? names.get(text) : undefined;
    return Reflect.apply(query, client, name ? [{ name, text, values }, ...rest] : [text, values, ...rest]);
  }
  // Assigned unread: the driver's many overloads come down to these arguments.
  Object.assign(client, { query: named });
}
