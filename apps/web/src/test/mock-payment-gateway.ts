import { paymentGateway } from '@nephos/contracts';
import { statementCsvPath } from '@nephos/contracts/constants';
import { HttpResponse, http } from 'msw';
import { found, implement, pageOf, silence, success } from './mock-implement.ts';
import { type MockWorld, mockBeneficiary, mockTransaction, mockVirtualAccount } from './mock-world.ts';

export const paymentGatewayMock = implement(paymentGateway, {
  virtualAccounts: ({ ctx, input }) =>
    pageOf(
      ctx.world.virtualAccounts.filter(({ closedAt }) => (closedAt !== null) === (input?.closed ?? false)),
      input,
    ),
  createVirtualAccount: () => mockVirtualAccount(),
  virtualAccount: ({ ctx, input }) => found(ctx.world.virtualAccounts, input.id),
  renameVirtualAccount: ({ ctx, input: { id, accountName } }) =>
    Object.assign(found(ctx.world.virtualAccounts, id), { accountName }),
  closeVirtualAccount: ({ ctx, input: { id } }) =>
    Object.assign(found(ctx.world.virtualAccounts, id), { closedAt: '2026-11-22T10:00:00.000Z' }),
  statement: ({ ctx: { world }, input: { id, search, cursor, limit } }) => {
    found(world.virtualAccounts, id);
    if (search === undefined) return { lines: pageOf(world.statement, { cursor, limit }), stoppedAt: null };
    const searched = pageOf(world.statement, { cursor, limit: world.searchedLines });
    const matching = searched.filter(({ party }) => party.toLowerCase().includes(search.toLowerCase()));
    const last = searched.at(-1);
    const stoppedAt = last && last !== world.statement.at(-1) ? last.id : null;
    return { lines: pageOf(matching, { limit }), stoppedAt };
  },
  transactions: ({ ctx, input }) => pageOf(ctx.world.transactions, input),
  send: () => mockTransaction(),
  receive: () => mockTransaction({ type: 'receive' }),
  cancel: () => mockTransaction({ status: 'cancelled' }),
  rail: ({ ctx }) => ctx.world.rail,
  beneficiaries: ({ ctx, input }) => pageOf(ctx.world.beneficiaries, input),
  createBeneficiary: () => mockBeneficiary(),
  removeBeneficiary: () => success,
  changes: silence,
  trialBalance: ({ ctx }) => ctx.world.trialBalance,
});

/** A month's statement as a file, which is no procedure; refused as `paymentGateway.statementCsv`. */
export function statementHandler(world: () => MockWorld) {
  return http.get(`*${statementCsvPath(':id')}`, () => {
    const refusal = world().refusals['paymentGateway.statementCsv'];
    if (!refusal) return HttpResponse.text('');
    const { message, reason: code } = refusal;
    return HttpResponse.json({ message, code, requestId: 'test' }, { status: 500 });
  });
}
