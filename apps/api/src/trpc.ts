import { createImplement } from '@nephos/contracts/implement';
import { needsWriteScope, type Row } from '@nephos/contracts/kit';
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { Context } from './context.ts';
import { forbidden, notFound, unauthorized } from './errors.ts';
import { assertMayWrite } from './http/caller.ts';
import { clientAt } from './http/client-address.ts';
import { describeError, refusalOf } from './http/describe-error.ts';
import { onceByKey } from './http/idempotency.ts';
import { assertPlainJson } from './http/plain-json.ts';
import { countCall } from './http/rate-limit.ts';

const SIGNED_OUT_PER_MINUTE = 60;

function assertAccess(row: Row, { user }: Context): void {
  if (row.access === 'public') return;
  if (!user) throw unauthorized();
  if (row.access === 'admin' && user.role !== 'admin') {
    throw forbidden('FORBIDDEN', 'You do not have permission to do this.');
  }
}

/** An access token calls what its scope holds, and never what belongs to the person at the console alone. */
function assertScope(row: Row, { tokenScope }: Context): void {
  if (tokenScope === null) return;
  if (row.sessionOnly) throw forbidden('FORBIDDEN', 'An access token cannot do this. Log in to the console.');
  if (needsWriteScope(row)) assertMayWrite({ tokenScope });
}

async function assertRate(row: Row, path: string, ctx: Context): Promise<void> {
  const { user, ip } = ctx;
  const limit = user
    ? { key: `${path}:${user.id}`, calls: row.perMinute }
    : { key: `signed-out:${clientAt(ip)}`, calls: SIGNED_OUT_PER_MINUTE };
  await countCall(ctx, { ...limit, seconds: 60 });
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

/** Builds every domain's router: the rules of the wire live here, once for both doors. */
export const { implement, router } = createImplement<Context>({
  async guard({ row, path, ctx, rawInput, signal }) {
    await assertRate(row, path, ctx);
    assertAccess(row, ctx);
    assertScope(row, ctx);
    if (row.kind === 'subscription' && ctx.user) {
      ctx.streams.begin({ userId: ctx.user.id, signal, hangUp: ctx.hangUp });
    }
    assertPlainJson(await rawInput());
  },

  around: onceByKey,

  translate(error, row) {
    if (namesNothing(error, row)) return notFound();
    return (
      refusalOf(error) ??
      (error instanceof TRPCError ? error : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error }))
    );
  },

  formatError({ shape, error, ctx }) {
    const { status, message, reason, fields } = describeError(error);
    const data = { ...shape.data, httpStatus: status, reason, requestId: ctx?.requestId ?? '', fields };
    return { message, code: shape.code, data };
  },
});
