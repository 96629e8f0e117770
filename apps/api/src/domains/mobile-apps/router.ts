import { mobileApps } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import {
  configuredApp,
  createMobileApp,
  generateConfig,
  listMobileApps,
  removeMobileApp,
} from './service.ts';

export const mobileAppsRouter = implement(mobileApps, {
  list: ({ ctx, input }) => listMobileApps(ctx, input),
  create: ({ ctx, input }) => createMobileApp(ctx, input),
  generateConfig: ({ ctx, input }) => generateConfig(ctx, input.id),
  files: ({ ctx, input }) => configuredApp(ctx, input.id),
  remove: ({ ctx, input }) => removeMobileApp(ctx, input.id),
});
