import autocannon from 'autocannon';

/** One line of the report. */
export interface Finding {
  name: string;
  /** What was measured and against what, with numbers. */
  detail: string;
  /** Whether it keeps to its target. */
  met: boolean;
}

export interface Load {
  url: string;
  method?: 'GET' | 'PATCH';
  headers?: Record<string, string>;
  body?: string;
  connections?: number;
  seconds?: number;
}

export interface Speed {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Loads an address for some seconds; throws when any answer is not a 2xx. */
export async function load({
  url,
  method = 'GET',
  headers = {},
  body,
  connections = 10,
  seconds = 4,
}: Load): Promise<Speed> {
  const asked = { url, method, headers, ...(body !== undefined && { body }) };
  const result = await autocannon({ ...asked, connections, duration: seconds });
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0) throw new Error(`${failures} of the requests to ${url} failed`);
  return {
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Measures two by turns, so that what else the machine does falls on both; medians of the rounds. */
export async function compare(
  ours: Load,
  baseline: Load,
  rounds = 3,
): Promise<{ ours: Speed; baseline: Speed }> {
  await load({ ...ours, seconds: 2 });
  await load({ ...baseline, seconds: 2 });
  const speeds: { ours: Speed[]; baseline: Speed[] } = { ours: [], baseline: [] };
  for (let round = 0; round < rounds; round += 1) {
    speeds.baseline.push(await load(baseline));
    speeds.ours.push(await load(ours));
  }
  return { ours: medianSpeed(speeds.ours), baseline: medianSpeed(speeds.baseline) };
}

function medianSpeed(speeds: readonly Speed[]): Speed {
  return {
    requestsPerSecond: median(speeds.map((speed) => speed.requestsPerSecond)),
    p50: median(speeds.map((speed) => speed.p50)),
    p99: median(speeds.map((speed) => speed.p99)),
  };
}
