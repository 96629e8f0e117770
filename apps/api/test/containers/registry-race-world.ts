import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { expect, vi } from 'vitest';
import { parseManifest } from '../../src/domains/containers/registry/manifest.ts';
import { storeManifest } from '../../src/domains/containers/registry/manifest-push.ts';
import { ownWorkspace } from '../world.ts';
import { pushBlob } from './registry-client.ts';
import { faultsOf, type Made, makeImage } from './registry-space-world.ts';
import type { RegistryWorld } from './registry-world.ts';

/** Few for everyday; `REGISTRY_ROUNDS=200` for a long hunt. */
export const ROUNDS = Number(process.env.REGISTRY_ROUNDS ?? 3);

export const newName = () => `ada/${randomUUID()}`;
export const newImage = () => makeImage(randomBytes(100), [randomBytes(500), randomBytes(500)]);

export async function pushBlobs({ asAda }: RegistryWorld, name: string, image: Made): Promise<void> {
  for (const blob of image.blobs) await pushBlob(asAda, name, blob);
}

/** Resolves once something waits for a lock in this world's database, or `work` is done without one. */
export async function untilWaiting({ world }: RegistryWorld, work: Promise<unknown>): Promise<void> {
  let done = false;
  void work.finally(() => {
    done = true;
  });
  await vi.waitUntil(async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(world.deps.db);
    return done || rows.length > 0;
  });
}

/** Runs `work` while a transaction that has done `first` is still open. */
export async function meanwhile(
  registry: RegistryWorld,
  first: (trx: Kysely<Database>) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  const running = await registry.world.deps.db.transaction().execute(async (trx) => {
    await first(trx);
    const started = work();
    await untilWaiting(registry, started);
    return { started };
  });
  await running.started;
}

/** Accepts a manifest whose blobs are there, in a transaction that the caller ends. */
export function accept(
  { ada, world }: RegistryWorld,
  trx: Kysely<Database>,
  { name, made, tags }: { name: string; made: Made; tags: string[] },
): Promise<void> {
  const content = Buffer.from(made.content);
  const manifest = parseManifest(content, made.mediaType);
  const deps = { ...world.deps, db: trx, deployPushed: async () => {} };
  return storeManifest(
    deps,
    { owner: ownWorkspace(ada.user), name, by: { actor: ada.user, via: 'token' } },
    { digest: made.digest, content, manifest, tags },
  );
}

/** Every tag that is listed names an image that is there, with all that it names. */
export async function expectWhole({ asAda }: RegistryWorld, name: string): Promise<void> {
  const { tags } = (await asAda('GET', `/v2/${name}/tags/list`)).json() as { tags: string[] };
  for (const tag of tags) expect(await faultsOf(asAda, name, tag)).toEqual([]);
}
