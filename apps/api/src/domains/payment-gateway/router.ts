import { paymentGateway } from '@nephos/contracts';
import { unavailable } from '../../errors.ts';
import { implement } from '../../trpc.ts';

const notYet = () => {
  throw unavailable();
};

export const paymentGatewayRouter = implement(paymentGateway, {
  virtualAccounts: notYet,
  createVirtualAccount: notYet,
  virtualAccount: notYet,
  statement: notYet,
  transactions: notYet,
  send: notYet,
  receive: notYet,
  cancel: notYet,
  rail: notYet,
  beneficiaries: notYet,
  createBeneficiary: notYet,
  removeBeneficiary: notYet,
  changes: notYet,
  trialBalance: notYet,
});
