import { marketplace } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { followInstallations } from './changes.ts';
import { install, listInstallations, listItems, uninstall } from './service.ts';

export const marketplaceRouter = implement(marketplace, {
  list: ({ ctx }) => listItems(ctx),
  installations: ({ ctx }) => listInstallations(ctx),
  install: ({ ctx, input }) => install(ctx, input),
  uninstall: ({ ctx, input }) => uninstall(ctx, input),
  changes: ({ ctx, signal }) => followInstallations(ctx, signal),
});
