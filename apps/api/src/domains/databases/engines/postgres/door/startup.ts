/** What begins a connection (PostgreSQL manual, 54.2 and 54.7). */
export type Beginning =
  | { kind: 'tls' }
  | { kind: 'gss' }
  | { kind: 'cancel'; key: string }
  | { kind: 'start'; user: string; database: string }
  /** TLS without asking first. */
  | { kind: 'hello' };

/** PostgreSQL's own bounds: MAX_STARTUP_PACKET_LENGTH, and that of the keys of protocol 3.2. */
const LONGEST_START = 10_000;
const LONGEST_CANCEL = 12 + 256;
const HEADER = 8;
const CANCEL = 80877102;
const TLS = 80877103;
const GSS = 80877104;
const MAJOR_VERSION = 3;
/** First byte of a handshake record. */
const HANDSHAKE = 0x16;

/** Nothing that PostgreSQL's clients send. */
export class Malformed extends Error {}

export interface FirstMessage {
  beginning: Beginning;
  /** Bytes that it takes. */
  length: number;
}

/** Reads the first message of what has arrived; undefined while some of it is missing. Throws `Malformed`. */
export function readFirst(bytes: Buffer): FirstMessage | undefined {
  if (bytes[0] === HANDSHAKE) return { beginning: { kind: 'hello' }, length: 0 };
  if (bytes.length < HEADER) return undefined;
  const length = bytes.readInt32BE(0);
  const code = bytes.readInt32BE(4);
  const isStart = code >> 16 === MAJOR_VERSION;
  const longest = isStart ? LONGEST_START : code === CANCEL ? LONGEST_CANCEL : HEADER;
  if (length < HEADER || length > longest) throw new Malformed();
  if (bytes.length < length) return undefined;
  return { beginning: beginningOf(code, bytes.subarray(HEADER, length)), length };
}

function beginningOf(code: number, body: Buffer): Beginning {
  if (code === TLS) return { kind: 'tls' };
  if (code === GSS) return { kind: 'gss' };
  if (code === CANCEL) return { kind: 'cancel', key: body.toString('hex') };
  if (code >> 16 !== MAJOR_VERSION) throw new Malformed();
  const values = body.toString('utf8').split('\0');
  const parameters = new Map<string, string>();
  for (let at = 0; at + 1 < values.length && values[at] !== ''; at += 2) {
    parameters.set(values[at] ?? '', values[at + 1] ?? '');
  }
  const user = parameters.get('user') ?? '';
  return { kind: 'start', user, database: parameters.get('database') || user };
}

/** ErrorResponse: ends a connection with PostgreSQL's own words. */
export function fatal(code: string, message: string): Buffer {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${message}`].map((field) => `${field}\0`).join('');
  return frame('E', Buffer.from(`${fields}\0`));
}

/** A message of the server: a letter, and the length of all that follows it. */
export function frame(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
