import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { readImageName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { MIRROR_HANDLE } from '../../domains/containers/mirror/mirrored-name.ts';
import { isAway } from '../../domains/deployments/engine/container/daemon.ts';
import { findImage } from '../../domains/deployments/engine/container/images.ts';
import { keptImage } from '../../domains/deployments/engine/container/names.ts';
import { releaseFolders, releasesFolder } from '../../domains/deployments/engine/folders.ts';
import { readManifest } from '../../domains/deployments/engine/release/releases.ts';
import type { Copying, PartCopy } from './copying.ts';
import { patiently } from './patiently.ts';
import type { Reached } from './reach-docker.ts';
import { copyOneFile } from './tree.ts';

/** The image of a release that another registry has. */
export interface ForeignImage {
  projectId: string;
  release: string;
  reference: string;
  slug: string;
  /** Whether the app runs from it. */
  isLive: boolean;
}

/** Images that our own registry does not have, and those that a restore has brought back. */
export async function imagesIn(
  part: Pick<PartCopy, 'miss'>,
  {
    settings,
    db,
    root,
  }: {
    settings: Pick<Settings, 'publicUrl'>;
    db: Kysely<Database>;
    root: string;
  },
): Promise<ForeignImage[]> {
  const projects = await db
    .selectFrom('projects')
    .leftJoin('deployments', 'deployments.id', 'liveDeploymentId')
    .select(['projects.id', 'slug', 'deployments.id as liveId', 'deployments.rollbackOf'])
    .orderBy('projects.id')
    .execute();
  const found: ForeignImage[] = [];
  for (const { id: projectId, slug, liveId, rollbackOf } of projects) {
    const releases = await readdir(releasesFolder(root, projectId)).catch(() => []);
    for (const release of releases.sort()) {
      const { manifest, image } = releaseFolders(root, projectId, release);
      const serve = await readManifest(manifest).catch(() => {
        const what = `The release ${release} of ${slug} was taken without its image, if it has one`;
        part.miss(`${what}: its release.json is damaged.`);
      });
      if (serve?.kind !== 'container') continue;
      if (!existsSync(image) && isOwn(serve.image, settings.publicUrl.host)) continue;
      const isLive = release === (rollbackOf ?? liveId);
      found.push({ projectId, release, reference: serve.image, slug, isLive });
    }
  }
  return found;
}

/** What is built has an id for a name, and was pushed. What is mirrored is not in our backups, and its registry may be gone. */
function isOwn(reference: string, host: string): boolean {
  if (reference.startsWith('sha256:')) return true;
  const name = readImageName(reference);
  return name?.host === host && !name.path.startsWith(`${MIRROR_HANDLE}/`);
}

const fileOf = (root: string, { projectId, release }: ForeignImage) =>
  releaseFolders(root, projectId, release).image;

/**
 * Takes those that need no Docker: an image never changes, so what the backup before has of it, or the file that a restore
 * has left until Docker loads it. Answers the others.
 */
export async function copyKeptImages(
  part: PartCopy,
  { images, root }: { images: readonly ForeignImage[]; root: string },
): Promise<ForeignImage[]> {
  const others: ForeignImage[] = [];
  for (const image of images) {
    const file = fileOf(root, image);
    const path = relative(root, file);
    const before = await part.earlier(path);
    if (before) await part.note(before);
    else if (!(await copyOneFile(part, file, path))) others.push(image);
  }
  return others;
}

/** Takes them as Docker saves them. Answers whether it responds to the end. */
export async function copyImages(
  copying: Copying,
  part: PartCopy,
  { docker, images, root }: Reached & { images: readonly ForeignImage[]; root: string },
): Promise<boolean> {
  for (const image of images) {
    const { projectId, release, reference, slug, isLive } = image;
    const what = `The image ${reference} of ${slug}`;
    const { repo, tag } = keptImage(projectId, release);
    const failure = await patiently(copying, part, {
      what,
      async copy() {
        if (await findImage(docker, `${repo}:${tag}`)) {
          const saved = await docker.getImage(`${repo}:${tag}`).get();
          const path = relative(root, fileOf(root, image));
          const entry = { kind: 'file' as const, path, mode: 0o600, uid: 0, gid: 0, mtime: 0, ctime: 0 };
          // The typings do not say what it yields.
          await part.add({ ...entry, inode: 0, size: 0, at: [] }, saved as AsyncIterable<Uint8Array>);
        } else if (isLive) part.miss(`${what} was not taken: Docker here does not have it.`);
      },
    });
    if (failure && isAway(failure)) return false;
  }
  return true;
}
