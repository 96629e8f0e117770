import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { readImageName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/env.ts';
import { MIRROR_HANDLE } from '../../domains/containers/mirror/mirrored-name.ts';
import { findImage } from '../../domains/deployments/engine/container/images.ts';
import { keptImage } from '../../domains/deployments/engine/container/names.ts';
import { releaseFolders, releasesFolder } from '../../domains/deployments/engine/folders.ts';
import { readManifest } from '../../domains/deployments/engine/release/releases.ts';
import type { Copying, PartCopy } from './copying.ts';
import { patiently } from './patiently.ts';
import type { Reached } from './reach-docker.ts';

/** The image of a release that another registry has. */
export interface ForeignImage {
  projectId: string;
  release: string;
  reference: string;
  slug: string;
  /** Whether the app runs from it. */
  isLive: boolean;
}

/** Images that our own registry does not have: one that a restore has brought back is taken with its release. */
export async function imagesIn({
  settings,
  db,
  root,
}: {
  settings: Pick<Settings, 'publicUrl'>;
  db: Kysely<Database>;
  root: string;
}): Promise<ForeignImage[]> {
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
      const serve = await readManifest(manifest);
      if (serve?.kind !== 'container' || existsSync(image)) continue;
      if (isOwn(serve.image, settings.publicUrl.host)) continue;
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

/** Takes them as Docker saves them, each once: an image never changes. */
export async function copyImages(
  copying: Copying,
  part: PartCopy,
  { docker, images, root }: Reached & { images: readonly ForeignImage[]; root: string },
): Promise<void> {
  for (const { projectId, release, reference, slug, isLive } of images) {
    const path = relative(root, releaseFolders(root, projectId, release).image);
    const before = await part.earlier(path);
    if (before) {
      await part.note(before);
      continue;
    }
    const what = `The image ${reference} of ${slug}`;
    const { repo, tag } = keptImage(projectId, release);
    await patiently(copying, part, {
      what,
      async copy() {
        if (await findImage(docker, `${repo}:${tag}`)) {
          const saved = await docker.getImage(`${repo}:${tag}`).get();
          const entry = { kind: 'file' as const, path, mode: 0o600, uid: 0, gid: 0, mtime: 0, ctime: 0 };
          // The typings do not say what it yields.
          await part.add({ ...entry, inode: 0, size: 0, at: [] }, saved as AsyncIterable<Uint8Array>);
        } else if (isLive) part.miss(`${what} was not taken: Docker here does not have it.`);
      },
    });
  }
}
