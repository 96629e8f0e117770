import { databases } from '@nephos/contracts';
import { unavailable } from '../../errors.ts';
import { implement } from '../../trpc.ts';

const notYet = () => {
  throw unavailable();
};

export const databasesRouter = implement(databases, {
  list: notYet,
  create: notYet,
  get: notYet,
  connection: notYet,
  usage: notYet,
  retry: notYet,
  rotatePassword: notYet,
  remove: notYet,
  engines: notYet,
  changes: notYet,
});
