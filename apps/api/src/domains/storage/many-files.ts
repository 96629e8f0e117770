import type { ManyFilesOutcome } from '@nephos/contracts';
import { type CallAudit, type Noted, noAudit } from '../../core/call-audit.ts';
import type { UserContext } from '../../core/context.ts';
import { Refusal } from '../../core/errors.ts';

/**
 * Does the same to several files, and says of each what came of it. One that is refused keeps none of the others: `work`
 * refuses before it changes anything. The call's record names those of which it was done.
 */
export async function forEachFile(
  ctx: UserContext,
  ids: readonly string[],
  work: (ctx: UserContext, id: string) => Promise<unknown>,
): Promise<ManyFilesOutcome> {
  const outcome: ManyFilesOutcome = { done: [], failed: [] };
  const files: { id: string; name: string | null }[] = [];
  for (const id of new Set(ids)) {
    const noted: Noted = {};
    const audit: CallAudit = { ...noAudit, note: (one) => Object.assign(noted, one) };
    try {
      await work({ ...ctx, audit }, id);
      outcome.done.push(id);
      files.push({ id: noted.subject?.id ?? id, name: noted.subject?.name ?? null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { reason: code, message } = error;
      outcome.failed.push({ id, code, message });
    }
  }
  ctx.audit.note({ subject: { name: nameOf(files) }, after: { files } });
  return outcome;
}

function nameOf([first, ...others]: readonly { name: string | null }[]): string | null {
  if (!first) return null;
  return others.length === 0 ? first.name : `${first.name} and ${others.length} more`;
}
