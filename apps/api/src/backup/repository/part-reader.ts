import { type Chunks, Damaged } from './chunks.ts';
import { Entry, type Manifest, type Part, type Place } from './manifest.ts';

/** The entries of a part, in the order in which they were added. */
export async function* entriesOf(chunks: Chunks, { name, index, entries }: Part): AsyncGenerator<Entry> {
  let count = 0;
  for (const chunk of index) {
    const text = (await chunks.get(chunk)).toString('utf8');
    for (const line of text.split('\n')) {
      if (line === '') continue;
      count += 1;
      yield Entry.parse(JSON.parse(line));
    }
  }
  if (count !== entries) throw new Damaged(`The list of ${name} is not whole.`);
}

/** Chunks that were read last: what shares one is read one after the other. */
export function createChunkReader(chunks: Chunks) {
  let last: { name: string; bytes: Promise<Buffer> } | undefined;
  const read = (name: string) => {
    if (last?.name !== name) last = { name, bytes: chunks.get(name) };
    return last.bytes;
  };
  return {
    /** The bytes at these places, in pieces. */
    async *bytes(at: readonly Place[]): AsyncGenerator<Buffer> {
      for (const [name, offset, size] of at) {
        const chunk = await read(name);
        if (offset + size > chunk.length) throw new Damaged(`A piece of the backup is too short: ${name}.`);
        yield chunk.subarray(offset, offset + size);
      }
    },
  };
}

/** The names of all chunks that a backup needs, with those that hold its lists. Throws `Damaged` where a list is. */
export async function chunksOf(chunks: Chunks, { parts }: Pick<Manifest, 'parts'>): Promise<Set<string>> {
  const names = new Set<string>();
  for (const part of parts) {
    for (const name of part.index) names.add(name);
    for await (const entry of entriesOf(chunks, part)) {
      if ('at' in entry) for (const [name] of entry.at) names.add(name);
    }
  }
  return names;
}

/** Chunks that are read at once. */
const AT_ONCE = 4;

/** Reads every byte that a backup needs; throws `Damaged` at the first that is not as it was put. */
export async function verify(
  chunks: Chunks,
  manifest: Pick<Manifest, 'parts'>,
  { told = () => {}, signal }: { told?: (done: number, all: number) => void; signal?: AbortSignal } = {},
): Promise<void> {
  const names = [...(await chunksOf(chunks, manifest))];
  let [next, done] = [0, 0];
  const work = async () => {
    for (let name = names[next++]; name !== undefined; name = names[next++]) {
      signal?.throwIfAborted();
      await chunks.get(name);
      done += 1;
      told(done, names.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
