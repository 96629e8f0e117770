import { Transform } from 'node:stream';

const NEWLINE = 0x0a;

/**
 * What stands before the definer of a routine, a view, a trigger and an event in a dump, always from a line's first
 * character on: rows stand in lines that begin with `(` or `INSERT`, since a newline in a text is written as `\n`.
 */
const BEFORE = [
  'CREATE DEFINER=',
  '/*!50013 DEFINER=',
  '/*!50003 CREATE*/ /*!50017 DEFINER=',
  '/*!50106 CREATE*/ /*!50117 DEFINER=',
];

/**
 * Gives what the user `from` defined to the user `to`, who may define nothing in another's name. Both names have only
 * letters, digits and `_`.
 */
export function redefine(from: string, to: string): Transform {
  const heads = BEFORE.map((before) => ({
    old: Buffer.from(`${before}\`${from}\`@`),
    renewed: Buffer.from(`${before}\`${to}\`@`),
  }));
  const longest = Math.max(...heads.map(({ old }) => old.length));
  /** The beginning of a line of which too little is known; undefined within the rest of a line. */
  let begun: Buffer | undefined = Buffer.alloc(0);

  function* rewritten(chunk: Buffer, isLast: boolean): Generator<Buffer> {
    let rest = begun && begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk;
    while (rest.length > 0) {
      const newline = rest.indexOf(NEWLINE);
      const line = newline < 0 ? rest : rest.subarray(0, newline + 1);
      if (begun) {
        if (newline < 0 && line.length < longest && !isLast) {
          begun = line;
          return;
        }
        const head = heads.find(({ old }) => line.subarray(0, old.length).equals(old));
        if (head) yield head.renewed;
        yield head ? line.subarray(head.old.length) : line;
      } else yield line;
      rest = rest.subarray(line.length);
      begun = newline < 0 ? undefined : Buffer.alloc(0);
    }
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const piece of rewritten(chunk, false)) this.push(piece);
      done();
    },
    flush(done) {
      for (const piece of rewritten(Buffer.alloc(0), true)) this.push(piece);
      done();
    },
  });
}
