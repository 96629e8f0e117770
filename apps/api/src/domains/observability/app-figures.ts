import type { ServerResponse } from 'node:http';
import { countLatency, type Latencies } from './latencies.ts';

/** What an app's processes use at a moment. */
export interface Usage {
  /** Resident bytes. */
  memory: number;
  /** Milliseconds of processor time since the moment before. */
  cpuMs: number;
}

/** The figures of one run of a process. */
export interface RunFigures {
  sample(usage: Usage): void;
  end(): void;
}

/** What a process, or with '' the whole app, did and used. */
export interface Figures {
  projectId: string;
  process: string;
  requests: number;
  errors: number;
  latencies: Latencies;
  cpuMs: number;
  memorySum: number;
  memorySamples: number;
  memoryMax: number;
  disk: number | null;
}

/** Counts what apps do and use, in memory. */
export interface AppFigures {
  /** Counts a request as soon as `answerBegan`, or when it is over. */
  begin(projectId: string, response: ServerResponse): void;
  /** Begins to count what a run of a process uses. */
  watch(projectId: string, process: string): RunFigures;
  /** What an app has on disk: its newest size counts. */
  disk(projectId: string, bytes: number): void;
  /** Everything since the last call. */
  collect(): Figures[];
}

const toCount = Symbol('counts an answer');

/** An answer that is not counted yet. */
interface Uncounted extends ServerResponse {
  [toCount]?: (() => void) | undefined;
}

/** Counts an answer whose head was just sent: how long the rest takes is up to its length and its reader. */
export function answerBegan(response: Uncounted): void {
  response[toCount]?.();
}

interface Requests {
  requests: number;
  errors: number;
  latencies: Latencies;
}

interface RunSamples {
  projectId: string;
  process: string;
  cpuMs: number;
  sum: number;
  samples: number;
  max: number;
  isOver: boolean;
}

export function createAppFigures(): AppFigures {
  let requests = new Map<string, Requests>();
  const disks = new Map<string, number>();
  const runs = new Set<RunSamples>();

  function countAnswer(projectId: string, response: ServerResponse, since: number): void {
    let counts = requests.get(projectId);
    if (!counts) {
      counts = { requests: 0, errors: 0, latencies: [] };
      requests.set(projectId, counts);
    }
    counts.requests += 1;
    // A client that left before the answer began got none.
    if (!response.headersSent) return;
    if (response.statusCode >= 500) counts.errors += 1;
    countLatency(counts.latencies, performance.now() - since);
  }

  return {
    begin(projectId, response: Uncounted) {
      const since = performance.now();
      const count = () => {
        if (!response[toCount]) return;
        response[toCount] = undefined;
        countAnswer(projectId, response, since);
      };
      response[toCount] = count;
      response.once('close', count);
    },
    watch(projectId, process) {
      const run: RunSamples = { projectId, process, cpuMs: 0, sum: 0, samples: 0, max: 0, isOver: false };
      runs.add(run);
      return {
        sample({ memory, cpuMs }) {
          run.cpuMs += cpuMs;
          run.sum += memory;
          run.samples += 1;
          run.max = Math.max(run.max, memory);
        },
        end() {
          run.isOver = true;
        },
      };
    },
    disk: (projectId, bytes) => void disks.set(projectId, bytes),
    collect() {
      const all = figuresOf({ requests, disks, runs });
      requests = new Map();
      for (const run of runs) {
        if (run.isOver) runs.delete(run);
        Object.assign(run, { cpuMs: 0, sum: 0, samples: 0, max: 0 });
      }
      return all;
    },
  };
}

function figuresOf({
  requests,
  disks,
  runs,
}: {
  requests: ReadonlyMap<string, Requests>;
  disks: ReadonlyMap<string, number>;
  runs: Iterable<RunSamples>;
}): Figures[] {
  const all = new Map<string, Figures>();
  const figuresFor = (projectId: string, process: string) => {
    const key = `${projectId} ${process}`;
    const known = all.get(key) ?? { ...emptyFigures(projectId, process), disk: disks.get(projectId) ?? null };
    all.set(key, known);
    return known;
  };
  for (const [projectId, counts] of requests) Object.assign(figuresFor(projectId, ''), counts);
  for (const { projectId, process, cpuMs, sum, samples, max } of runs) {
    if (samples === 0) continue;
    for (const figures of [figuresFor(projectId, process), figuresFor(projectId, '')]) {
      figures.cpuMs += Math.round(cpuMs);
      figures.memorySum += Math.round(sum);
      // Runs beside each other are sampled at the same times, so their sums are of so many moments.
      figures.memorySamples = Math.max(figures.memorySamples, samples);
      figures.memoryMax += max;
    }
  }
  return [...all.values()];
}

function emptyFigures(projectId: string, process: string): Figures {
  return {
    projectId,
    process,
    requests: 0,
    errors: 0,
    latencies: [],
    cpuMs: 0,
    memorySum: 0,
    memorySamples: 0,
    memoryMax: 0,
    disk: null,
  };
}
