import { Earlier } from '@nephos/contracts/implement';
import { type Row, writes } from '@nephos/contracts/kit';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { type CallAudit, type NotedCall, noAudit } from '../core/call-audit.ts';
import type { Context } from '../core/context.ts';
import { type NewRecord, record, recordJson, subjectOf } from '../platform/audit.ts';
import type { Caller } from './caller.ts';
import { memberOf } from './workspace-guard.ts';

interface AuditedCall {
  row: Row;
  /** `domain.procedure`. */
  path: string;
  caller: Caller;
  /** Whose things the call is about. */
  ownerId: string | null;
  /** As the row's schema gave it. */
  input: unknown;
}

type Task = () => void;

/** The record of a call, with what the calls' wrapper does with it. */
interface WrittenAudit extends CallAudit {
  /** Does the work and writes the record in one transaction: `ctx.db`, where that is one. */
  alongside<T>(ctx: Context, work: (inner: Context) => Promise<T>): Promise<T>;
  /** Writes the record of a call that has answered and has written none. */
  catchUp(db: Kysely<Database>, answer: unknown): Promise<void>;
}

/**
 * The workspace that a call is about; that of its person, where it is about none. What administrators do belongs to the
 * installation.
 */
function chainOf({ row, path, caller, ownerId, input }: AuditedCall, noted: NotedCall): string | null {
  if (row.access === 'admin') return null;
  const own = caller.user?.id ?? null;
  if (path.startsWith('auth.')) return own;
  const named = row.workspaceField && memberOf(input, row.workspaceField);
  return noted.ownerId ?? (typeof named === 'string' ? named : (ownerId ?? own));
}

function recordOf(call: AuditedCall, noted: NotedCall, output: unknown): NewRecord {
  const { row, path, caller, input } = call;
  const { user, impersonator, tokenScope, tokenName, requestId, request } = caller;
  const actor = impersonator ?? user;
  return {
    ownerId: chainOf(call, noted),
    actor: actor && { id: actor.id, email: actor.email },
    asWhom: impersonator && user ? user.id : null,
    via: tokenScope !== null ? 'token' : user ? 'session' : 'none',
    ...{ tokenName, ip: request?.ip ?? null, requestId, procedure: path },
    subject: { ...subjectOf(row, path, input, output), ...noted.subject },
    ...(noted.before && { before: noted.before }),
    takesNoted: !noted.before && !noted.after,
    after: noted.after ?? (typeof input === 'object' && input !== null ? input : {}),
  };
}

/**
 * Makes the record of a call: one for each write that changed something, in the write's transaction. A refusal undoes it,
 * and a repetition of what was done before has none.
 */
export function createCallAudit(call: AuditedCall): WrittenAudit {
  if (!writes(call.row) || call.row.changesNothing) {
    return { ...noAudit, alongside: (ctx, work) => work(ctx), catchUp: async () => {} };
  }
  let noted: NotedCall = {};
  let isWritten = false;

  async function write(trx: Kysely<Database>, output?: unknown): Promise<void> {
    isWritten = true;
    await record(trx, recordOf(call, noted, output));
  }

  return {
    note: ({ subject, ...sides }) => {
      noted = { ...noted, ...sides, subject: { ...noted.subject, ...subject } };
    },
    write: (trx) => write(trx),
    writeRefusal: (db) => record(db, { ...recordOf(call, noted, undefined), result: 'refused' }),
    hand: () => {
      isWritten = true;
      return recordJson(recordOf(call, noted, undefined));
    },
    async alongside(ctx, work) {
      const { result, tasks } = await atomically(ctx.db, async (trx) => {
        const tasks: Task[] = [];
        const inner = { ...ctx, db: trx, afterCommit: (task: Task) => tasks.push(task) };
        const result = await work(inner);
        isWritten = true;
        if (!(result instanceof Earlier)) await write(trx, result);
        return { result, tasks };
      });
      for (const task of tasks) ctx.afterCommit(task);
      return result;
    },
    async catchUp(db, answer) {
      if (!isWritten && !(answer instanceof Earlier)) await write(db, answer);
    },
  };
}
