import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from './console.ts';
import { copyByHaproxy } from './haproxy.ts';
import { type Finding, median } from './measure.ts';
import { fillPlace, hasPgbench, loadPlace, type Place } from './pgbench.ts';
import { type Speed, speedOf } from './processor-time.ts';

const PROGRAM = join(import.meta.dirname, 'postgres-door-process.ts');
const LOADS = 3;
const SECONDS = 5;
const RATIO_TARGET = 0.85;

/** A way to the server, and the process that copies on it. */
interface Way {
  place: Place;
  pid: number;
}

/** pgbench through the door, in the clear and by TLS, against the same server's own socket. */
export async function measurePostgresDoor(): Promise<Finding[]> {
  if (!hasPgbench()) return [];
  const home = await mkdtemp(join(tmpdir(), 'nephos-bench-door-'));
  await chmod(home, 0o711);
  const { pid, url, stop } = await startProgram(PROGRAM, {}, [home]);
  const { hostname, port, username: user, password } = new URL(url);
  const run = join(home, 'databases', user, 'run');
  const haproxy = await copyByHaproxy(join(run, '.s.PGSQL.5432'));
  try {
    const place = { host: hostname, port, user, password, database: user };
    const direct = { place: { ...place, host: run, port: '5432' }, pid };
    const ways = {
      'in the clear': { place: { ...place, sslmode: 'disable' }, pid },
      'by TLS': { place: { ...place, sslmode: 'require' }, pid },
      ...(haproxy && {
        "by HAProxy's copier": { place: { ...place, port: haproxy.port }, pid: haproxy.pid },
      }),
    };
    await fillPlace(place);
    const speeds = await race([direct, ...Object.values(ways)]);
    const [atSocket = [], ...others] = speeds;
    const most = median(atSocket.map(({ perSecond }) => perSecond));
    return Object.keys(ways).map((name, n) => {
      const all = others[n] ?? [];
      const rate = median(all.map(({ perSecond }) => perSecond));
      const cost = 1e6 / median(all.map(({ perProcessorSecond }) => perProcessorSecond));
      const ratio = `${rate.toFixed(0)}/s, at the server's socket ${most.toFixed(0)}/s: ${(rate / most).toFixed(2)}`;
      const isOurs = !name.includes('HAProxy');
      return {
        name: `pgbench through the port of databases, ${name}`,
        detail: `${ratio}; ${cost.toFixed(0)} µs of processor time for a transaction${isOurs ? `; target >= ${RATIO_TARGET}` : ''}`,
        met: !isOurs || rate / most >= RATIO_TARGET,
      };
    });
  } finally {
    await haproxy?.stop();
    await stop();
  }
}

/** One after the other, several times: the machine's load is then the same for all. */
async function race(ways: readonly Way[]): Promise<Speed[][]> {
  const speeds = ways.map((): Speed[] => []);
  for (let round = 0; round < LOADS; round += 1) {
    for (const [n, { place, pid }] of ways.entries()) {
      speeds[n]?.push(await speedOf(pid, async () => (await loadPlace(place, SECONDS)) * SECONDS));
    }
  }
  return speeds;
}
