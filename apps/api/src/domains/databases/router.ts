import { databases } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { followDatabases } from './changes.ts';
import { readConnection, rotatePassword } from './connection.ts';
import { findDatabase } from './read.ts';
import {
  createDatabase,
  listDatabases,
  listEngines,
  measureDatabase,
  removeDatabase,
  retryDatabase,
} from './service.ts';

export const databasesRouter = implement(databases, {
  list: ({ ctx, input }) => listDatabases(ctx, input),
  create: ({ ctx, input }) => createDatabase(ctx, input),
  get: ({ ctx, input }) => findDatabase(ctx.db, ctx.user.id, input.id),
  connection: ({ ctx, input }) => readConnection(ctx, input.id),
  usage: ({ ctx, input }) => measureDatabase(ctx, input.id),
  retry: ({ ctx, input }) => retryDatabase(ctx, input.id),
  rotatePassword: ({ ctx, input }) => rotatePassword(ctx, input.id),
  remove: ({ ctx, input }) => removeDatabase(ctx, input.id),
  engines: ({ ctx }) => listEngines(ctx),
  changes: ({ ctx, signal }) => followDatabases(ctx, signal),
});
