import { get } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { failuresOf, startLoad } from './switch.ts';

const PER_SECOND = 100;
const BEFORE_MS = 2000;
/** For so long an outage is looked at after its end, in which what is wrong would show. */
const AFTER_MS = 5000;
const WHOLE_MS = 60_000;
/** So many answers in a row that are right, of all instances, tell that routes are. */
const ANSWERS = 20;

/** Of an app whose instances answer with a name of their own each. */
export const SERVER = `const name = String(Math.random());
process.on('SIGTERM', () => process.exit(0));
require('node:http').createServer((request, response) => response.end(name)).listen(process.env.PORT, process.env.HOST);
`;

/** An app that is asked during an outage. */
export interface AskedApp {
  /** Where it is asked, on loopback. */
  port: number;
  slug: string;
  instances: number;
  /** How many containers there are of it, on all machines. */
  containers(): Promise<number>;
}

/** Prints what an app loses under load over an outage, which is over when `outage` resolves, and how soon it is whole again. */
export async function measureOutage(app: AskedApp, name: string, outage: () => Promise<void>): Promise<void> {
  const { port, slug, instances } = app;
  const load = startLoad({ port, host: `${slug}.localhost:${port}`, perSecond: PER_SECOND });
  await wait(BEFORE_MS);
  const begun = Date.now();
  await outage();
  const over = Date.now();
  while (!(await isWhole(app))) {
    if (Date.now() - over > WHOLE_MS) throw new Error(`${name}: the app is not back`);
    await wait(50);
  }
  const whole = Date.now();
  await wait(AFTER_MS);
  const { sent, failures, slowest } = await load.stop();
  const containers = await app.containers();
  const isStill = await isWhole(app);
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  process.stdout.write(
    `${name}: ${failuresOf(failures, sent)} requests failed, the slowest took ${slowest} ms; ` +
      `away for ${seconds(over - begun)} s, routes right ${seconds(whole - over)} s later; ` +
      `${containers} containers of ${instances} instances${isStill ? '' : ', which do not all answer'} ` +
      `(load ${loadavg()[0]?.toFixed(1)})\n`,
  );
}

/** Whether all instances answer, and nothing else does. */
async function isWhole(app: AskedApp): Promise<boolean> {
  const answers = await Promise.all(Array.from({ length: ANSWERS }, () => ask(app)));
  return !answers.includes(undefined) && new Set(answers).size === app.instances;
}

/** What an instance says of itself; undefined where the answer is not an instance's. */
function ask({ port, slug }: AskedApp): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { host: `${slug}.localhost:${port}` };
    get({ host: '127.0.0.1', port, headers, agent: false, timeout: 1000 }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      resolve(response.statusCode === 200 ? text : undefined);
    })
      .on('error', () => resolve(undefined))
      .on('timeout', () => resolve(undefined));
  });
}
