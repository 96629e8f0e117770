import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import autocannon, { type Request } from 'autocannon';
import { freePort } from '../../../tools/server-process.mjs';
import { type Console, startConsole, startProgram } from './console.ts';
import { addAccounts, addEntries, addSenders, type BenchAccount } from './ledger-accounts.ts';
import { compare, type Finding, median, type Speed } from './measure.ts';
import { anyTransfer, fillPgbench, hasPgbench, loadPgbench } from './pgbench.ts';

const ACCOUNTS = 1000;
/**
 * Callers at once by which speed is measured: as many as keep the server busy. Of 20, half wait while the others' batch is
 * made, and a quarter of the cores' time goes unused. pgbench is fastest with its 20, and slower with 50 or 80.
 */
const CALLERS = 100;
const FEW_CALLERS = 20;
const SECONDS = 4;
const ROUNDS = 3;
/** One may send 120 times a minute. */
const SENDERS = 3000;
const TARGET_SPREAD = 0.6;
const TARGET_HOT = 0.5;
/** Milliseconds, of few callers: of many, each waits for as long as the speed says. */
const TARGET_P99 = 100;
const SHORT = 1000;
const LONG = 1_000_000;
const TARGET_PAGE = 1.5;

const BARE = resolve(import.meta.dirname, 'bare-transfers.ts');
const SENDS = '/api/payment-gateway/transactions/send';

/**
 * Sends of a cent as the console makes them, with session, rate limit, record and `Idempotency-Key`, between accounts that
 * `pair` gives, by any of the `senders`.
 */
async function loadSends(
  console: Console,
  senders: readonly string[],
  pair: () => [BenchAccount, BenchAccount],
  callers = CALLERS,
): Promise<Speed> {
  return loadPosts(console.url + SENDS, callers, (request) => {
    const [from, to] = pair();
    request.headers = {
      cookie: anyOf(senders),
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    request.body = JSON.stringify({
      virtualAccountId: from.id,
      amount: 1,
      receiverAccountNumber: to.number,
      receiverAccountName: 'Receiver',
      receiverBankName: 'Virtual Bank',
    });
    return request;
  });
}

/** pgbench's transactions as the least server makes them that there can be, each a request. */
function loadTransfers(url: string): Promise<Speed> {
  return loadPosts(url, CALLERS, (request) => {
    request.headers = { 'content-type': 'application/json' };
    request.body = JSON.stringify(anyTransfer());
    return request;
  });
}

async function loadPosts(
  url: string,
  callers: number,
  setupRequest: (request: Request) => Request,
): Promise<Speed> {
  const { origin, pathname: path } = new URL(url);
  const result = await autocannon({
    url: origin,
    connections: callers,
    duration: SECONDS,
    requests: [{ method: 'POST', path, setupRequest }],
  });
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0) throw new Error(`${failures} requests to ${path} failed`);
  const { average } = result.requests;
  return { requestsPerSecond: average, p50: result.latency.p50, p99: result.latency.p99 };
}

function anyOf<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('There is nothing to choose from.');
  return value;
}

async function measureSends(
  console: Console,
  senders: readonly string[],
  accounts: readonly BenchAccount[],
): Promise<Finding[]> {
  const [hot, ...others] = accounts;
  if (!hot) throw new Error('There are no accounts.');
  const spread = (): [BenchAccount, BenchAccount] => {
    const from = Math.floor(Math.random() * accounts.length);
    const to = (from + 1 + Math.floor(Math.random() * (accounts.length - 1))) % accounts.length;
    return [accounts[from] ?? hot, accounts[to] ?? hot];
  };
  const rounds = {
    baseline: [] as number[],
    spread: [] as Speed[],
    hot: [] as Speed[],
    few: [] as Speed[],
    alone: [] as Speed[],
    together: [] as Speed[],
  };
  const url = await fillPgbench(console.databaseUrl);
  const bare = await startProgram(BARE, { PORT: String(await freePort()), DATABASE_URL: url });
  try {
    await loadSends(console, senders, spread);
    await loadTransfers(`${bare.url}/together`);
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.baseline.push(await loadPgbench(console.databaseUrl, SECONDS));
      rounds.spread.push(await loadSends(console, senders, spread));
      rounds.hot.push(await loadSends(console, senders, () => [hot, anyOf(others)]));
      rounds.few.push(await loadSends(console, senders, spread, FEW_CALLERS));
      rounds.alone.push(await loadTransfers(`${bare.url}/alone`));
      rounds.together.push(await loadTransfers(`${bare.url}/together`));
    }
  } finally {
    await bare.stop();
  }
  const baseline = median(rounds.baseline);
  return [
    findingOf('sends/s over 1,000 accounts', rounds.spread, { baseline, least: TARGET_SPREAD }),
    findingOf('sends/s from one account', rounds.hot, { baseline, least: TARGET_HOT }),
    findingOf(`sends/s of ${FEW_CALLERS} callers`, rounds.few, { baseline, p99: TARGET_P99 }),
    bareFinding(rounds),
  ];
}

/** What any HTTP server reaches here at the most, by which to read the findings beside it. */
function bareFinding(
  rounds: Record<'alone' | 'together' | 'spread' | 'hot', readonly Speed[]> & { baseline: readonly number[] },
): Finding {
  const of = (speeds: readonly Speed[]) => median(speeds.map((speed) => speed.requestsPerSecond));
  const baseline = median(rounds.baseline);
  const [alone, together] = [of(rounds.alone), of(rounds.together)];
  const share = (speed: number, whole: number) => (speed / whole).toFixed(2);
  const best = Math.max(alone, together);
  return {
    name: "pgbench's transactions as requests to bare Fastify and pg",
    detail: `${alone.toFixed(0)}/s each on its own: ${share(alone, baseline)} of pgbench; ${together.toFixed(0)}/s in shared commits: ${share(together, baseline)}; sends are ${share(of(rounds.spread), best)} and ${share(of(rounds.hot), best)} of the better`,
    met: true,
  };
}

function findingOf(
  name: string,
  speeds: readonly Speed[],
  {
    baseline,
    least = 0,
    p99: most = Number.POSITIVE_INFINITY,
  }: { baseline: number; least?: number; p99?: number },
): Finding {
  const sends = median(speeds.map(({ requestsPerSecond }) => requestsPerSecond));
  const p99 = median(speeds.map((speed) => speed.p99));
  const ratio = sends / baseline;
  const target = least > 0 ? `≥ ${least}` : `p99 < ${most} ms`;
  return {
    name,
    detail: `${sends.toFixed(0)} of pgbench's ${baseline.toFixed(0)}: ${ratio.toFixed(2)}, p99 ${p99} ms; target ${target}`,
    met: ratio >= least && p99 < most,
  };
}

/** The newest 50 lines, and 50 from the middle, of a long statement against a short one. */
async function measureStatement(console: Console, accounts: readonly BenchAccount[]): Promise<Finding> {
  const [short, long] = accounts;
  if (!short || !long) throw new Error('There are too few accounts.');
  await addEntries(console.databaseUrl, short.id, SHORT);
  await addEntries(console.databaseUrl, long.id, LONG);
  const headers = { cookie: console.cookie };
  const address = ({ id }: BenchAccount) =>
    `${console.url}/api/payment-gateway/virtual-accounts/${id}/statement?limit=50`;
  const speeds = await compare({ url: address(long), headers }, { url: address(short), headers });
  const ratio = speeds.baseline.requestsPerSecond / speeds.ours.requestsPerSecond;
  return {
    name: 'a page of a statement of 1,000,000 lines',
    detail: `${ratio.toFixed(2)} times as long as of 1,000 (${speeds.ours.p50} and ${speeds.baseline.p50} ms); target < ${TARGET_PAGE}`,
    met: ratio < TARGET_PAGE,
  };
}

async function withConsole(
  settings: Record<string, string>,
  measure: (console: Console) => Promise<Finding[]>,
): Promise<Finding[]> {
  const console = await startConsole(settings);
  try {
    return await measure(console);
  } finally {
    await console.stop();
  }
}

/** Sends, session and all, against pgbench's TPC-B-like transactions on the same server; and long statements. */
export async function measureLedger(): Promise<Finding[]> {
  // One person reads here, more often than a limit lets them.
  const statement = await withConsole({}, async (console) => {
    const empty = await addAccounts(console.databaseUrl, { count: 2, balance: 0 });
    return [await measureStatement(console, empty)];
  });
  if (!hasPgbench()) {
    process.stderr.write('skipped: speed of the ledger needs pgbench (apt-get install postgresql)\n');
    return statement;
  }
  const sends = await withConsole({ RATE_LIMITS: 'on' }, async (console) => {
    const accounts = await addAccounts(console.databaseUrl, { count: ACCOUNTS, balance: 1_000_000_00 });
    return measureSends(console, await addSenders(console.databaseUrl, SENDERS), accounts);
  });
  return [...sends, ...statement];
}
