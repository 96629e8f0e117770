import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { persistently } from '../../platform/persistently.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { AppCommands, CommandEnd } from '../deployments/engine/app-commands.ts';
import type { DeployedApp } from '../deployments/engine/engine.ts';
import { secretsOf } from '../deployments/live.ts';
import { endRun, type Run, type RunEnd, SERVER_STOPPED } from './lease.ts';
import { createRunLog } from './run-log.ts';

export interface ExecuteParts {
  db: Kysely<Database>;
  log: Logger;
  secrets: SecretsBox;
  commands: Pick<AppCommands, 'run' | 'instance'>;
  /** Is told how a run ended, after that was recorded. Never rejects. */
  onFailed(run: Run, end: RunEnd): Promise<void>;
}

/** Why a run that goes on is given up. */
export type GivenUp = 'cancelled' | 'stopping' | 'lost';

const SERVER_FAULT = 'Something went wrong on the server during this run.';

/** Runs a claimed run to its end and records it. Never rejects. */
export async function executeRun(
  parts: ExecuteParts,
  { run, app }: { run: Run; app: DeployedApp },
  { signal, why }: { signal: AbortSignal; why: () => GivenUp | undefined },
): Promise<void> {
  const { db, log, commands } = parts;
  const writer = createRunLog(parts, run.id, () => secretsOf(parts, app.deploymentId));
  const command = { app, command: run.command, timeLimit: run.timeLimit * 1000 };
  const ended = await commands.run(command, writer, signal).catch((error): CommandEnd => {
    log.error({ err: error, run: run.id }, 'a command failed by a fault of ours');
    return { status: 'failed', exitCode: null, error: SERVER_FAULT };
  });
  const end = endOf(ended, why());
  if ('error' in end && end.error) writer.system(end.error);
  // Closed before the end is recorded: whoever sees the end can read the whole log.
  await writer.close();
  try {
    const isOurs = await persistently(() => endRun(db, { id: run.id, server: commands.instance }, end));
    if (isOurs) await parts.onFailed(run, end);
  } catch (error) {
    log.error({ err: error, run: run.id }, 'the end of a run could not be recorded');
  }
}

/** What cut a run short here is only told apart by whoever did. */
function endOf(ended: CommandEnd, why: GivenUp | undefined): RunEnd {
  if (ended.status !== 'cancelled' || why === 'cancelled') return ended;
  return { status: 'failed', exitCode: null, error: SERVER_STOPPED };
}
