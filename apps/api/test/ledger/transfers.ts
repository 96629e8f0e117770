import { setTimeout as wait } from 'node:timers/promises';
import type { Inputs, VirtualAccount } from '@nephos/contracts';
import { newIdempotencyKey } from '@nephos/contracts/client';
import type { Database } from '@nephos/db';
import { TRPCClientError } from '@trpc/client';
import type { Kysely } from 'kysely';
import { elsewhere, openAccount, payment } from '../payment-gateway/gateway-fixtures.ts';
import type { Person } from '../world.ts';

const ACCOUNTS = 8;
const EACH = 100_000;

/** Clients that send without a pause and repeat, with the same key, what they do not know the end of. */
export interface Transfers {
  accounts: VirtualAccount[];
  /** Ids of the payments that were acknowledged, by key. */
  acknowledged: Map<string, string>;
  /** HTTP statuses that were not the end of a send; 0 is none at all. */
  unknown: Set<number>;
  /** Milliseconds of the slowest answer, network failures included. */
  slowest(): number;
  /** Ends the clients, each after an answer to its last send. */
  stop(): Promise<void>;
}

export interface TransferOptions {
  clients: number;
  /** One of so many goes to another bank; 0: none. */
  outsideOneIn?: number;
}

export async function startTransfers(
  { rpc }: Pick<Person, 'rpc'>,
  { clients, outsideOneIn = 0 }: TransferOptions,
): Promise<Transfers> {
  const accounts: VirtualAccount[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) accounts.push(await openAccount({ rpc }, { balance: EACH }));
  const seen: Seen = { acknowledged: new Map(), unknown: new Set(), slowest: 0 };
  let running = true;

  const any = (): VirtualAccount => accounts[Math.floor(Math.random() * ACCOUNTS)] as VirtualAccount;

  async function client(): Promise<void> {
    while (running) {
      const leaves = outsideOneIn > 0 && Math.random() < 1 / outsideOneIn;
      const amount = 1 + Math.floor(Math.random() * 100);
      await sendUntilKnown(rpc, payment(any(), leaves ? elsewhere() : any(), amount), seen);
    }
  }

  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    accounts,
    ...seen,
    slowest: () => seen.slowest,
    async stop() {
      running = false;
      await all;
    },
  };
}

interface Seen extends Pick<Transfers, 'acknowledged' | 'unknown'> {
  slowest: number;
}

/** Sends under one key until an answer says what came of it. */
async function sendUntilKnown(
  rpc: Person['rpc'],
  input: Inputs['paymentGateway']['send'],
  seen: Seen,
): Promise<void> {
  const idempotencyKey = newIdempotencyKey();
  for (;;) {
    const began = performance.now();
    try {
      const { id } = await rpc.paymentGateway.send.mutate(input, { context: { idempotencyKey } });
      seen.acknowledged.set(idempotencyKey, id);
      return;
    } catch (error) {
      if (!(error instanceof TRPCClientError)) throw error;
      const status = Number(error.data?.httpStatus ?? 0);
      if (status === 422) return;
      seen.unknown.add(status);
      await wait(50);
    } finally {
      seen.slowest = Math.max(seen.slowest, performance.now() - began);
    }
  }
}

/** The ids of the sends that were made, by key. */
export async function sendsByKey(db: Kysely<Database>): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('gatewayPayments')
    .select(['id', 'idempotencyKey'])
    .where('idempotencyKey', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, idempotencyKey }) => [idempotencyKey ?? '', id]));
}
