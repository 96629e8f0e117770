import { CLIENT_COOKIE_BYTES } from './cookies.ts';
import { MAX_UDP, OPTION, PLAIN_UDP } from './protocol.ts';

/** What a question's OPT record says, RFC 6891. */
export interface Edns {
  /** Octets of an answer by UDP that the asker takes, within our bounds. */
  size: number;
  version: number;
  dnssecOk: boolean;
  /** The asker's cookie, with what it says was ours behind it (RFC 7873). */
  cookie: Buffer | undefined;
  /** Whether it asks which server answers (RFC 5001). */
  asksForServer: boolean;
  /** Whether it asks how long a connection may be idle (RFC 7828). */
  asksForIdleTime: boolean;
}

const DNSSEC_OK = 0x8000;
const OPTION_HEAD = 4;
/** Octets of a cookie with a server's part, RFC 7873 §4. */
const MIN_WHOLE_COOKIE = 16;
const MAX_WHOLE_COOKIE = 40;

function isCookie({ length }: Buffer): boolean {
  return length === CLIENT_COOKIE_BYTES || (length >= MIN_WHOLE_COOKIE && length <= MAX_WHOLE_COOKIE);
}

/** By code, the first of each; undefined where options do not fill the data exactly. */
function readOptions(packet: Buffer, begin: number, end: number): Map<number, Buffer> | undefined {
  const options = new Map<number, Buffer>();
  let at = begin;
  while (at + OPTION_HEAD <= end) {
    const code = packet.readUInt16BE(at);
    const data = at + OPTION_HEAD;
    at = data + packet.readUInt16BE(at + 2);
    if (!options.has(code)) options.set(code, packet.subarray(data, at));
  }
  return at === end ? options : undefined;
}

const NO_OPTIONS: ReadonlyMap<number, Buffer> = new Map();

/**
 * Reads an OPT record: `fixed` is where its name ends, `end` where its data does. Undefined where it is malformed, as one
 * whose cookie has a length that no cookie has (RFC 7873 §5.2.2). Options that we do not know say nothing to us.
 */
export function readEdns(packet: Buffer, fixed: number, data: number, end: number): Edns | undefined {
  const options = data === end ? NO_OPTIONS : readOptions(packet, data, end);
  if (!options) return undefined;
  const version = packet[fixed + 5] ?? 0;
  // It is not known what options mean in a later version.
  const known = version === 0 ? options : NO_OPTIONS;
  const cookie = known.get(OPTION.COOKIE);
  if (cookie && !isCookie(cookie)) return undefined;
  return {
    size: Math.min(Math.max(packet.readUInt16BE(fixed + 2), PLAIN_UDP), MAX_UDP),
    version,
    dnssecOk: (packet.readUInt16BE(fixed + 6) & DNSSEC_OK) !== 0,
    cookie,
    asksForServer: known.has(OPTION.NSID),
    asksForIdleTime: known.has(OPTION.TCP_KEEPALIVE),
  };
}

/** What an answer's OPT record tells; what is undefined is left out. */
export interface EdnsAnswer {
  cookie: Buffer | undefined;
  serverId: Buffer | undefined;
  /** Milliseconds. */
  idleTime: number | undefined;
  /** Why it is no answer, of `EXTENDED_ERROR`. */
  extendedError: number | undefined;
}

const IDLE_UNIT = 100;
const NOTHING = Buffer.alloc(0);

function twoOctets(value: number): Buffer {
  const octets = Buffer.allocUnsafe(2);
  octets.writeUInt16BE(value);
  return octets;
}

function option(code: number, data: Buffer | undefined): Buffer {
  return data ? Buffer.concat([twoOctets(code), twoOctets(data.length), data]) : NOTHING;
}

/** The options in octets. */
export function writeOptions({ cookie, serverId, idleTime, extendedError }: EdnsAnswer): Buffer {
  const idle = idleTime === undefined ? undefined : twoOctets(Math.floor(idleTime / IDLE_UNIT));
  const error = extendedError === undefined ? undefined : twoOctets(extendedError);
  if (!(cookie || serverId || idle || error)) return NOTHING;
  return Buffer.concat([
    option(OPTION.NSID, serverId),
    option(OPTION.COOKIE, cookie),
    option(OPTION.TCP_KEEPALIVE, idle),
    option(OPTION.EXTENDED_ERROR, error),
  ]);
}
