import { mobileApps } from '@nephos/contracts';
import { mobileAppZipPath } from '@nephos/contracts/constants';
import { HttpResponse, http } from 'msw';
import { found, implement, pageOf, success } from './mock-implement.ts';
import { type MockWorld, mockMobileApp } from './mock-world.ts';

export const mobileAppsMock = implement(mobileApps, {
  list: ({ ctx, input }) => pageOf(ctx.world.mobileApps, input),
  create: ({ ctx: { world }, input }) => {
    const app = mockMobileApp({ ...input, id: crypto.randomUUID() });
    world.mobileApps = [app, ...world.mobileApps];
    return app;
  },
  update: ({ ctx: { world }, input: { id, ...change } }) => {
    const app = mockMobileApp({ ...found(world.mobileApps, id), ...change });
    world.mobileApps = world.mobileApps.map((other) => (other.id === id ? app : other));
    if (app.androidTargetSdk >= 36) world.buildFiles = { ...world.buildFiles, warnings: [] };
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

/** The archive of an app's files, which is no procedure; refused as `mobileApps.archive`. */
export function archiveHandler(world: () => MockWorld) {
  return http.get(`*${mobileAppZipPath(':id')}`, () => {
    const refusal = world().refusals['mobileApps.archive'];
    if (!refusal) return HttpResponse.text('PK');
    const { message, reason: code } = refusal;
    return HttpResponse.json({ message, code, requestId: 'test' }, { status: 500 });
  });
}
