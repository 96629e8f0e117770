import { CHUNK_BYTES } from './chunks.ts';

/** Gathers lines to chunks that end with one: but for a line that is longer than a chunk, as of a disk of 200 GB. */
export function createLines(write: (chunk: Buffer) => Promise<void>) {
  let lines: Buffer[] = [];
  let size = 0;
  const end = async () => {
    if (size > 0) await write(Buffer.concat(lines));
    [lines, size] = [[], 0];
  };
  return {
    async add(line: Buffer) {
      if (size + line.length > CHUNK_BYTES) await end();
      let rest = line;
      for (; rest.length > CHUNK_BYTES; rest = rest.subarray(CHUNK_BYTES))
        await write(rest.subarray(0, CHUNK_BYTES));
      lines.push(rest);
      size += rest.length;
    },
    end,
    /** Drops the lines that no chunk has yet. */
    forget() {
      [lines, size] = [[], 0];
    },
  };
}
