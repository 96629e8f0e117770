import { Transform } from 'node:stream';
import { frame } from './startup.ts';

const HEADER = 5;
const ERROR = 'E'.charCodeAt(0);
/** Bytes of an error that is looked at: those of the server are shorter. */
const LONGEST = 64 * 1024;
const READ_ONLY = 'C25006';

/**
 * Passes on what a server says, and adds a hint to its refusals to write in a read-only transaction: its own words do not
 * tell why that is one. `hint` is asked for each of them, and may know of none.
 */
export function addHints(hint: () => string | undefined): Transform {
  let head: Buffer = Buffer.alloc(0);
  /** Bytes of a message that only pass. */
  let passing = 0;

  function* pieces(chunk: Buffer): Generator<Buffer> {
    let rest = chunk;
    while (rest.length > 0) {
      if (passing > 0) {
        yield rest.subarray(0, passing);
        const passed = Math.min(passing, rest.length);
        passing -= passed;
        rest = rest.subarray(passed);
        continue;
      }
      head = Buffer.concat([head, rest]);
      if (head.length < HEADER) return;
      const length = 1 + head.readInt32BE(1);
      rest = head;
      head = Buffer.alloc(0);
      if (rest[0] !== ERROR || length > LONGEST || length < HEADER) {
        passing = Math.max(length, HEADER);
      } else if (rest.length < length) {
        head = rest;
        return;
      } else {
        yield withHint(rest.subarray(0, length), hint);
        rest = rest.subarray(length);
      }
    }
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const piece of pieces(chunk)) this.push(piece);
      done();
    },
    flush(done) {
      this.push(head);
      done();
    },
  });
}

function withHint(message: Buffer, hint: () => string | undefined): Buffer {
  const fields = message.subarray(HEADER).toString('utf8').split('\0');
  const text = fields.includes(READ_ONLY) ? hint() : undefined;
  if (text === undefined) return message;
  // After the last field comes an empty one, and the end of that.
  return frame('E', Buffer.from([...fields.filter((field) => field !== ''), `H${text}`, '', ''].join('\0')));
}
