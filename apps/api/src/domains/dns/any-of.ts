import { sql } from 'kysely';

/** For a comparison with any of some texts, also none: one parameter, since a statement can have 65,535 at most. */
export function anyOf<T extends string>(texts: readonly T[]) {
  return sql<T>`any(${texts}::text[])`;
}
