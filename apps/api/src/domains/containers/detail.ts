import type { ContainerImageDetail } from '@nephos/contracts';
import { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Platform } from '../../platform/platform.ts';
import { countsOf, planTagDeletion } from './deletion.ts';
import { whyTagKept } from './needed.ts';
import { findImage } from './read.ts';
import { blobKey, parseDigest } from './registry/digest.ts';
import { readReferrers } from './registry/listings.ts';
import { type Descriptor, type Manifest, parseManifest } from './registry/manifest.ts';

type ImagePlatform = ContainerImageDetail['platforms'][number];

/** Bytes of a config that is read for its platform. */
const CONFIG_MAX = 1024 * 1024;
/** Platforms and referrers that the page shows at most. */
const PLATFORMS_MAX = 50;
const REFERRERS_MAX = 100;
const TAGS_MAX = 1000;

const Config = z.object({
  os: z.string().default(''),
  architecture: z.string().default(''),
  variant: z.string().default(''),
});
type PlatformName = z.output<typeof Config>;

const UNKNOWN: PlatformName = { os: '', architecture: '', variant: '' };

async function readConfig(objects: ObjectStore, config: Descriptor | undefined): Promise<PlatformName> {
  const expected = config && parseDigest(config.digest);
  if (!expected || config.size > CONFIG_MAX) return UNKNOWN;
  const stream = await objects.get(blobKey(expected));
  if (!stream) return UNKNOWN;
  const text = Buffer.concat(await stream.toArray()).toString('utf8');
  try {
    return Config.safeParse(JSON.parse(text)).data ?? UNKNOWN;
  } catch {
    // An artifact's config may be anything.
    return UNKNOWN;
  }
}

function platformOf(
  digest: string,
  { mediaType, config, layers }: Manifest,
  { os, architecture, variant = '' }: { os: string; architecture: string; variant?: string | undefined },
): ImagePlatform {
  const blobs = new Map([...(config ? [config] : []), ...layers].map((blob) => [blob.digest, blob.size]));
  return {
    digest,
    mediaType,
    os,
    architecture,
    variant,
    size: [...blobs.values()].reduce((sum, size) => sum + size, 0),
    layers: layers.map((layer) => ({ digest: layer.digest, mediaType: layer.mediaType, size: layer.size })),
  };
}

/** The images that a manifest stands for: itself, or those of an index. */
async function readPlatforms(
  { db }: UserContext,
  objects: ObjectStore,
  { repositoryId, digest }: { repositoryId: string; digest: string },
): Promise<ImagePlatform[]> {
  const read = (digests: string[]) =>
    db
      .selectFrom('containerManifests')
      .select(['digest', 'content', 'mediaType'])
      .where('repositoryId', '=', repositoryId)
      .where('digest', 'in', digests)
      .execute();
  const [root] = await read([digest]);
  if (!root) return [];
  const manifest = parseManifest(root.content, root.mediaType);
  if (manifest.manifests.length === 0) {
    if (!manifest.config && manifest.layers.length === 0) return [];
    return [platformOf(digest, manifest, await readConfig(objects, manifest.config))];
  }
  const children = manifest.manifests.slice(0, PLATFORMS_MAX);
  const stored = new Map((await read(children.map((child) => child.digest))).map((row) => [row.digest, row]));
  return children.flatMap((child) => {
    const row = stored.get(child.digest);
    if (!row) return [];
    return [platformOf(child.digest, parseManifest(row.content, row.mediaType), child.platform ?? UNKNOWN)];
  });
}

/** One image with the other tags of its repository and what its manifest names. Throws 404. */
export async function describeImage(
  ctx: UserContext,
  { objects, settings }: Pick<Platform, 'objects' | 'settings'>,
  id: string,
): Promise<ContainerImageDetail> {
  const { db, ownerId } = ctx;
  const image = await findImage(db, ownerId, id);
  if (!image) throw notFound();
  const { id: repositoryId } = await db
    .selectFrom('containerRepositories')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('name', '=', image.name)
    .executeTakeFirstOrThrow();
  const tags = await db
    .selectFrom('containerImages as tag')
    .leftJoin('containerManifests as manifest', (join) =>
      join
        .onRef('manifest.repositoryId', '=', 'tag.repositoryId')
        .onRef('manifest.digest', '=', 'tag.digest'),
    )
    .select(['tag.id', 'tag.tag', 'tag.digest', 'tag.pullCount', 'tag.pushedAt'])
    .select(({ fn, val }) => fn.coalesce('manifest.imageSize', val(0)).as('size'))
    .where('tag.repositoryId', '=', repositoryId)
    .orderBy('tag.pushedAt', (order) => order.desc().nullsLast())
    .orderBy('tag.id', 'desc')
    .limit(TAGS_MAX)
    .execute();
  const { deletion, kept = '', needed } = await planTagDeletion(db, settings, { ...image, repositoryId });
  const known = {
    ...{ ...image, repositoryId, deletion: countsOf(deletion), keptBecause: kept },
    tags: tags.map((tag) => ({ ...tag, keptBecause: whyTagKept(needed, tag) })),
  };
  if (image.digest === null) return { ...known, platforms: [], referrers: [] };
  return {
    ...known,
    platforms: await readPlatforms(ctx, objects, { repositoryId, digest: image.digest }),
    referrers: await readReferrers(db, repositoryId, { subject: image.digest, limit: REFERRERS_MAX }),
  };
}
