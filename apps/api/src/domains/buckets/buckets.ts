import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { findRules, setCors, setLifecycle } from './rules.ts';
import { createBucket, findBucket, listBuckets, removeBucket, updateBucket } from './service.ts';
import { createKey, listKeys, removeKey } from './storage-keys.ts';

/** Buckets of files, and the keys with which S3 clients sign. */
export function createBuckets({
  settings,
  secrets,
}: Pick<Platform, 'settings' | 'secrets'>): Domain<typeof contract.buckets> {
  return {
    handlers: {
      list: ({ ctx }) => listBuckets(ctx),
      get: ({ ctx, input }) => findBucket(ctx, settings, input.id),
      create: ({ ctx, input }) => createBucket(ctx, input),
      update: ({ ctx, input }) => updateBucket(ctx, input),
      remove: ({ ctx, input }) => removeBucket(ctx, input.id),
      rules: ({ ctx, input }) => findRules(ctx, input.id),
      setLifecycle: ({ ctx, input }) => setLifecycle(ctx, input),
      setCors: ({ ctx, input }) => setCors(ctx, input),
      keys: ({ ctx }) => listKeys(ctx),
      createKey: ({ ctx, input }) => createKey(ctx, secrets, input),
      removeKey: ({ ctx, input }) => removeKey(ctx, input.keyId),
    },
  };
}
