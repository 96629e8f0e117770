import { paymentGateway, type StatementLine } from '@nephos/contracts';
import { statementCsvPath } from '@nephos/contracts/constants';
import { HttpResponse, http } from 'msw';
import { found, implement, pageOf, silence, success } from './mock-implement.ts';
import { type MockWorld, mockBeneficiary, mockTransaction, mockVirtualAccount } from './mock-world.ts';

export const paymentGatewayMock = implement(paymentGateway, {
  virtualAccounts: ({ ctx, input }) => pageOf(ctx.world.virtualAccounts, input),
  createVirtualAccount: ({ ctx: { world }, input }) => {
    const account = mockVirtualAccount({
      ...input,
      id: crypto.randomUUID(),
      balance: 0,
      holdsTestFunds: false,
    });
    world.virtualAccounts = [account, ...world.virtualAccounts];
    return account;
  },
  virtualAccount: ({ ctx, input }) => found(ctx.world.virtualAccounts, input.id),
  statement: ({ ctx: { world }, input: { id, kind, search, cursor, limit } }) => {
    found(world.virtualAccounts, id);
    const all = world.statement.filter((line) => kind === undefined || line.kind === kind);
    if (search === undefined) return { lines: pageOf(all, { cursor, limit }), stoppedAt: null };
    const searched = pageOf(all, { cursor, limit: world.searchedLines });
    const texts = ({ reference, description, party }: StatementLine) =>
      `${reference}\n${description}\n${party}`;
    const matching = searched.filter((line) => texts(line).toLowerCase().includes(search.toLowerCase()));
    const last = searched.at(-1);
    const stoppedAt = last && last !== all.at(-1) ? last.id : null;
    return { lines: pageOf(matching, { limit }), stoppedAt };
  },
  transactions: ({ ctx, input }) => pageOf(ctx.world.transactions, input),
  send: ({ ctx: { world }, input }) => {
    const { accountName, accountNumber, bankName } = found(world.virtualAccounts, input.virtualAccountId);
    const sent = mockTransaction({
      ...input,
      id: crypto.randomUUID(),
      type: 'send',
      senderAccountName: accountName,
      senderAccountNumber: accountNumber,
      senderBankName: bankName,
    });
    world.transactions = [sent, ...world.transactions];
    return sent;
  },
  receive: ({ ctx: { world }, input }) => {
    const { accountName, accountNumber, bankName } = found(world.virtualAccounts, input.virtualAccountId);
    const received = mockTransaction({
      ...input,
      id: crypto.randomUUID(),
      type: 'receive',
      receiverAccountName: accountName,
      receiverAccountNumber: accountNumber,
      receiverBankName: bankName,
    });
    world.transactions = [received, ...world.transactions];
    return received;
  },
  cancel: ({ ctx, input }) => Object.assign(found(ctx.world.transactions, input.id), { status: 'cancelled' }),
  rail: ({ ctx }) => ctx.world.rail,
  beneficiaries: ({ ctx, input }) => pageOf(ctx.world.beneficiaries, input),
  createBeneficiary: ({ ctx: { world }, input }) => {
    const beneficiary = mockBeneficiary({ ...input, id: crypto.randomUUID() });
    world.beneficiaries = [beneficiary, ...world.beneficiaries];
    return beneficiary;
  },
  removeBeneficiary: ({ ctx: { world }, input }) => {
    world.beneficiaries = world.beneficiaries.filter((beneficiary) => beneficiary.id !== input.id);
    return success;
  },
  changes: silence,
  trialBalance: ({ ctx }) => ctx.world.trialBalance,
});

/** A month's statement as a file, which is no procedure; refused as `paymentGateway.statementCsv`. */
export function statementHandler(world: () => MockWorld) {
  return http.get(`*${statementCsvPath(':id')}`, ({ request }) => {
    const refusal = world().refusals['paymentGateway.statementCsv'];
    if (!refusal) return HttpResponse.text(`month ${new URL(request.url).searchParams.get('month')}`);
    const { message, reason: code } = refusal;
    return HttpResponse.json({ message, code, requestId: 'test' }, { status: 500 });
  });
}
