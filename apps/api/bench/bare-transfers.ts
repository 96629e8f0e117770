// The least that makes pgbench's transactions over HTTP: Fastify and pg, its five statements as one function, nothing else.
import { createPool } from '@nephos/db';
import Fastify from 'fastify';
import { createBatches } from '../src/platform/batches.ts';

interface Transfer {
  account: number;
  branch: number;
  teller: number;
  delta: number;
}

/** As many as pgbench has clients. */
const CONNECTIONS = 20;
/** As sends are made by the console. */
const LARGEST = 64;
const PATIENCE = 2000;

const { PORT, DATABASE_URL = '' } = process.env;
const pool = createPool({ url: DATABASE_URL, max: CONNECTIONS });
await pool.query(`
  create or replace function transfer(account int, branch int, teller int, delta int) returns int
  language plpgsql as $$
  declare balance int;
  begin
    update pgbench_accounts set abalance = abalance + delta where aid = account;
    select abalance into balance from pgbench_accounts where aid = account;
    update pgbench_tellers set tbalance = tbalance + delta where tid = teller;
    update pgbench_branches set bbalance = bbalance + delta where bid = branch;
    insert into pgbench_history (tid, bid, aid, delta, mtime)
    values (teller, branch, account, delta, current_timestamp);
    return balance;
  end $$`);

const together = createBatches<Transfer, { balance: number }>({
  run: async (transfers) => {
    const { rows } = await pool.query({
      name: 'together',
      text: `select transfer(account, branch, teller, delta) as balance
        from rows from (unnest($1::int[]), unnest($2::int[]), unnest($3::int[]), unnest($4::int[]))
          with ordinality t (account, branch, teller, delta, n) order by n`,
      values: (['account', 'branch', 'teller', 'delta'] as const).map((field) =>
        transfers.map((transfer) => transfer[field]),
      ),
    });
    return rows;
  },
  ...{ atOnce: 1, largest: LARGEST, patience: PATIENCE, mayRepeat: () => false },
});

const app = Fastify();
app.post<{ Body: Transfer }>('/alone', async ({ body: { account, branch, teller, delta } }) => {
  const { rows } = await pool.query({
    ...{ name: 'alone', text: 'select transfer($1, $2, $3, $4) as balance' },
    values: [account, branch, teller, delta],
  });
  return rows[0];
});
app.post<{ Body: Transfer }>('/together', ({ body }) => together.add(body));

process.on('SIGTERM', () => process.exit(0));
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
process.stdout.write(`Nephos is ready at http://127.0.0.1:${PORT}\n`);
