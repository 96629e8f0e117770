import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SecureLoad {
  host: string;
  /** On loopback. */
  port: number;
  path: string;
  protocol: 'HTTP/2' | 'HTTP/1.1';
  /** How many. */
  requests: number;
}

const CLIENTS = 32;
const STREAMS = 10;

/**
 * Has `h2load` send requests over 32 connections, by HTTP/2 10 at once on each. Throws where any failed. Given a time
 * instead of a number, it may go on for ever.
 */
export async function loadSecurely(load: SecureLoad): Promise<void> {
  const { host, port, path, protocol, requests } = load;
  const { stdout } = await run('h2load', [
    ...['--requests', String(requests), '--clients', String(CLIENTS)],
    ...(protocol === 'HTTP/2' ? ['--max-concurrent-streams', String(STREAMS)] : ['--h1']),
    ...[`--connect-to=127.0.0.1:${port}`, `https://${host}:${port}${path}`],
  ]);
  if (!stdout.includes(` ${requests} succeeded, 0 failed, 0 errored`)) {
    throw new Error(`requests to ${host} failed:\n${stdout}`);
  }
}
