import { marketplace } from '@nephos/contracts';
import { unavailable } from '../../errors.ts';
import { implement } from '../../trpc.ts';

const notYet = () => {
  throw unavailable();
};

export const marketplaceRouter = implement(marketplace, {
  list: notYet,
  installations: notYet,
  install: notYet,
  uninstall: notYet,
  changes: notYet,
});
