import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OUTPUT = 2 ** 28;

export interface DnsLoad {
  answered: number;
  lost: number;
  queriesPerSecond: number;
  /** Octets of an answer on average. */
  answerSize: number;
}

/** Sockets from which questions come, as those of many resolvers do. */
const CLIENTS = 32;

async function dnsperf(port: number, queries: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(
    'dnsperf',
    [...['-s', '127.0.0.1', '-p', String(port), '-d', queries, '-c', String(CLIENTS)], ...args],
    { maxBuffer: OUTPUT },
  );
  return stdout;
}

/** As fast as it goes, with 100 questions on the way in all; `-D` asks for signatures, as resolvers do. */
export async function loadDns(port: number, queries: string, seconds = 4, ...args: '-D'[]): Promise<DnsLoad> {
  const report = await dnsperf(port, queries, '-l', String(seconds), ...args);
  const numberAfter = (label: string) => Number(new RegExp(`${label}: +([\\d.]+)`).exec(report)?.[1]);
  return {
    answered: numberAfter('Queries completed'),
    lost: numberAfter('Queries lost'),
    queriesPerSecond: numberAfter('Queries per second'),
    answerSize: Number(/response (\d+)/.exec(report)?.[1]),
  };
}

/** Milliseconds within which 99 of 100 questions are answered, at so many a second. */
export async function latencyOfDns(port: number, queries: string, perSecond: number): Promise<number> {
  const report = await dnsperf(port, queries, '-l', '3', '-v', '-Q', String(perSecond));
  const seconds = [...report.matchAll(/^> \S+ \S+ \S+ ([\d.]+)/gm)].map(([, time]) => Number(time));
  const sorted = seconds.toSorted((a, b) => a - b);
  return 1000 * (sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
}
