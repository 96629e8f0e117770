import { databaseContents } from '@nephos/contracts';
import { implement } from './mock-implement.ts';

/** A database with nothing in it; what the pages do with contents is proved in a browser, at a real server. */
export const databaseContentsMock = implement(databaseContents, {
  tables: () => [],
  table: () => ({ kind: 'table' as const, columns: [], indexes: [], constraints: [] }),
  rows: () => ({ columns: [], rows: [], next: null, more: false }),
  changeStatement: () => ({ sql: 'select 1' }),
  run: () => ({ columns: [], rows: [], more: false, command: 'SELECT 0', milliseconds: 1, error: null }),
  explain: () => ({ plan: '', milliseconds: 1, error: null }),
  cancel: () => ({ cancelled: false }),
  statements: () => [],
});
