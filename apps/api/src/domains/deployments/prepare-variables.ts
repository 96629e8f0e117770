import { referencesIn } from '@nephos/contracts';
import type { Logger } from 'pino';
import { persistently } from '../../platform/persistently.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { sealVariable } from '../projects/variable-store.ts';
import { type Attempt, type AttemptParts, recordProgress, recordResolved } from './attempt.ts';
import type { DeploymentOutcome, LogWriter } from './engine/engine.ts';
import { StepFailure } from './engine/step-failure.ts';
import { type KeptVariable, keptVariables, openVariables } from './kept-variables.ts';
import { createLogWriter } from './log-store.ts';
import { assertFits, type ResolveParts, resolveVariables } from './resolve-variables.ts';

export interface PrepareParts extends ResolveParts, AttemptParts {
  secrets: SecretsBox;
  log: Logger;
}

type Prepared = { attempt: Attempt } | { outcome: DeploymentOutcome; writer: LogWriter };

/**
 * The deployment with what its variables refer to, as of now. Its log is masked by that, so what is said before is written
 * by a writer of its own, which holds no more than words of ours.
 */
export async function prepareVariables(
  parts: PrepareParts,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Prepared> {
  const { db, log } = parts;
  const kept = keptVariables(parts.secrets, attempt).filter((variable) => isNeeded(variable, attempt));
  const writer = createLogWriter({ db, log, deploymentId: attempt.id, secrets: async () => [] });
  try {
    const resolved = kept.some(({ text }) => referencesIn(text).length > 0)
      ? await resolve(parts, attempt, { kept, signal, writer })
      : attempt;
    const { variables, buildVariables } = openVariables(parts.secrets, resolved);
    assertFits(variables);
    assertFits(buildVariables);
    return { attempt: resolved };
  } catch (error) {
    if (signal.aborted) return { outcome: { status: 'cancelled' }, writer };
    if (!(error instanceof StepFailure)) throw error;
    writer.system(error.message);
    return { outcome: { status: 'failed', step: error.step, error: error.message }, writer };
  }
}

/** A kept release is not built again, an image never, and that of a site runs nothing. */
function isNeeded({ scope }: KeptVariable, { kind, framework, image }: Attempt): boolean {
  if (image !== '') return scope !== 'build';
  return kind === 'deploy' || (scope !== 'build' && framework !== 'static');
}

async function resolve(
  parts: PrepareParts,
  attempt: Attempt,
  { kept, signal, writer }: { kept: KeptVariable[]; signal: AbortSignal; writer: LogWriter },
): Promise<Attempt> {
  const { db, secrets } = parts;
  await persistently(() => recordProgress(parts, attempt, { step: 'variables' }));
  const { ownerId, projectId } = attempt;
  const values = await resolveVariables(parts, kept, { ownerId, projectId, signal, say: writer.system });
  const resolvedVariables = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      sealVariable(secrets, projectId, name, value).toString('base64'),
    ]),
  );
  await persistently(() => recordResolved(db, attempt, resolvedVariables));
  await writer.close();
  return { ...attempt, resolvedVariables };
}
