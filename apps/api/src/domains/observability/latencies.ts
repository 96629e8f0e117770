/** Milliseconds: the first bound of the histogram of latencies, and by what each is greater than the one before. */
const FIRST = 0.5;
const GROWTH = 1.25;
/** The last bound is about 76 seconds; what takes longer counts there. */
const COUNTS = 54;

const LOG_GROWTH = Math.log(GROWTH);

/** How many answers began within each bound: what takes a few numbers, and adds up over minutes and servers. */
export type Latencies = number[];

export function countLatency(counts: Latencies, ms: number): void {
  const place = ms <= FIRST ? 0 : Math.min(COUNTS - 1, Math.ceil(Math.log(ms / FIRST) / LOG_GROWTH));
  while (counts.length <= place) counts.push(0);
  counts[place] = (counts[place] ?? 0) + 1;
}

/** Milliseconds within which a part of the answers began, off by a quarter at most, below 0.5 by that; null of none. */
export function percentile(counts: Latencies, part: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const wanted = part * all;
  let seen = 0;
  for (const [place, count] of counts.entries()) {
    if (count === 0 || seen + count < wanted) {
      seen += count;
      continue;
    }
    const from = place === 0 ? 0 : FIRST * GROWTH ** (place - 1);
    const to = FIRST * GROWTH ** place;
    return Number((from + (to - from) * ((wanted - seen) / count)).toPrecision(3));
  }
  return null;
}
