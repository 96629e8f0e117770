import { execFile, spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CommandError } from '../commands/command.ts';
import type { Settings } from '../core/settings.ts';

const run = promisify(execFile);

const Unready = z.object({ message: z.string() });

const UNIT = 'nephos.service';
const POLL_MS = 200;
/** What dies of its first work does so by then. */
const SETTLE_MS = 10_000;
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

/** How often systemd started the service by itself counts from now on. Where systemd cannot be asked, nothing happens. */
export function forgetRestarts(): void {
  spawnSync('systemctl', ['reset-failed', UNIT], { timeout: ANSWER_MS });
}

export interface Patience {
  seconds: number;
  /** Why there is nothing more to wait for. */
  givesUp?: () => string | null;
}

/**
 * Waits until the server can do all that it is asked for. Resolves to why it cannot once `seconds` have gone by or
 * `givesUp` has a reason, to null where it can.
 */
export async function readiness(
  { host, port }: Pick<Settings, 'host' | 'port'>,
  { seconds, givesUp = () => null }: Patience,
): Promise<string | null> {
  const url = `http://${ANY_ADDRESS.has(host) ? '127.0.0.1' : host}:${port}/readyz`;
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const reason = await missingOf(url);
    const end = givesUp();
    if (end !== null) return end;
    if (reason === null || Date.now() > deadline) return reason;
    await wait(POLL_MS);
  }
}

/** The same of a server that became ready, some seconds later. */
export async function lastingReadiness(
  settings: Pick<Settings, 'host' | 'port'>,
  { seconds, givesUp }: Required<Patience>,
): Promise<string | null> {
  const end = Date.now() + SETTLE_MS;
  while (Date.now() < end && givesUp() === null) await wait(POLL_MS);
  return readiness(settings, { seconds, givesUp });
}

/** What the server says is missing; null for nothing. */
async function missingOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (response.ok) return null;
    return Unready.parse(await response.json()).message;
  } catch (error) {
    return reasonOf(error);
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
