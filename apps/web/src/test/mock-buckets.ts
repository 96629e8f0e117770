import { type Bucket, type BucketRules, buckets } from '@nephos/contracts';
import { STORAGE_REGION } from '@nephos/contracts/constants';
import { found, implement, Refused, success } from './mock-implement.ts';
import type { MockWorld } from './mock-world.ts';

const ORIGIN = 'http://localhost:3000';

function rulesOf({ bucketRules }: MockWorld): BucketRules {
  return { ...bucketRules, revision: JSON.stringify(bucketRules).slice(0, 64) };
}

function setRules(world: MockWorld, revision: string | undefined, change: Partial<BucketRules>): BucketRules {
  if (revision !== rulesOf(world).revision) {
    throw new Refused({
      code: 'CONFLICT',
      reason: 'CHANGED',
      message: 'Somebody changed the rules meanwhile.',
    });
  }
  world.bucketRules = { ...world.bucketRules, ...change };
  return rulesOf(world);
}

export const bucketsMock = implement(buckets, {
  list: ({ ctx }) => ctx.world.buckets,
  get: ({ ctx, input }) => {
    const bucket = found(ctx.world.buckets, input.id);
    const publicUrl = bucket.isPublic ? `http://s3.localhost:3000/${bucket.name}/` : null;
    return { ...bucket, files: 3, size: 4096, endpoint: ORIGIN, region: STORAGE_REGION, publicUrl };
  },
  create: ({ ctx: { world }, input: { name, isPublic, versioning } }) => {
    const createdAt = '2026-11-24T10:00:00.000Z';
    const made: Bucket = {
      ...{ id: crypto.randomUUID(), name, isPublic, createdAt },
      versioning: versioning ? 'enabled' : 'off',
    };
    world.buckets = [...world.buckets, made];
    return made;
  },
  update: ({ ctx: { world }, input: { id, versioning, ...change } }) => {
    const bucket = found(world.buckets, id);
    Object.assign(
      bucket,
      change,
      versioning !== undefined && { versioning: versioning ? 'enabled' : 'suspended' },
    );
    return bucket;
  },
  remove: ({ ctx: { world }, input }) => {
    found(world.buckets, input.id);
    world.buckets = world.buckets.filter(({ id }) => id !== input.id);
    return success;
  },
  rules: ({ ctx: { world }, input }) => {
    found(world.buckets, input.id);
    return rulesOf(world);
  },
  setLifecycle: ({ ctx: { world }, input: { rules, revision } }) =>
    setRules(world, revision, {
      lifecycle: rules.map(({ isEnabled = true, prefix = '', tags = {}, ...rule }) => ({
        ...{ id: crypto.randomUUID(), isEnabled, prefix, tags },
        ...rule,
      })),
    }),
  setCors: ({ ctx: { world }, input: { rules, revision } }) =>
    setRules(world, revision, {
      cors: rules.map(({ headers = [], exposed = [], ...rule }) => ({ ...rule, headers, exposed })),
    }),
  keys: ({ ctx }) => ctx.world.storageKeys,
  createKey: ({ ctx: { world }, input: { name, access, bucketId } }) => {
    const bucket = bucketId ? found(world.buckets, bucketId) : null;
    const key = {
      ...{ id: 'NPHSMADEMADEMADEMADE', name, access, createdAt: '2026-11-24T10:00:00.000Z' },
      ...{ bucket: bucket && { id: bucket.id, name: bucket.name }, lastUsedAt: null },
      madeBy: { id: crypto.randomUUID(), name: 'Ada Lovelace' },
    };
    world.storageKeys = [key, ...world.storageKeys];
    return { ...key, secretAccessKey: 'made'.repeat(10) };
  },
  removeKey: ({ ctx: { world }, input }) => {
    found(world.storageKeys, input.keyId);
    world.storageKeys = world.storageKeys.filter(({ id }) => id !== input.keyId);
    return success;
  },
});
