import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { LogLine } from '@nephos/contracts';

const squeeze = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** UTF-8 bytes of lines from which a block is worth squeezing. */
const WORTH_SQUEEZING = 512;
const PLAIN = 0;
const SQUEEZED = 1;
/** The fastest: what is written is bound by it. */
const LEVEL = 1;

/** Where a line came from: process, instance, stream and deployment. */
type Origin = readonly [process: string | null, instance: number | null, LogLine['stream'], string | null];

/** What stands before the texts. */
interface Head {
  origins: Origin[];
  /** Index of each line's origin. */
  of: number[];
  /** Milliseconds since 1970 of the first line, and of each line since the one before. */
  from: number;
  after: number[];
}

/** A line that has no number yet. */
export type NewLine = Omit<LogLine, 'line' | 'at'> & { at: number };

/**
 * Lines as they are stored: what is said of them, a newline, and their texts, one a line. So a search looks through the
 * texts as they are, and reads what is said only where it finds something.
 */
export async function packLines(lines: readonly NewLine[]): Promise<Buffer> {
  const whole = Buffer.from(`${JSON.stringify(headOf(lines))}\n${lines.map(({ text }) => text).join('\n')}`);
  if (whole.length < WORTH_SQUEEZING) return Buffer.concat([Buffer.of(PLAIN), whole]);
  return Buffer.concat([Buffer.of(SQUEEZED), await squeeze(whole, { level: LEVEL })]);
}

function headOf(lines: readonly NewLine[]): Head {
  const head: Head = { origins: [], of: [], from: lines[0]?.at ?? 0, after: [] };
  const known = new Map<string, number>();
  let last = head.from;
  for (const { process, instance, stream, deploymentId, at } of lines) {
    const key = `${process}\t${instance}\t${stream}\t${deploymentId}`;
    let index = known.get(key);
    if (index === undefined) {
      index = head.origins.push([process, instance, stream, deploymentId]) - 1;
      known.set(key, index);
    }
    head.of.push(index);
    head.after.push(at - last);
    last = at;
  }
  return head;
}

/** A block that was read. */
export interface OpenBlock {
  /** The lines' texts, with newlines between. */
  texts: string;
  lines(): NewLine[];
}

export async function openBlock(packed: Buffer): Promise<OpenBlock> {
  const body = packed.subarray(1);
  const whole = (packed[0] === SQUEEZED ? await expand(body) : body).toString();
  const end = whole.indexOf('\n');
  const texts = whole.slice(end + 1);
  return {
    texts,
    lines() {
      const head: Head = JSON.parse(whole.slice(0, end));
      let at = head.from;
      return texts.split('\n').map((text, index) => {
        at += head.after[index] ?? 0;
        const [process = null, instance = null, stream = 'stdout', deploymentId = null] =
          head.origins[head.of[index] ?? 0] ?? [];
        return { at, process, instance, stream, deploymentId, text };
      });
    },
  };
}

/** Whose lines these are, as a block says it of itself. */
export function sourcesOf(lines: readonly NewLine[]): string[] {
  return [
    ...new Set(
      lines.map(({ process, instance, stream }) => `${process ?? ''}\t${instance ?? ''}\t${stream}`),
    ),
  ];
}
