/** What the address of the Tables page says: which table is shown; none, the first one. */
export interface TablesSearch {
  schema?: string | undefined;
  table?: string | undefined;
  /** What of it; absent, its rows. */
  view?: 'structure' | undefined;
}

export function tablesSearch({ schema, table, view }: Record<string, unknown>): TablesSearch {
  return {
    schema: typeof schema === 'string' ? schema : undefined,
    table: typeof table === 'string' ? table : undefined,
    view: view === 'structure' ? view : undefined,
  };
}
