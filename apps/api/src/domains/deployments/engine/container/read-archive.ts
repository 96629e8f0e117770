import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import { extract, type Header } from 'tar-stream';

export interface ArchiveEntry {
  header: Header;
  pieces: AsyncIterable<Uint8Array>;
}

/**
 * Reads what a container has at a path as a tar archive (pax, POSIX.1-2001), entry by entry and as far as it is asked for:
 * what is left is given up then, since Docker does not remove a container before its archive has ended.
 */
export async function* readArchive(container: Docker.Container, path: string): AsyncGenerator<ArchiveEntry> {
  // The typings know less of an answer to an HTTP request.
  const archive = (await container.getArchive({ path })) as IncomingMessage;
  const entries = extract();
  archive.on('error', (error) => entries.destroy(error));
  archive.pipe(entries);
  try {
    for await (const entry of entries) {
      // The typings do not say that a stream of this kind can be iterated.
      yield { header: entry.header, pieces: entry as unknown as AsyncIterable<Uint8Array> };
      entry.resume();
    }
  } finally {
    archive.destroy();
  }
}
