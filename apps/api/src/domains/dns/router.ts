import { dns } from '@nephos/contracts';
import { unavailable } from '../../errors.ts';
import { implement } from '../../trpc.ts';

const notYet = () => {
  throw unavailable();
};

export const dnsRouter = implement(dns, {
  list: notYet,
  create: notYet,
  update: notYet,
  remove: notYet,
  answer: notYet,
  zones: notYet,
  verify: notYet,
  nameServer: notYet,
});
