import { mobileApps } from '@nephos/contracts';
import { unavailable } from '../../errors.ts';
import { implement } from '../../trpc.ts';

const notYet = () => {
  throw unavailable();
};

export const mobileAppsRouter = implement(mobileApps, {
  list: notYet,
  create: notYet,
  generateConfig: notYet,
  files: notYet,
  remove: notYet,
});
