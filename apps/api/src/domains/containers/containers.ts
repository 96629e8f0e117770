import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { describeImage } from './detail.ts';
import { createMirror, sweepMirror } from './mirror/mirror.ts';
import { adoptHost } from './own-host.ts';
import { sweepBlobs, sweepLinks } from './registry/blob-sweep.ts';
import type { DeployPushed } from './registry/manifest-push.ts';
import { addRegistry } from './registry/registry.route.ts';
import { sweepUploads } from './registry/upload-store.ts';
import { sweepReleaseImages } from './release-sweep.ts';
import { describeRetention, previewRetention, removeRetention, setRetention } from './retention/service.ts';
import { sweepRetention } from './retention/sweep.ts';
import {
  followImages,
  listImages,
  publishImage,
  registerImage,
  registryAddress,
  removeImage,
} from './service.ts';
import { getRepository, listRepositories, readImageStorage } from './storage.ts';
import { describeUntagged, listUntagged, removeUntagged, removeUntaggedImage } from './untagged-service.ts';

type Platformed = Pick<
  Platform,
  'settings' | 'log' | 'db' | 'objects' | 'secrets' | 'notifications' | 'callCounts'
>;

/** Container images: the registry that clients push to, and what the console shows of it. */
export async function createContainers(
  platform: Platformed,
  deployPushed: DeployPushed,
): Promise<Domain<typeof contract.containers>> {
  const { settings, db, objects, notifications } = platform;
  // Before anything is started or pulled.
  await adoptHost(db, settings);
  const mirror = await createMirror(platform);
  return {
    handlers: {
      list: ({ ctx, input }) => listImages(ctx, input),
      create: ({ ctx, input }) => registerImage(ctx, input),
      get: ({ ctx, input }) => describeImage(ctx, platform, input.id),
      update: ({ ctx, input }) => publishImage(ctx, input),
      remove: ({ ctx, input }) => removeImage(ctx, settings, input.id),
      registry: ({ ctx }) => registryAddress(ctx, settings),
      storage: ({ ctx }) => readImageStorage(ctx, settings),
      repositories: ({ ctx, input }) => listRepositories(ctx, settings, input),
      repository: ({ ctx, input }) => getRepository(ctx, settings, input.id),
      untagged: ({ ctx, input }) => listUntagged(ctx, settings, input),
      removeUntagged: ({ ctx, input }) => removeUntagged(ctx, settings, input.id),
      untaggedImage: ({ ctx, input }) => describeUntagged(ctx, settings, input.id),
      removeUntaggedImage: ({ ctx, input }) => removeUntaggedImage(ctx, settings, input.id),
      retention: ({ ctx, input }) => describeRetention(ctx, input.id),
      previewRetention: ({ ctx, input }) => previewRetention(ctx, settings, input),
      setRetention: ({ ctx, input }) => setRetention(ctx, input),
      removeRetention: ({ ctx, input }) => removeRetention(ctx, input.id),
      changes: ({ ctx }) => followImages(ctx, notifications),
    },
    routes: (app) => addRegistry(app, platform, { deployPushed, mirror }),
    sweeps: {
      registryRetention: () => sweepRetention(db, settings),
      registryReleases: () => sweepReleaseImages(db, settings),
      registryUploads: () => sweepUploads(db),
      registryLinks: () => sweepLinks(db),
      registryBlobs: () => sweepBlobs({ db, objects }),
      ...(mirror && { registryMirror: () => sweepMirror(mirror) }),
    },
  };
}
