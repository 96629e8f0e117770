import { createImplement, type ImplementOptions, type Once } from '@nephos/contracts/implement';
import { needsWriteScope, type Row, writes } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { TRPCError } from '@trpc/server';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { ZodError } from 'zod';
import { noAudit } from '../core/call-audit.ts';
import type { Context } from '../core/context.ts';
import { forbidden, notFound, Refusal, unauthorized, unsupportedMediaType } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { CallCounts } from '../platform/call-counts.ts';
import { clientAt } from '../platform/client-address.ts';
import { createOnce, readKey } from '../platform/idempotency.ts';
import type { SecretsBox } from '../platform/secrets-box.ts';
import { createCallAudit } from './call-audit.ts';
import type { Caller, Identity } from './caller.ts';
import { describeError, refusalOf } from './describe-error.ts';
import { assertNotImpersonated } from './impersonation-guard.ts';
import { assertPlainJson } from './plain-json.ts';
import { assertFresh } from './proof.ts';
import type { Streams } from './streams.ts';
import { assertResource } from './token-guard.ts';
import { assertWorkspace } from './workspace-guard.ts';

const SIGNED_OUT_PER_MINUTE = 60;

/** Throws 401 and 403 for a caller whom the row is not for. */
function assertAccess(row: Row, { user }: Identity): void {
  if (row.access === 'public') return;
  if (!user) throw unauthorized();
  if (row.access === 'admin' && user.role !== 'admin') {
    throw forbidden('FORBIDDEN', "You don't have permission to do this.");
  }
}

/**
 * An access token calls what its scope holds, and never what belongs to the person at the console alone. One that can
 * only read gets neither a write nor a secret by which one could be made.
 */
function assertScope(row: Row, { tokenScope }: Identity): void {
  if (tokenScope === null) return;
  if (row.sessionOnly)
    throw forbidden('FORBIDDEN', "Access tokens can't do this. Log in to the console instead.");
  if (tokenScope !== 'read' || !needsWriteScope(row)) return;
  throw forbidden(
    'FORBIDDEN',
    "This access token is read-only and can't see secrets. Use one with write access.",
  );
}

/** Refuses a form where bytes are taken: its parts and boundaries would be stored as if they were the bytes. */
function assertNoForm({ route, takes }: Row, { request }: Caller, publicUrl: URL): void {
  if (!takes || !request?.body.type.trimStart().toLowerCase().startsWith('multipart/form-data')) return;
  const [, path = ''] = route?.split(' ') ?? [];
  const address = `${publicUrl.origin}${path}${takes.example}`;
  throw unsupportedMediaType(
    'Send the file itself as the request body, not as a form. For example: ' +
      `curl --data-binary @notes.txt -H "Content-Type: text/plain" "${address}".`,
  );
}

/** A malformed id in the path names nothing: it gets the answer of an id that is not there. */
function namesNothing(error: unknown, row: Row): boolean {
  const cause = error instanceof TRPCError ? error.cause : error;
  return (
    cause instanceof ZodError &&
    cause.issues.some(
      (issue) =>
        issue.code === 'invalid_format' &&
        issue.format === 'uuid' &&
        row.route?.includes(`{${issue.path.join('.')}}`),
    )
  );
}

/** Whose keys these are: a person's in a workspace, or those of an address. In their own, a person's id alone. */
function whoOf({ user, workspace, request }: Caller): string {
  if (!user) return request?.ip ?? '';
  return !workspace || workspace.id === user.id ? user.id : `${user.id}:${workspace.id}`;
}

export interface ProceduresParts {
  db: Kysely<Database>;
  settings: Pick<Settings, 'publicUrl'>;
  callCounts: CallCounts;
  secrets: SecretsBox;
  streams: Streams;
  log: Logger;
}

/** What carries out the tasks of `afterCommit`: no answer waits for them, so a failure of theirs is only logged. */
function createPerform(log: Logger): (task: () => void) => void {
  return (task) => {
    try {
      task();
    } catch (error) {
      log.error({ err: error }, 'a task after a commit failed');
    }
  };
}

type Options = ImplementOptions<Caller, Context>;

/** Counts a call, then lets it in or throws. */
function createGuard({
  db,
  settings,
  callCounts,
  streams,
}: Pick<ProceduresParts, 'db' | 'settings' | 'callCounts' | 'streams'>) {
  async function assertRate(row: Row, path: string, { user, request }: Caller): Promise<void> {
    const address = clientAt(request?.ip ?? '');
    // What anyone may download is counted for itself: a page of another site may show dozens of pictures.
    const isOpen = row.kind === 'bytes' && row.access === 'public';
    const limit =
      user || isOpen
        ? { key: `${row.countedWith ?? path}:${user?.id ?? address}`, calls: row.perMinute }
        : { key: `signed-out:${address}`, calls: SIGNED_OUT_PER_MINUTE };
    await callCounts.count({ ...limit, seconds: 60 });
  }

  return async ({ row, path, caller, rawInput, signal }: Parameters<Options['guard']>[0]): Promise<void> => {
    await assertRate(row, path, caller);
    assertAccess(row, caller);
    assertScope(row, caller);
    await assertWorkspace(db, row, caller, rawInput);
    await assertResource(db, { row, path, caller, rawInput });
    assertNotImpersonated(row, caller);
    assertFresh(row, caller);
    assertNoForm(row, caller, settings.publicUrl);
    const { user, workspace, impersonator, request } = caller;
    if (row.kind === 'subscription' && user && request) {
      const workspaceId = workspace?.id ?? null;
      const until = impersonator && Date.parse(impersonator.until);
      streams.begin({ userId: user.id, workspaceId, until, signal, hangUp: request.hangUp });
    }
    assertPlainJson(await rawInput());
  };
}

/** Runs a write once for its key, and what is to follow its commit after that. */
function createAround(secrets: SecretsBox, perform: (task: () => void) => void): Options['around'] {
  return async ({ row, path, caller, ctx: given, input }, handle) => {
    const tasks: (() => void)[] = [];
    const audit = createCallAudit({ row, path, caller, ownerId: given.ownerId, input });
    const ctx: Context = { ...given, audit };
    const inner: Context = { ...ctx, afterCommit: (task) => tasks.push(task) };
    const key = writes(row) ? readKey(secrets, caller.request?.key, input) : undefined;
    const keptOnce = createOnce(secrets, {
      ...{ row, path: row.countedWith ?? path, caller: whoOf(caller), key },
      // It is committed when `once` has ended, whatever the handler does after that.
      ctx,
    });
    const once: Once<Context> = (work, apart) => keptOnce((kept) => audit.alongside(kept, work), apart);
    const keyed = { key, once };
    try {
      const isOwnAffair = row.keepsKeys || row.kind === 'bytes';
      const answer = isOwnAffair ? await handle(inner, keyed) : await once((kept) => handle(kept, keyed));
      try {
        await audit.catchUp(ctx.db, answer);
      } finally {
        // What they follow is committed, whether or not the record could be written after it.
        for (const task of tasks) perform(task);
      }
      return answer;
    } catch (error) {
      if (error instanceof Refusal && error.replayed) {
        caller.request?.tell({ found: false, replayed: true });
      }
      throw error;
    }
  };
}

function translate(error: unknown, row: Row): TRPCError {
  if (namesNothing(error, row)) return notFound();
  return (
    refusalOf(error) ??
    (error instanceof TRPCError ? error : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error }))
  );
}

const formatError: Options['formatError'] = ({ shape, error, caller }) => {
  const { status: httpStatus, message, reason, fields, existingId } = describeError(error);
  const requestId = caller?.requestId ?? '';
  const data = { ...shape.data, httpStatus, reason, requestId, fields, existingId };
  return { message, code: shape.code, data };
};

/** Makes what builds every domain's router: the rules of the wire live here, once for both doors. */
export function createProcedures(parts: ProceduresParts) {
  const { db, secrets, log } = parts;
  const perform = createPerform(log);
  return createImplement<Caller, Context>({
    guard: createGuard(parts),
    contextOf: ({
      caller: { user, workspace, tokenScope, sessionId, impersonator = null, requestId },
      signal,
    }) => ({
      ...{ user, workspace, ownerId: workspace?.id ?? null, tokenScope, sessionId, requestId },
      ...{ db, signal, impersonator, audit: noAudit, afterCommit: perform },
    }),
    around: createAround(secrets, perform),
    bodyOf: ({ request }) => request?.body,
    earlier: (caller, origin) => caller.request?.tell(origin),
    ...{ translate, formatError },
  });
}
