import { paymentGateway } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { createAccount, getAccount, listAccounts } from './accounts.ts';
import { createBeneficiary, listBeneficiaries, removeBeneficiary } from './beneficiaries.ts';
import { followAccounts } from './changes.ts';
import { listPayments } from './payments.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { cancelPayment } from './settlement.ts';
import { readStatement } from './statement.ts';
import { readTrialBalance } from './trial-balance.ts';

export const paymentGatewayRouter = implement(paymentGateway, {
  virtualAccounts: ({ ctx, input }) => listAccounts(ctx, input),
  createVirtualAccount: ({ ctx, input }) => createAccount(ctx, input),
  virtualAccount: ({ ctx, input }) => getAccount(ctx, input.id),
  statement: ({ ctx, input }) => readStatement(ctx, input),
  transactions: ({ ctx, input }) => listPayments(ctx, input),
  send: ({ ctx, input }) => send(ctx, input),
  receive: ({ ctx, input }) => receive(ctx, input),
  cancel: ({ ctx, input }) => cancelPayment(ctx, input.id),
  rail: ({ ctx }) => ctx.gateway.rail,
  beneficiaries: ({ ctx, input }) => listBeneficiaries(ctx, input),
  createBeneficiary: ({ ctx, input }) => createBeneficiary(ctx, input),
  removeBeneficiary: ({ ctx, input }) => removeBeneficiary(ctx, input.id),
  changes: ({ ctx, signal }) => followAccounts(ctx, signal),
  trialBalance: ({ ctx }) => readTrialBalance(ctx),
});
