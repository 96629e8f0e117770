/** What a server answers, in version 2 of its protocol (RESP). */
export type Reply = string | number | null | Refusal | Reply[];

/** An error of the server, in its own words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

const CRLF = '\r\n';
/** No line that is not one of data is longer. */
const LONGEST_LINE = 65_536;

export function encodeCommand(words: readonly string[]): string {
  const bulks = words.map((word) => `$${Buffer.byteLength(word)}${CRLF}${word}${CRLF}`);
  return `*${words.length}${CRLF}${bulks.join('')}`;
}

/** The first whole reply in `bytes`; undefined until all of it is there. Throws at what is none. */
export function readReply(bytes: Buffer): { reply: Reply; length: number } | undefined {
  const read = replyAt(bytes, 0);
  return read && { reply: read.reply, length: read.end };
}

interface Read {
  reply: Reply;
  end: number;
}

function replyAt(bytes: Buffer, start: number): Read | undefined {
  const lineEnd = bytes.indexOf(CRLF, start);
  if (lineEnd === -1) {
    if (bytes.length - start > LONGEST_LINE) throw new Error('Redis sent a line without an end');
    return undefined;
  }
  const text = bytes.toString('utf8', start + 1, lineEnd);
  const end = lineEnd + CRLF.length;
  switch (bytes[start]) {
    case 0x2b: // +
      return { reply: text, end };
    case 0x2d: // -
      return { reply: new Refusal(text), end };
    case 0x3a: // :
      return { reply: Number(text), end };
    case 0x24: // $
      return bulkAt(bytes, end, Number(text));
    case 0x2a: // *
      return arrayAt(bytes, end, Number(text));
    default:
      throw new Error('Redis sent something that is no reply');
  }
}

function bulkAt(bytes: Buffer, start: number, length: number): Read | undefined {
  if (length < 0) return { reply: null, end: start };
  const end = start + length + CRLF.length;
  if (bytes.length < end) return undefined;
  return { reply: bytes.toString('utf8', start, start + length), end };
}

function arrayAt(bytes: Buffer, start: number, count: number): Read | undefined {
  if (count < 0) return { reply: null, end: start };
  const replies: Reply[] = [];
  let end = start;
  for (let n = 0; n < count; n += 1) {
    const read = replyAt(bytes, end);
    if (!read) return undefined;
    replies.push(read.reply);
    end = read.end;
  }
  return { reply: replies, end };
}
