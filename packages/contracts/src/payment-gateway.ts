import { z } from 'zod';
import { DEFAULT_BANK_NAME, MAX_SEND, statementCsvPath, TRANSACTION_STATUSES } from './constants.ts';
import { bytes, mutation, query, subscription, writesNeed } from './kit.ts';
import { ById, Id, OptionalPage, Page, Success } from './page.ts';
import { StatementLines, StatementMonth, StatementPage } from './payment-gateway-statement.ts';
import { line, optionalLine, paragraph } from './text.ts';

const WHOLE_CENTS = 'Amount must be a whole number of cents, e.g. 1050 for $10.50.';
const AMOUNT_BOUNDS = 'Amount must be between 1 cent and $999,999,999.99.';

/** Integer cents. The sentence for what is no whole number is for programs: people type dollars. */
export const Amount = z
  .int({
    error: ({ code, input }) => {
      if (input === undefined) return 'Amount is required.';
      return code === 'invalid_type' ? WHOLE_CENTS : AMOUNT_BOUNDS;
    },
  })
  .min(1, AMOUNT_BOUNDS)
  .max(MAX_SEND, AMOUNT_BOUNDS);
export const AccountNumber = z
  .string('Account number is required.')
  .overwrite((number) => number.trim())
  .regex(/^[A-Za-z0-9-]{4,34}$/, 'Account number must be 4 to 34 letters, digits or hyphens.');
const PartyName = line(100, 'Account name');
const BankName = line(100, 'Bank name');

/** A virtual bank account. */
export const VirtualAccount = z.object({
  id: Id,
  accountName: z.string(),
  bankName: z.string(),
  /** 10 digits, unique. */
  accountNumber: z.string(),
  /** Cents that can be sent. */
  balance: z.int(),
  /** Cents held for sends that are on their way. */
  pending: z.int(),
  currency: z.literal('USD'),
  /** Whether money came in that is only test money of the sandbox rail. */
  holdsTestFunds: z.boolean(),
  createdAt: z.iso.datetime(),
  /** When it was closed; null while it is open. */
  closedAt: z.iso.datetime().nullable(),
});
export type VirtualAccount = z.output<typeof VirtualAccount>;

export const NewVirtualAccount = z.object({
  accountName: PartyName,
  bankName: optionalLine(100, 'Bank name')
    .default(DEFAULT_BANK_NAME)
    .transform((name) => name || DEFAULT_BANK_NAME),
  currency: z.literal('USD', 'Currency must be USD.').default('USD'),
});
export type NewVirtualAccount = z.input<typeof NewVirtualAccount>;

/** Lists closed accounts in the place of the open ones. */
const ListedAccounts = Page.extend({
  closed: z.boolean().optional().describe('Whether to list the closed accounts instead of the open ones'),
}).optional();

/** One side of a payment, as its owner sees it. */
export const GatewayTransaction = z.object({
  id: Id,
  virtualAccountId: Id,
  type: z.enum(['send', 'receive']),
  status: z.enum(TRANSACTION_STATUSES),
  /** The same on both sides of a payment. */
  reference: z.string(),
  description: z.string(),
  /** Cents, positive for either type. */
  amount: z.int(),
  senderAccountName: z.string(),
  senderAccountNumber: z.string(),
  senderBankName: z.string(),
  receiverAccountName: z.string(),
  receiverAccountNumber: z.string(),
  receiverBankName: z.string(),
  /** Why it failed, in one sentence; '' otherwise. */
  failure: z.string(),
  createdAt: z.iso.datetime(),
  /** When it came to its end; null while pending or processing. */
  settledAt: z.iso.datetime().nullable(),
});
export type GatewayTransaction = z.output<typeof GatewayTransaction>;

export const NewSend = z.object({
  virtualAccountId: Id,
  amount: Amount,
  receiverAccountNumber: AccountNumber,
  receiverAccountName: PartyName,
  receiverBankName: BankName,
  description: paragraph(500, 'Description').default(''),
});
export type NewSend = z.input<typeof NewSend>;

export const NewReceive = z.object({
  virtualAccountId: Id,
  amount: Amount,
  senderAccountNumber: AccountNumber,
  senderAccountName: PartyName,
  senderBankName: BankName,
  description: paragraph(500, 'Description').default(''),
});
export type NewReceive = z.input<typeof NewReceive>;

export const Beneficiary = z.object({
  id: Id,
  accountName: z.string(),
  accountNumber: z.string(),
  bankName: z.string(),
  /** '' when none. */
  bankCode: z.string(),
  createdAt: z.iso.datetime(),
});
export type Beneficiary = z.output<typeof Beneficiary>;

export const NewBeneficiary = z.object({
  accountName: PartyName,
  accountNumber: AccountNumber,
  bankName: BankName,
  bankCode: z
    .string('Bank code must be text.')
    .regex(/^([A-Z0-9-]{3,11})?$/, 'Bank code must be 3 to 11 uppercase letters, digits or hyphens.')
    .default(''),
});
export type NewBeneficiary = z.input<typeof NewBeneficiary>;

/** Why a send to an account that nobody has fails. */
export const NO_SUCH_ACCOUNT = 'There is no such account.';

/** Account numbers that the sandbox rail never pays, and the failure of sends to them. */
export const SANDBOX_FAILURES = {
  'ACCOUNT-CLOSED-0001': 'The account is closed.',
  'ACCOUNT-UNKNOWN-0002': NO_SUCH_ACCOUNT,
  'NAME-MISMATCH-0003': "The account name doesn't match.",
  'BANK-REFUSED-0004': 'The bank refused the payment.',
} as const;

/** What carries sends to other banks. */
export const Rail = z.object({
  /** Whether it is the sandbox, which moves test money only and alone lets one receive. */
  sandbox: z.boolean(),
  /** For people: how the rail behaves. */
  hint: z.string(),
  /** Numbers to try failures with; empty but for the sandbox. */
  failures: z.array(z.object({ accountNumber: z.string(), failure: z.string() })),
});
export type Rail = z.output<typeof Rail>;

/** What the ledger adds up to, for administrators. Every figure in cents. */
export const TrialBalance = z.object({
  currencies: z.array(
    z.object({
      currency: z.string(),
      /** The ledger has three for each virtual account, and two for what cards pay: `cards` and `revenue`. */
      accounts: z.int(),
      entries: z.int(),
      /** The sum of all entries: always 0. */
      sum: z.int(),
      /** What people own: available and held. Above 2^53 it is near that, since JSON has no greater integers. */
      owned: z.number(),
    }),
  ),
  /** Accounts whose balance is not the sum of their entries: always empty. */
  discrepancies: z.array(z.object({ accountId: Id, balance: z.int(), /** Their sum. */ entries: z.int() })),
});
export type TrialBalance = z.output<typeof TrialBalance>;

const ROOT = '/api/payment-gateway';

export const paymentGateway = writesNeed('money', {
  virtualAccounts: query({
    summary: 'Your open virtual accounts, newest first; with `closed`, the closed ones',
    route: `GET ${ROOT}/virtual-accounts`,
    input: ListedAccounts,
    output: z.array(VirtualAccount),
  }),
  createVirtualAccount: mutation({
    summary: 'Open a virtual account; its balance is 0',
    route: `POST ${ROOT}/virtual-accounts`,
    status: 201,
    perMinute: 10,
    input: NewVirtualAccount,
    output: VirtualAccount,
  }),
  virtualAccount: query({
    summary: 'One virtual account',
    route: `GET ${ROOT}/virtual-accounts/{id}`,
    input: ById,
    output: VirtualAccount,
  }),
  renameVirtualAccount: mutation({
    summary: 'Rename a virtual account; past payments keep the name that they were made under',
    route: `PATCH ${ROOT}/virtual-accounts/{id}`,
    perMinute: 30,
    input: ById.extend({ accountName: PartyName }),
    output: VirtualAccount,
  }),
  closeVirtualAccount: mutation({
    summary:
      'Close an empty virtual account for good; its statement stays, and its number is never used again',
    route: `POST ${ROOT}/virtual-accounts/{id}/close`,
    perMinute: 30,
    input: ById,
    output: VirtualAccount,
  }),
  statement: query({
    summary: "A virtual account's statement: each entry with the balance after it, newest first",
    route: `GET ${ROOT}/virtual-accounts/{id}/statement`,
    input: StatementPage,
    output: StatementLines,
  }),
  statementCsv: bytes({
    summary: "A month of a virtual account's statement as CSV, newest first",
    route: `GET ${statementCsvPath('{id}')}`,
    perMinute: 60,
    input: ById.extend({ month: StatementMonth }),
    gives: { type: 'text/csv', what: 'The file' },
  }),
  transactions: query({
    summary: 'Payments of all your virtual accounts, newest first',
    route: `GET ${ROOT}/transactions`,
    input: OptionalPage,
    output: z.array(GatewayTransaction),
  }),
  send: mutation({
    summary: 'Send money: instant between accounts here, otherwise held until the other bank settles it',
    route: `POST ${ROOT}/transactions/send`,
    status: 201,
    fresh: true,
    perMinute: 120,
    keepsKeys: true,
    input: NewSend,
    output: GatewayTransaction,
  }),
  receive: mutation({
    summary: 'Receive test money through the sandbox rail',
    route: `POST ${ROOT}/transactions/receive`,
    status: 201,
    perMinute: 60,
    input: NewReceive,
    output: GatewayTransaction,
  }),
  cancel: mutation({
    summary: 'Cancel a pending send; the money returns to the account',
    route: `POST ${ROOT}/transactions/{id}/cancel`,
    perMinute: 60,
    input: ById,
    output: GatewayTransaction,
  }),
  rail: query({
    summary: 'How payments to other banks are carried out',
    route: `GET ${ROOT}/rail`,
    output: Rail,
  }),
  beneficiaries: query({
    summary: 'Your beneficiaries, newest first',
    route: `GET ${ROOT}/beneficiaries`,
    input: OptionalPage,
    output: z.array(Beneficiary),
  }),
  createBeneficiary: mutation({
    summary: 'Save a beneficiary',
    route: `POST ${ROOT}/beneficiaries`,
    status: 201,
    fresh: true,
    perMinute: 30,
    input: NewBeneficiary,
    output: Beneficiary,
  }),
  removeBeneficiary: mutation({
    summary: 'Delete a beneficiary',
    route: `DELETE ${ROOT}/beneficiaries/{id}`,
    perMinute: 30,
    input: ById,
    output: Success,
  }),
  changes: subscription({
    summary: 'IDs of your virtual accounts as they change; each one once on connect',
    output: z.object({ virtualAccountId: Id }),
  }),
  trialBalance: query({
    summary: 'The sum of all entries, and accounts that differ from theirs',
    route: 'GET /api/admin/trial-balance',
    access: 'admin',
    perMinute: 30,
    output: TrialBalance,
  }),
});
