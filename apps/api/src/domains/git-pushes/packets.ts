/** gitprotocol-common(5): four hexadecimal digits with the length of a packet, their own included. */
const LENGTH = 4;
/** What can be told beside a report, in the older and smaller of the two forms of side bands. */
const MAX_TEXT = 990;
const PROGRESS = 2;

/** Ends a message. */
export const FLUSH = Buffer.from('0000');
/** Keeps the connection alive: a packet with nothing in it. */
export const KEEP_ALIVE = Buffer.from('0005\x01', 'latin1');

/** Whole packets of a stream, each with its length before it. What is no packet comes as it is. */
export async function* readPackets(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const length = lengthOf(rest);
      if (length === undefined || rest.length < length) break;
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }
  if (rest.length > 0) yield rest;
}

/** Undefined where that is not there yet. */
function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < LENGTH) return undefined;
  const digits = bytes.toString('latin1', 0, LENGTH);
  // A flush and its kin have no content.
  return /^[0-9a-f]{4}$/i.test(digits) ? Math.max(LENGTH, Number.parseInt(digits, 16)) : bytes.length;
}

/** Whether a packet is of one of several bands, so that there is one to be heard on. */
export function isBanded(packet: Buffer): boolean {
  const band = packet[LENGTH] ?? 0;
  return band >= 1 && band <= 3;
}

/** Packets by which the client shows a text as `remote: …`. */
export function tell(text: string): Buffer {
  const bytes = Buffer.from(text);
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += MAX_TEXT) {
    const part = bytes.subarray(at, at + MAX_TEXT);
    const length = (LENGTH + 1 + part.length).toString(16).padStart(LENGTH, '0');
    packets.push(Buffer.from(length), Buffer.of(PROGRESS), part);
  }
  return Buffer.concat(packets);
}
