import { countOf } from '../../core/count-of.ts';
import type { Chunks } from '../repository/chunks.ts';
import type { Earlier } from '../repository/earlier.ts';
import type { Entry, Part } from '../repository/manifest.ts';
import { createPartWriter, type PartWriter } from '../repository/part-writer.ts';

/** Sentences about what could not be taken: an app can have any number of files that cannot be. */
const MOST_MISSING = 200;

/** A backup that is being made, as those who fill it see it. */
export interface Copying {
  /** Begins a part; what `fill` adds is in it. */
  part(name: string, fill: (part: PartCopy) => Promise<void>): Promise<void>;
  /** Says what could not be taken, in a sentence. */
  miss(sentence: string): void;
  signal: AbortSignal;
}

export interface PartCopy extends PartWriter {
  name: string;
  /** What an earlier backup has at this path, where all of it is there still. */
  earlier(path: string): Promise<Entry | undefined>;
  miss(sentence: string): void;
}

/** `earlierPart` gives what the backup before has of a part. */
export function createCopying(
  chunks: Chunks,
  {
    earlierPart,
    told,
    signal,
  }: {
    earlierPart: (name: string) => Promise<Earlier>;
    told: (bytes: number) => void;
    signal: AbortSignal;
  },
) {
  const parts: Part[] = [];
  const missing: string[] = [];
  let added = 0;
  const isThere = (entry: Entry) => !('at' in entry) || entry.at.every(([name]) => chunks.has(name));
  let more = 0;
  const miss = (sentence: string) => {
    if (missing.length < MOST_MISSING) missing.push(sentence);
    else more += 1;
  };
  const copying: Copying = {
    miss,
    signal,
    async part(name, fill) {
      const before = await earlierPart(name);
      const writer = createPartWriter(chunks, name, { told, signal });
      await fill({
        ...{ ...writer, name },
        async earlier(path) {
          const entry = await before(path);
          return entry && isThere(entry) ? entry : undefined;
        },
        miss,
      });
      parts.push(await writer.end());
      added += writer.added();
    },
  };
  return {
    copying,
    result: () => ({
      ...{ parts, added },
      missing: more === 0 ? missing : [...missing, `${countOf(more, 'thing')} more could not be taken.`],
    }),
  };
}
