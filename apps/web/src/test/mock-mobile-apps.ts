import { mobileApps } from '@nephos/contracts';
import { found, implement, pageOf, success } from './mock-implement.ts';
import { mockMobileApp } from './mock-world.ts';

export const mobileAppsMock = implement(mobileApps, {
  list: ({ ctx, input }) => pageOf(ctx.world.mobileApps, input),
  create: ({ ctx: { world }, input }) => {
    const app = mockMobileApp({ ...input, id: crypto.randomUUID() });
    world.mobileApps = [app, ...world.mobileApps];
    return app;
  },
  generateConfig: ({ ctx: { world }, input: { id } }) => {
    const configured = {
      ...found(world.mobileApps, id),
      buildStatus: 'configured',
      buildConfig: world.buildConfig,
    } as const;
    world.mobileApps = world.mobileApps.map((app) => (app.id === id ? configured : app));
    return configured;
  },
  files: ({ ctx: { world }, input }) => {
    found(world.mobileApps, input.id);
    return world.buildFiles;
  },
  remove: ({ ctx: { world }, input }) => {
    world.mobileApps = world.mobileApps.filter((app) => app.id !== input.id);
    return success;
  },
});
