import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CommandError } from '../commands/command.ts';
import type { Settings } from '../core/env.ts';

const run = promisify(execFile);

const UNIT = 'nephos.service';
const POLL_MS = 200;
const ANSWER_MS = 5000;
const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

/** Ends the server and starts it again; whoever connects meanwhile waits at the sockets. */
export async function restartService(): Promise<void> {
  try {
    await run('systemctl', ['restart', UNIT]);
  } catch (error) {
    throw new CommandError(`systemctl restart ${UNIT} failed: ${reasonOf(error)}`);
  }
}

/**
 * Waits until the server can do all that it is asked for. Resolves to why it cannot once `seconds` have gone by or
 * `givesUp` says so, to null where it can.
 */
export async function readiness(
  { host, port }: Pick<Settings, 'host' | 'port'>,
  { seconds, givesUp = () => false }: { seconds: number; givesUp?: () => boolean },
): Promise<string | null> {
  const url = `http://${ANY_ADDRESS.has(host) ? '127.0.0.1' : host}:${port}/readyz`;
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const reason = await missingOf(url);
    if (givesUp()) return 'its process ended';
    if (reason === null || Date.now() > deadline) return reason;
    await wait(POLL_MS);
  }
}

/** What the server says is missing; null for nothing. */
async function missingOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await response.text();
    return response.ok ? null : text.slice(0, 500);
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
