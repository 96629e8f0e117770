import { type Chunks, Damaged, DamagedChunk } from './chunks.ts';
import { Entry, type Manifest, type Part, type Place } from './manifest.ts';

const NEWLINE = 0x0a;

/** Lines of a part's list that lie in one chunk, or one that is longer than a chunk in several. */
export async function* linesOf(
  chunks: Chunks,
  { index }: Pick<Part, 'index'>,
): AsyncGenerator<{ names: string[]; lines: Buffer }> {
  let names: string[] = [];
  let begun: Buffer[] = [];
  for (const name of index) {
    names.push(name);
    begun.push(await chunks.get(name));
    // A line may go on in the next chunk.
    if (begun.at(-1)?.at(-1) !== NEWLINE) continue;
    yield { names, lines: Buffer.concat(begun) };
    [names, begun] = [[], []];
  }
}

/** The entries of a part, in the order in which they were added. */
export async function* entriesOf(chunks: Chunks, part: Part): AsyncGenerator<Entry> {
  let count = 0;
  for await (const { lines } of linesOf(chunks, part)) {
    for (const line of lines.toString('utf8').split('\n')) {
      if (line === '') continue;
      count += 1;
      yield Entry.parse(JSON.parse(line));
    }
  }
  if (count !== part.entries) throw new Damaged(`The list of ${part.name} is not whole.`);
}

/** The chunk that was read last, since what shares one is read one after the other, and the one that comes next. */
export function createChunkReader(chunks: Chunks) {
  let kept: { name: string; bytes: Promise<Buffer> }[] = [];
  const read = (name: string) => {
    const found = kept.find((each) => each.name === name) ?? { name, bytes: chunks.get(name) };
    // Who never comes to it does not hear of it.
    found.bytes.catch(() => {});
    kept = [found, ...kept.filter((each) => each !== found)].slice(0, 2);
    return found.bytes;
  };
  return {
    /** The bytes at these places, in pieces. */
    async *bytes(at: readonly Place[]): AsyncGenerator<Buffer> {
      for (const [index, [name, offset, size]] of at.entries()) {
        const chunk = await read(name);
        const next = at[index + 1];
        if (next) void read(next[0]);
        if (offset + size > chunk.length) throw new Damaged(`A piece of the backup is too short: ${name}.`);
        yield chunk.subarray(offset, offset + size);
      }
    },
  };
}

/**
 * Adds the names of all chunks that a backup needs, with those that hold its lists. A list whose chunks were all added
 * for another backup is not read again. Throws `Damaged` where a list is.
 */
export async function addChunksOf(
  chunks: Chunks,
  { parts }: Pick<Manifest, 'parts'>,
  names: Set<string>,
): Promise<void> {
  for (const part of parts) {
    if (part.index.every((name) => names.has(name))) continue;
    for (const name of part.index) names.add(name);
    for await (const entry of entriesOf(chunks, part)) {
      if ('at' in entry) for (const [name] of entry.at) names.add(name);
    }
  }
}

/** Chunks that are read at once. */
const AT_ONCE = 4;

/**
 * Reads every byte that a backup needs; throws `Damaged` where one is not as it was put: at once, or after all of them
 * where `condemn` is to be told of each chunk.
 */
export async function verify(
  chunks: Chunks,
  manifest: Pick<Manifest, 'parts'>,
  { condemn, signal }: { condemn?: (chunk: string) => Promise<void>; signal?: AbortSignal } = {},
): Promise<void> {
  let first: DamagedChunk | undefined;
  const noteDamage = async (error: unknown) => {
    if (!condemn || !(error instanceof DamagedChunk)) throw error;
    first ??= error;
    await condemn(error.chunk);
  };
  const needed = new Set<string>();
  for (const part of manifest.parts) await addChunksOf(chunks, { parts: [part] }, needed).catch(noteDamage);
  const names = [...needed];
  let next = 0;
  const work = async () => {
    for (let name = names[next++]; name !== undefined; name = names[next++]) {
      signal?.throwIfAborted();
      await chunks.get(name).catch(noteDamage);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (first) throw first;
}
