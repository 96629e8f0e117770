import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import {
  configuredApp,
  createMobileApp,
  generateConfig,
  listMobileApps,
  removeMobileApp,
  updateMobileApp,
  zipFiles,
} from './service.ts';

/** Mobile apps, and the build configuration that is made of their settings. */
export function createMobileApps({
  settings,
}: Pick<Platform, 'settings'>): Domain<typeof contract.mobileApps> {
  return {
    handlers: {
      list: ({ ctx, input }) => listMobileApps(ctx, input),
      create: ({ ctx, input }) => createMobileApp(ctx, settings, input),
      update: ({ ctx, input }) => updateMobileApp(ctx, settings, input),
      generateConfig: ({ ctx, input }) => generateConfig(ctx, input.id),
      files: ({ ctx, input }) => configuredApp(ctx, input.id),
      filesZip: ({ ctx, input }) => zipFiles(ctx, input.id),
      remove: ({ ctx, input }) => removeMobileApp(ctx, input.id),
    },
  };
}
