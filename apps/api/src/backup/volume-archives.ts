import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { PLACE } from '../domains/deployments/engine/container/show-volume.ts';
import { keptVolume } from '../domains/deployments/engine/folders.ts';
import { Damaged } from './repository/chunks.ts';
import type { Entry } from './repository/manifest.ts';
import type { createChunkReader } from './repository/part-reader.ts';

type Reader = ReturnType<typeof createChunkReader>;

/** Where what is in a volume comes in the part of apps. */
export const volumePath = (projectId: string, volume: string) => `projects/${projectId}/volumes/${volume}`;

/** What a restore makes for Docker instead of files: who they belong to is Docker's to say, and root's to set. */
const IN_VOLUME = /^projects\/([^/]+)\/volumes\/(nephos-[^/.]+)(?:\/(.*))?$/s;

/** Where an entry of a volume lies in that. */
interface Inside {
  projectId: string;
  volume: string;
  /** As Docker names it in an archive of a volume. */
  name: string;
}

function insideOf(path: string): Inside | undefined {
  const [, projectId, volume, below = ''] = IN_VOLUME.exec(path) ?? [];
  if (projectId === undefined || volume === undefined) return undefined;
  const root = posix.basename(PLACE);
  const name = posix.join(root, below);
  if (name !== root && !name.startsWith(`${root}/`)) {
    throw new Damaged(`A path of the backup leads out of its folder: ${path}`);
  }
  return { projectId, volume, name };
}

/** Takes an archive to its end, which it is not where it throws. */
export type TakeVolume = (volume: Omit<Inside, 'name'>, archive: AsyncIterable<Uint8Array>) => Promise<void>;

/**
 * Yields what does not lie in a volume, and has `take` take what is in each as a tar archive, in the form in which Docker
 * puts one into a volume (pax, POSIX.1-2001): the same bytes each time. Throws what `take` throws.
 */
export async function* apartFromVolumes(
  entries: AsyncIterable<Entry>,
  { reader, takenAt, take }: { reader: Reader; takenAt: string; take: TakeVolume },
): AsyncGenerator<Entry> {
  let open: ReturnType<typeof openArchive> | undefined;
  try {
    for await (const entry of entries) {
      const inside = insideOf(entry.path);
      if (open && open.volume !== inside?.volume) {
        await open.end();
        open = undefined;
      }
      if (!inside) {
        yield entry;
        continue;
      }
      open ??= openArchive(inside, take);
      await open.add(headerOf(entry, inside.name, new Date(takenAt)), entry, reader);
    }
    await open?.end();
  } finally {
    open?.close();
  }
}

function openArchive({ projectId, volume }: Inside, take: TakeVolume) {
  const archive = pack();
  // The typings do not say what it yields.
  const taken = take({ projectId, volume }, archive as AsyncIterable<Uint8Array>);
  taken.catch(() => {});
  /** Rejects with what `take` throws. */
  const unlessFailed = (work: Promise<unknown>) => Promise.race([taken, work]);
  return {
    volume,
    async add(header: Header | undefined, entry: Entry, reader: Reader): Promise<void> {
      if (!header) return;
      // One that was refused has closed the archive.
      await unlessFailed(Promise.resolve());
      const written = Promise.withResolvers<void>();
      const sink = archive.entry(header, (error) => (error ? written.reject(error) : written.resolve()));
      if (entry.kind === 'file') {
        for await (const piece of reader.bytes(entry.at)) {
          if (!sink.write(piece)) await unlessFailed(once(sink, 'drain'));
        }
        // The typings want what to write.
        sink.end(null);
      }
      await unlessFailed(written.promise);
    },
    async end(): Promise<void> {
      archive.finalize();
      await taken;
    },
    close: () => archive.destroy(),
  };
}

type Header = Parameters<Pack['entry']>[0];

/** What has no time of its own is as old as the backup. */
function headerOf(entry: Entry, name: string, mtime: Date): Header | undefined {
  if (entry.kind === 'name') {
    const to = insideOf(entry.to)?.name;
    return to === undefined ? undefined : { name, type: 'link', linkname: to, mtime };
  }
  if (entry.kind === 'object' || entry.kind === 'table') return undefined;
  const { uid, gid } = entry;
  if (entry.kind === 'link') return { name, type: 'symlink', linkname: entry.to, uid, gid, mtime };
  const { mode } = entry;
  if (entry.kind === 'folder') return { name: `${name}/`, type: 'directory', mode, uid, gid, mtime };
  return { name, type: 'file', mode, uid, gid, size: entry.size, mtime: new Date(entry.mtime) };
}

/** Keeps archives below a folder of apps until Docker has their volumes. */
export function keepVolumes(root: string): TakeVolume {
  return async ({ projectId, volume }, archive) => {
    const file = keptVolume(root, projectId, volume);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(archive, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  };
}
