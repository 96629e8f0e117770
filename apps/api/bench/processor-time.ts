import { readFile } from 'node:fs/promises';
import { median } from './measure.ts';

/** How the kernel counts, on every processor that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Of user and system time, counted from behind the program's name, which may have spaces. */
const TIMES = [11, 13] as const;

/** Seconds of processor time that a process has used so far, with all its threads. Linux only. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(...TIMES).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

export interface Speed {
  perSecond: number;
  /** In each second of processor time that the server used, which other load of the machine changes little. */
  perProcessorSecond: number;
}

/** How fast a server does what `work` counts. */
export async function speedOf(pid: number, work: () => Promise<number>): Promise<Speed> {
  const [usedBefore, begun] = [await processorSeconds(pid), performance.now()];
  const count = await work();
  const [used, seconds] = [await processorSeconds(pid), (performance.now() - begun) / 1000];
  return { perSecond: count / seconds, perProcessorSecond: count / (used - usedBefore) };
}

/** Medians of both, as ratios. */
export function compareSpeeds(ours: readonly Speed[], theirs: readonly Speed[]) {
  const compared = (what: keyof Speed) => {
    const [own, other] = [ours, theirs].map((all) => median(all.map((speed) => speed[what])));
    const [one = Number.NaN, two = Number.NaN] = [own, other];
    return { ratio: one / two, text: `${one.toFixed(0)} of ${two.toFixed(0)}` };
  };
  const [time, processor] = [compared('perSecond'), compared('perProcessorSecond')];
  const ofProcessor = `${processor.text} in a second of processor time: ${processor.ratio.toFixed(2)}`;
  return {
    ratio: time.ratio,
    detail: `${time.text} a second: ${time.ratio.toFixed(2)}; ${ofProcessor}`,
  };
}
