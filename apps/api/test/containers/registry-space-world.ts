import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageDeletion } from '@nephos/contracts';
import { sql } from 'kysely';
import { sweepBlobs, sweepLinks } from '../../src/domains/containers/registry/blob-sweep.ts';
import { listed } from '../platform/object-store-contract.ts';
import type { Person, World } from '../world.ts';
import {
  type Call,
  type Descriptor,
  descriptorOf,
  digestOf,
  OCI_CONFIG,
  OCI_INDEX,
  OCI_LAYER,
  OCI_MANIFEST,
  putManifest,
} from './registry-client.ts';

/** A manifest with what it needs. */
export interface Made {
  content: string;
  mediaType: string;
  digest: string;
  blobs: Buffer[];
}

const describe = ({ mediaType, content }: Made): Descriptor => descriptorOf(mediaType, content);

function made(mediaType: string, rest: Record<string, unknown>, blobs: Buffer[]): Made {
  const content = JSON.stringify({ schemaVersion: 2, mediaType, ...rest });
  return { content, mediaType, digest: digestOf(content), blobs };
}

export function makeImage(config: Buffer, layers: Buffer[], subject?: Made): Made {
  const rest = {
    config: descriptorOf(OCI_CONFIG, config),
    layers: layers.map((layer) => descriptorOf(OCI_LAYER, layer)),
    ...(subject && { subject: describe(subject) }),
  };
  return made(OCI_MANIFEST, rest, [config, ...layers]);
}

export function makeIndex(children: Made[], subject?: Made): Made {
  return made(
    OCI_INDEX,
    { manifests: children.map(describe), ...(subject && { subject: describe(subject) }) },
    [],
  );
}

/** Pushes what is made, its blobs first, by a tag or by its digest. */
export async function pushMade(
  call: Call,
  name: string,
  { content, mediaType, digest, blobs }: Made,
  tag = digest,
): Promise<void> {
  for (const body of blobs) {
    const { status } = await call('POST', `/v2/${name}/blobs/uploads/?digest=${digestOf(body)}`, { body });
    if (status !== 201) throw new Error(`no blob: ${status}`);
  }
  const put = await putManifest(call, name, tag, content, mediaType);
  if (put.status !== 201) throw new Error(`no manifest: ${put.status} ${put.body.toString()}`);
}

/** Bytes of images that someone's plan is charged with. */
export async function usedBytes({ deps }: World, { user }: Person): Promise<number> {
  const { used } = await deps.db
    .selectFrom('usageMeters')
    .select(sql<number>`coalesce(sum(level), 0)`.as('used'))
    .where('userId', '=', user.id)
    .where('resourceType', '=', 'container')
    .executeTakeFirstOrThrow();
  return used;
}

/** Makes all that was ever stored, or of uploads, and all that was pushed or asked for, look as old as that. */
export async function age(world: World, hours: number, objects: 'data' | 'uploads' = 'data'): Promise<void> {
  const instant = sql<string>`now() - make_interval(secs => ${hours * 3600})`;
  await world.deps.db.updateTable('containerBlobLinks').set({ askedAt: instant }).execute();
  await world.deps.db.updateTable('containerManifests').set({ pushedAt: instant }).execute();
  const then = new Date(Date.now() - hours * 60 * 60 * 1000);
  const folder = join(world.deps.settings.dataDir, 'objects', objects);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
  }
}

/** As each hour. */
export async function sweep({ deps }: World): Promise<void> {
  await sweepLinks(deps.db);
  await sweepBlobs(deps);
}

/** Digests of all blobs that the store has, in order. */
export async function storedBlobs({ deps }: World): Promise<string[]> {
  const objects = await listed(deps.objects, 'blobs/');
  return objects.map(({ key }) => key.replace('blobs/', '').replace('/', ':')).toSorted();
}

/** Deletes all untagged images of someone's repository, and answers what went. */
export async function removeUntagged({ rpc }: Person, name: string): Promise<ImageDeletion> {
  const repositories = await rpc.containers.repositories.query();
  const repository = repositories.find((candidate) => candidate.name === name);
  return rpc.containers.removeUntagged.mutate({ id: repository?.id ?? '' });
}

export async function removeTag(person: Person, name: string, tag: string): Promise<void> {
  const image = (await person.rpc.containers.list.query()).find(
    (card) => card.name === name && card.tag === tag,
  );
  await person.rpc.containers.remove.mutate({ id: image?.id ?? '' });
}

/** Reads an image with all that is below it, and says what is missing or not what its digest says. */
export async function faultsOf(call: Call, name: string, reference: string): Promise<string[]> {
  const answer = await call('GET', `/v2/${name}/manifests/${reference}`);
  if (answer.status !== 200) return [`${name} ${reference}: ${answer.status}`];
  const {
    config,
    layers = [],
    manifests = [],
  } = answer.json() as {
    config?: Descriptor;
    layers?: Descriptor[];
    manifests?: Descriptor[];
  };
  const faults: string[] = [];
  for (const { digest } of [...(config ? [config] : []), ...layers]) {
    const blob = await call('GET', `/v2/${name}/blobs/${digest}`);
    if (digestOf(blob.body) !== digest) faults.push(`${name} ${reference}: blob ${digest}: ${blob.status}`);
  }
  for (const { digest } of manifests) faults.push(...(await faultsOf(call, name, digest)));
  return faults;
}
