import { Readable } from 'node:stream';
import { ById, CALENDAR_MONTH, StatementMonth, statementCsvPath, statementFileName } from '@nephos/contracts';
import { type PlainOperation, refused, SIGNED_IN } from '@nephos/contracts/openapi';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps, UserContext } from '../../context.ts';
import { notFound, unauthorized } from '../../errors.ts';
import { createContext } from '../../http/caller.ts';
import { clientAt } from '../../http/client-address.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { countCall } from '../../http/rate-limit.ts';
import { findStatement, pageOfStatement } from './statement.ts';
import { csvHeader, csvLine } from './statement-csv.ts';

const CALLS_PER_MINUTE = 60;
const PAGE = 1000;
const Query = z.object({ month: StatementMonth });

/** The route as OpenAPI writes it. */
export const statementOperation: PlainOperation = {
  route: `GET ${statementCsvPath('{id}')}`,
  tag: 'paymentGateway',
  operation: {
    operationId: 'paymentGateway.statementCsv',
    summary: "A month of a virtual account's statement as CSV, newest first",
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      {
        ...{ name: 'month', in: 'query', required: true, description: 'Calendar month in UTC' },
        schema: { type: 'string', pattern: CALENDAR_MONTH.source },
      },
    ],
    responses: {
      200: { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } },
      ...refused(400, 'No month'),
      ...refused(401, 'No live session'),
      ...refused(404, 'No such account, or not yours'),
      ...refused(429, 'Too many downloads'),
    },
    security: SIGNED_IN,
  },
};

/**
 * `GET /api/payment-gateway/virtual-accounts/{id}/statement.csv?month=2026-11`: a month's statement, newest first,
 * made as it is read, so that it takes no more memory for a million lines than for a thousand.
 */
export function addStatementRoute(app: FastifyInstance, deps: Deps): void {
  app.get(statementCsvPath(':id'), async (request, reply) => {
    const ctx = await createContext(deps, request, reply);
    const { user } = ctx;
    const caller = user?.id ?? clientAt(ctx.ip);
    await countCall(deps, {
      key: `paymentGateway.statementCsv:${caller}`,
      calls: CALLS_PER_MINUTE,
      seconds: 60,
    });
    if (!user) throw unauthorized();
    const params = ById.safeParse(request.params);
    if (!params.success) throw notFound();
    const { month } = Query.parse(request.query);
    const { accountId, accountNumber } = await findStatement({ ...ctx, user }, params.data.id);
    return reply
      .type('text/csv; charset=utf-8')
      .header(
        'content-disposition',
        contentDisposition('attachment', statementFileName(accountNumber, month)),
      )
      .send(Readable.from(csvOf(ctx, { id: params.data.id, accountId, month })));
  });
}

/** Entries never change and come only at the newest end, so pages read one after the other fit together. */
async function* csvOf(
  { db }: Pick<UserContext, 'db'>,
  { id, accountId, month }: { id: string; accountId: string; month: string },
): AsyncGenerator<string> {
  yield csvHeader;
  let cursor: string | undefined;
  for (;;) {
    const lines = await pageOfStatement(db, accountId, { id, month, limit: PAGE, ...(cursor && { cursor }) });
    if (lines.length > 0) yield lines.map(csvLine).join('');
    cursor = lines.at(-1)?.id;
    if (lines.length < PAGE) return;
  }
}
