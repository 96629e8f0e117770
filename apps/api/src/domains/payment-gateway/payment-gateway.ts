import type { contract } from '@nephos/contracts';
import type { Batches } from '../../platform/batches.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { readTrialBalance } from '../ledger/trial-balance.ts';
import { createAccount, getAccount, listAccounts, renameAccount } from './accounts.ts';
import { createBeneficiary, listBeneficiaries, removeBeneficiary } from './beneficiaries.ts';
import { followAccounts } from './changes.ts';
import { closeAccount } from './close-account.ts';
import { createSendBatches, type Send, type SendOutcome } from './gateway-send.ts';
import { listPayments } from './payments.ts';
import type { Rail } from './rail.ts';
import { receive } from './receive.ts';
import { createSandboxRail } from './sandbox-rail.ts';
import { send } from './send.ts';
import { cancelPayment, createSettlement, type Settlement } from './settlement.ts';
import { readStatement } from './statement.ts';
import { readStatementCsv } from './statement-csv.ts';

/** What moves money. */
export interface GatewayParts {
  rail: Rail;
  sends: Batches<Send, SendOutcome>;
  settlement: Settlement;
}

/** Virtual accounts, and payments between them and to other banks. */
export function createPaymentGateway(
  { db, jobs, notifications }: Pick<Platform, 'db' | 'jobs' | 'notifications'>,
  { rail = createSandboxRail() }: { rail?: Rail | undefined } = {},
): Domain<typeof contract.paymentGateway> & GatewayParts {
  const settlement = createSettlement({ db, jobs, rail });
  const parts: GatewayParts = { rail, sends: createSendBatches(db), settlement };
  return {
    ...parts,
    handlers: {
      virtualAccounts: ({ ctx, input }) => listAccounts(ctx, input),
      createVirtualAccount: ({ ctx, input }) => createAccount(ctx, input),
      virtualAccount: ({ ctx, input }) => getAccount(ctx, input.id),
      renameVirtualAccount: ({ ctx, input }) => renameAccount(ctx, input),
      closeVirtualAccount: ({ ctx, input }) => closeAccount(ctx, input.id),
      statement: ({ ctx, input }) => readStatement(ctx, input),
      statementCsv: ({ ctx, input }) => readStatementCsv(ctx, input),
      transactions: ({ ctx, input }) => listPayments(ctx, input),
      send: ({ ctx, input, key }) => send(ctx, parts, input, key),
      receive: ({ ctx, input }) => receive(ctx, rail, input),
      cancel: ({ ctx, input }) => cancelPayment(ctx, input.id),
      rail: () => rail,
      beneficiaries: ({ ctx, input }) => listBeneficiaries(ctx, input),
      createBeneficiary: ({ ctx, input }) => createBeneficiary(ctx, input),
      removeBeneficiary: ({ ctx, input }) => removeBeneficiary(ctx, input.id),
      changes: ({ ctx }) => followAccounts(ctx, notifications),
      trialBalance: ({ ctx }) => readTrialBalance(ctx),
    },
    sweeps: { settlement: settlement.sweep },
    resume: settlement.sweep,
  };
}
