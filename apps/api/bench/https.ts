import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Project } from '@nephos/contracts';
import pg from 'pg';
import { isInstalled } from '../../../tools/require-tool.ts';
import { freePort } from '../../../tools/server-process.mjs';
import { createTestAuthority, type TestCertificate } from '../test/custom-domains/test-certificates.ts';
import { startCaddy } from './caddy.ts';
import { type Console, startConsole } from './console.ts';
import { askAddress, createRepository, deploy } from './deployed-app.ts';
import { loadSecurely, type SecureLoad } from './h2load.ts';
import { countHandshakes } from './handshakes.ts';
import type { Finding } from './measure.ts';
import { compareSpeeds, type Speed, speedOf } from './processor-time.ts';

const HOST = 'shop.example.test';
const ROUNDS = 3;
const SECONDS = 4;
const PATIENCE = 10_000;

/** What serves the app by HTTPS: ours, or the baseline. */
interface Server {
  pid: number;
  port: number;
}

/** Has a server do something for some seconds, and counts how often it was done. */
type Work = (port: number, seconds: number) => Promise<number>;

/** About as many as there are in a second. */
const REQUESTS = 4000;

function handshakes(areResumed: boolean): Work {
  return (port, seconds) => countHandshakes({ host: HOST, port, areResumed, seconds });
}

function requests(protocol: SecureLoad['protocol']): Work {
  return async (port, seconds) => {
    await loadSecurely({ host: HOST, port, path: '/hello', protocol, requests: REQUESTS * seconds });
    return REQUESTS * seconds;
  };
}

const WORKS: Record<string, Work> = {
  'TLS handshakes': handshakes(false),
  'resumed TLS handshakes': handshakes(true),
  'requests by HTTP/2': requests('HTTP/2'),
  'requests by HTTP/1.1 over TLS': requests('HTTP/1.1'),
};

function measure({ pid, port }: Server, work: Work): Promise<Speed> {
  return speedOf(pid, () => work(port, SECONDS));
}

/** Measures both by turns, so that what else the machine does falls on both. */
async function compareOne(name: string, work: Work, ours: Server, baseline: Server): Promise<Finding> {
  const speeds: Record<'ours' | 'baseline', Speed[]> = { ours: [], baseline: [] };
  for (const { port } of [ours, baseline]) await work(port, 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    speeds.baseline.push(await measure(baseline, work));
    speeds.ours.push(await measure(ours, work));
  }
  return {
    name: `${name}, of an app at its own domain, against Caddy`,
    detail: compareSpeeds(speeds.ours, speeds.baseline).detail,
    met: true,
  };
}

/** Has an app answer at `HOST`, whose proof nobody could give here, with a certificate. */
async function addDomain(console: Console, { id }: Project, issued: TestCertificate): Promise<void> {
  const client = new pg.Client(console.databaseUrl);
  await client.connect();
  await client.query(
    `insert into custom_domains (owner_id, project_id, domain, is_primary, proven_at, next_check_at)
     select owner_id, id, $2, true, now(), now() + interval '1 day' from projects where id = $1`,
    [id, HOST],
  );
  await client.end();
  await console.call('PUT', `/api/projects/${id}/domains/${HOST}/certificate`, issued);
}

async function untilServed(port: number): Promise<void> {
  const load = { host: HOST, port, areResumed: false, seconds: 0.01 };
  for (const deadline = Date.now() + PATIENCE; ; await wait(50)) {
    try {
      await countHandshakes(load);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** An app at a domain of its own by HTTPS, against Caddy in front of the same app with the same certificate. */
export async function measureHttps(): Promise<Finding[]> {
  if (!['caddy', 'h2load', 'openssl'].every(isInstalled)) {
    process.stderr.write('skipped: HTTPS needs caddy, nghttp2-client and openssl (apt-get install)\n');
    return [];
  }
  const port = await freePort();
  const console = await startConsole({ HTTPS_PORT: String(port) });
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-app-'));
  await chmod(folder, 0o755);
  const authority = await createTestAuthority();
  try {
    await createRepository(folder);
    const project = await deploy(console, folder);
    const issued = await authority.issue([HOST]);
    await addDomain(console, project, issued);
    await untilServed(port);
    const app = await askAddress(console, `${project.slug}.localhost:${console.port}`);
    const caddy = await startCaddy({ host: HOST, app, ...issued });
    const findings: Finding[] = [];
    try {
      for (const [name, work] of Object.entries(WORKS)) {
        findings.push(await compareOne(name, work, { pid: console.pid, port }, caddy));
      }
    } finally {
      await caddy.stop();
    }
    return findings;
  } finally {
    await authority.close();
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
