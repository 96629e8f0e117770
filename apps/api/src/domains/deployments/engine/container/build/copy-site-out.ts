import { posix } from 'node:path';
import type Docker from 'dockerode';
import type { Serve, SiteSource } from '../../detect/plan.ts';
import { type NewSite, type SiteBounds, startSite, UnservableSite } from '../../release/copy-site.ts';
import { noIndex, serveSite } from '../../release/seal-site.ts';
import { removeContainer } from '../open-container.ts';
import { type ArchiveEntry, readArchive } from '../read-archive.ts';

interface ImageFolders {
  /** The image's id. */
  image: string;
  /** Below which of its folders the site may be. */
  roots: readonly string[];
}

/** Copies a site's folder out of an image, in which nothing is run. Throws `StepFailure`, or the signal's reason. */
export async function copySiteOut(
  docker: Docker,
  source: SiteSource,
  { image, roots, ...bounds }: SiteBounds & ImageFolders,
): Promise<Extract<Serve, { kind: 'static' }>> {
  // An image without a command of its own is no container without one.
  const container = await docker.createContainer({ Image: image, Cmd: ['none'], NetworkDisabled: true });
  try {
    const folder = await findOutput(container, source, roots);
    if (folder === undefined) throw noIndex(source);
    return await serveSite(source, bounds, (all) => readSite(readArchive(container, `${folder}/.`), all));
  } finally {
    await removeContainer(container);
  }
}

async function findOutput(
  container: Docker.Container,
  { folders }: SiteSource,
  roots: readonly string[],
): Promise<string | undefined> {
  for (const folder of folders.flatMap((path) => roots.map((root) => posix.join(root, path)))) {
    const found = await container.infoArchive({ path: posix.join(folder, 'index.html') }).catch(ofMissing);
    if (found) return folder;
  }
  return undefined;
}

function ofMissing(error: { statusCode?: number }): undefined {
  if (error.statusCode !== 404) throw error;
}

/** Names of entries begin with the folder that was asked for. */
async function readSite(entries: AsyncIterable<ArchiveEntry>, bounds: SiteBounds): Promise<void> {
  const site = await startSite(bounds);
  for await (const entry of entries) await addEntry(site, entry);
  await site.finish();
}

async function addEntry(
  site: NewSite,
  { header: { name, type, linkname }, pieces }: ArchiveEntry,
): Promise<void> {
  const path = belowFolder(name);
  if (path === '') return;
  if (type === 'directory') await site.addFolder(path);
  else if (type === 'symlink') site.addLink(path, linkname);
  else if (type === 'link') await site.addName(path, belowFolder(linkname));
  else if (type === 'file' || type === 'contiguous-file') await site.addFile(path, pieces);
  else throw new UnservableSite(`${path} is neither a file nor a folder`);
}

function belowFolder(name: string): string {
  return name.replace(/^[^/]*\/?/, '').replace(/\/$/, '');
}
