import type { contract } from '@nephos/contracts';
import type { Domain } from '../domain.ts';
import { writeStatement } from './change-statement.ts';
import type { ContentsParts } from './own-connection.ts';
import { readRows } from './rows.ts';
import { cancelStatement, explainStatement, listStatements, runStatement } from './statements.ts';
import { describeTable, listTables } from './tables.ts';

/** What is in people's PostgreSQL databases, seen and changed as each database's own user. */
export function createDatabaseContents(parts: ContentsParts): Domain<typeof contract.databaseContents> {
  return {
    handlers: {
      tables: ({ ctx, input }) => listTables(ctx, parts, input),
      table: ({ ctx, input }) => describeTable(ctx, parts, input),
      rows: ({ ctx, input }) => readRows(ctx, parts, input),
      changeStatement: ({ ctx, input }) => writeStatement(ctx, parts, input),
      run: ({ ctx, input, once }) => runStatement(ctx, parts, input, once),
      explain: ({ ctx, input }) => explainStatement(ctx, parts, input),
      cancel: ({ ctx, input }) => cancelStatement(ctx, parts, input),
      statements: ({ ctx, input }) => listStatements(ctx, parts, input),
    },
  };
}
