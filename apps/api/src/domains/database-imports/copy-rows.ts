/** What of a chunk belongs to the rows of a `copy … from stdin`. */
interface Taken {
  bytes: Buffer;
  /** Bytes of the chunk; those after an end are not the rows'. */
  taken: number;
  isEnd: boolean;
  /** Lines that ended. */
  lines: number;
}

export interface CopyRows {
  take(chunk: Buffer): Taken;
  /** Whether the end of the dump is theirs, too: its last line has no end of its own. */
  endsHere(): boolean;
}

const NEWLINE = 0x0a;
/** The line that ends the rows, with either end of a line. */
const MARKS = ['\\.\n', '\\.\r\n'].map((mark) => Buffer.from(mark));
const LAST_LINE = /^\\\.\r?$/;

/** Reads rows up to the line `\.`, which may come in pieces; all else goes through as it is. */
export function createCopyRows(): CopyRows {
  /** The beginning of a line that may be the mark; undefined within another line. */
  let head: Buffer | undefined = Buffer.alloc(0);

  return {
    take(chunk) {
      const before = head?.length ?? 0;
      const all = head ? Buffer.concat([head, chunk]) : chunk;
      let at = 0;
      let lines = 0;
      for (;;) {
        if (head) {
          const rest = all.subarray(at);
          const mark = MARKS.find((one) => one.equals(rest.subarray(0, one.length)));
          if (mark) {
            head = undefined;
            const taken = at + mark.length - before;
            return { bytes: all.subarray(0, at), taken, isEnd: true, lines: lines + 1 };
          }
          if (MARKS.some((one) => rest.length < one.length && one.subarray(0, rest.length).equals(rest))) {
            head = Buffer.from(rest);
            return { bytes: all.subarray(0, at), taken: chunk.length, isEnd: false, lines };
          }
        }
        head = undefined;
        const end = all.indexOf(NEWLINE, at);
        if (end === -1) return { bytes: all, taken: chunk.length, isEnd: false, lines };
        lines++;
        at = end + 1;
        head = Buffer.alloc(0);
      }
    },
    endsHere: () => head !== undefined && LAST_LINE.test(head.toString('latin1')),
  };
}
