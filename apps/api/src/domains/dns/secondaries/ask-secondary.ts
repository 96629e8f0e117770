import { randomInt } from 'node:crypto';
import { decode, encode } from 'dns-packet';
import { type AskingByUdp, askByUdp } from '../server/ask.ts';
import { FLAG, rcodeName } from '../server/protocol.ts';
import { signQuestion, type TsigKey } from '../server/transfer/tsig.ts';
import type { Place } from './reachable.ts';

/** RFC 1996 §3: the operation, at its place in the header's second word. */
const NOTIFY = 4 << 11;
const RCODE_MASK = 0xf;
const SECOND = 1000;
/** What stands for a code where nothing answers. */
export const SILENCE = 'no answer';

function question(domain: string, flags: number): Buffer {
  return encode({ id: randomInt(2 ** 16), flags, questions: [{ name: domain, type: 'SOA' }] });
}

async function exchange({ address: host, port }: Place, message: Buffer, asking: AskingByUdp) {
  try {
    const answer = await askByUdp({ host, port }, message, asking);
    const flags = answer.readUInt16BE(2);
    return flags & FLAG.QR ? { answer, code: rcodeName(flags & RCODE_MASK), flags } : undefined;
  } catch {
    return undefined;
  }
}

/** Tells a secondary that the domain changed (RFC 1996), signed; the code of its answer, or `SILENCE`. Never rejects. */
export async function notifySecondary(
  place: Place,
  { domain, key }: { domain: string; key: TsigKey },
  asking: AskingByUdp,
): Promise<string> {
  const now = Math.floor(Date.now() / SECOND);
  const answered = await exchange(place, signQuestion(question(domain, NOTIFY | FLAG.AA), key, now), asking);
  return answered?.code ?? SILENCE;
}

/** The serial of the domain that a secondary answers with, or the code that it has instead. Never rejects. */
export async function askSerial(
  place: Place,
  domain: string,
  asking: AskingByUdp,
): Promise<{ serial: number } | { code: string }> {
  const answered = await exchange(place, question(domain, 0), asking);
  if (!answered) return { code: SILENCE };
  const { answer, code, flags } = answered;
  try {
    const soa = decode(answer).answers?.find((record) => record.type === 'SOA');
    if (flags & FLAG.AA && soa?.type === 'SOA') return { serial: soa.data.serial ?? 0 };
  } catch {
    // What cannot be read is no answer to the question.
  }
  return { code: code === 'NOERROR' ? 'an answer without authority' : code };
}
