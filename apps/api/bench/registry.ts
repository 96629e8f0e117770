import { execFile, spawn } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { CreatedAccessToken } from '@nephos/contracts';
import { requireTool } from '../../../tools/require-tool.ts';
import { freePort } from '../../../tools/server-process.mjs';
import type { Console } from './console.ts';
import { type Finding, median } from './measure.ts';
import { watchMemory } from './watch-memory.ts';

const run = promisify(execFile);

const LAYERS = 4;
const LAYER_BYTES = 50_000_000;
const ROUNDS = 9;
const TARGET_RATIO = 1;
const TARGET_MEMORY = 200_000_000;
const START_MS = 5000;

/** A registry that skopeo copies to and from. */
interface Target {
  /** Begins the reference of an image. */
  prefix: string;
  /** Options of skopeo as a source, and as a destination. */
  source: string[];
  destination: string[];
}

interface Speeds {
  /** Bytes a second. */
  push: number;
  pull: number;
}

/** Of the baseline: `bench` and this, by bcrypt at the cost that htpasswd takes by itself. */
const PASSWORD = 'bench-password';
const HTPASSWD = 'bench:$2b$05$96yy7l5yqc4dBi9izqvuLeMf6dsiKBRR2K.A7kGDcVTNA1520KKri';

interface Baseline {
  target: Target;
  stop(): Promise<void>;
}

/**
 * Debian's registry on this disk, with the log-in that comes with it, or open to everybody. It answers a push before the
 * disk has it: it never syncs a file.
 */
async function startBaseline(parent: string, access: 'log-in' | 'open'): Promise<Baseline> {
  const folder = join(parent, access);
  await mkdir(folder);
  const port = await freePort();
  const [config, passwords] = [join(folder, 'registry.yml'), join(folder, 'htpasswd')];
  await writeFile(passwords, `${HTPASSWD}\n`);
  const auth = access === 'open' ? '' : `auth: { htpasswd: { realm: bench, path: ${passwords} } }\n`;
  await writeFile(
    config,
    `version: 0.1
log: { level: error, accesslog: { disabled: true } }
storage: { filesystem: { rootdirectory: ${folder}/registry } }
http: { addr: 127.0.0.1:${port} }
${auth}`,
  );
  const server = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  for (const deadline = Date.now() + START_MS; ; await wait(50)) {
    const answers = await fetch(`http://127.0.0.1:${port}/v2/`).then(
      () => true,
      () => false,
    );
    if (answers) break;
    if (Date.now() > deadline || server.exitCode !== null) throw new Error('docker-registry does not start');
  }
  const credentials = (side: string) => (access === 'open' ? [] : [`--${side}-creds=bench:${PASSWORD}`]);
  return {
    target: {
      prefix: `docker://127.0.0.1:${port}/bench`,
      source: ['--src-tls-verify=false', ...credentials('src')],
      destination: ['--dest-tls-verify=false', ...credentials('dest')],
    },
    async stop() {
      server.kill();
      await exited;
    },
  };
}

async function targetOf(console: Console): Promise<Target> {
  const { token } = (await console.call('POST', '/api/auth/tokens', {
    name: 'Bench',
    scope: 'write',
  })) as CreatedAccessToken;
  return {
    prefix: `docker://127.0.0.1:${console.port}/bench`,
    source: ['--src-tls-verify=false', `--src-creds=bench:${token}`],
    destination: ['--dest-tls-verify=false', `--dest-creds=bench:${token}`],
  };
}

/** An OCI layout with an image of random layers, whose first bytes keep clients from compressing them once more. */
async function makeImage(layout: string): Promise<void> {
  const blobs = join(layout, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  const store = async (mediaType: string, content: Buffer) => {
    const hex = createHash('sha256').update(content).digest('hex');
    await writeFile(join(blobs, hex), content);
    return { mediaType, digest: `sha256:${hex}`, size: content.length };
  };
  const layers = [];
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const content = randomFillSync(Buffer.alloc(LAYER_BYTES));
    content.set([0x1f, 0x8b, 0x08, 0x00]);
    layers.push(await store('application/vnd.oci.image.layer.v1.tar+gzip', content));
  }
  const diffs = layers.map(({ digest }) => digest);
  const config = { os: 'linux', architecture: 'amd64', rootfs: { type: 'layers', diff_ids: diffs } };
  const described = await store(
    'application/vnd.oci.image.config.v1+json',
    Buffer.from(JSON.stringify(config)),
  );
  const manifest = await store(
    'application/vnd.oci.image.manifest.v1+json',
    Buffer.from(JSON.stringify({ schemaVersion: 2, config: described, layers })),
  );
  const annotations = { 'org.opencontainers.image.ref.name': 'latest' };
  await writeFile(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations }] };
  await writeFile(join(layout, 'index.json'), JSON.stringify(index));
}

/** Each comes first, second and last as often, and after each of the others. */
function turnsOf(round: number): (keyof Measured)[] {
  const order: (keyof Measured)[] = ['ours', 'loggedIn', 'open'];
  const turned = [...order.slice(round % 3), ...order.slice(0, round % 3)];
  return round % 2 === 0 ? turned : turned.toReversed();
}

/** Bytes of the image that skopeo copies in a second. */
async function copy(options: string[], from: string, to: string): Promise<number> {
  const begun = performance.now();
  await run('skopeo', ['--insecure-policy', 'copy', '--quiet', ...options, from, to]);
  return (LAYERS * LAYER_BYTES) / ((performance.now() - begun) / 1000);
}

async function measureTarget(target: Target, folder: string, name: string): Promise<Speeds> {
  const pulled = join(folder, 'pulled');
  const image = `${target.prefix}/${name}:latest`;
  const push = await copy(target.destination, `oci:${folder}/image:latest`, image);
  const pull = await copy(target.source, image, `dir:${pulled}`);
  await rm(pulled, { recursive: true });
  return { push, pull };
}

type Measured = Record<'ours' | 'loggedIn' | 'open', readonly Speeds[]>;

/** The median of the rounds' own ratios: what else the machine does falls on both of a round. */
function findingOf(way: 'push' | 'pull', { ours, loggedIn, open }: Measured): Finding {
  const ratioTo = (baseline: readonly Speeds[]) =>
    median(ours.map((speeds, round) => speeds[way] / (baseline[round]?.[way] ?? Number.NaN)));
  const megabytes = (speeds: readonly Speeds[]) =>
    (median(speeds.map((speed) => speed[way])) / 1e6).toFixed(0);
  const ratio = ratioTo(loggedIn);
  return {
    name: `registry, ${way} of a 200 MB image with skopeo`,
    detail: `${megabytes(ours)} MB/s, docker-registry with its log-in ${megabytes(loggedIn)} MB/s: ${ratio.toFixed(2)} in the median of ${ours.length} rounds; target ≥ ${TARGET_RATIO.toFixed(1)}. To one that is open to everybody, ${megabytes(open)} MB/s: ${ratioTo(open).toFixed(2)}`,
    met: ratio >= TARGET_RATIO,
  };
}

/**
 * Pushes and pulls of an image of four random layers, against Debian's registry on the same disk, with a log-in as ours
 * has one, and without. Ours has every layer on the disk before it answers, the baseline has none. They take turns in
 * going first: who does leaves the next a busy disk, and finds less of the memory that a virtual machine has at hand.
 */
export async function measureRegistry(console: Console): Promise<Finding[]> {
  if (![requireTool('skopeo'), requireTool('docker-registry')].every(Boolean)) return [];
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-registry-'));
  const baselines: Baseline[] = [];
  try {
    for (const access of ['log-in', 'open'] as const) baselines.push(await startBaseline(folder, access));
    const [loggedIn, open] = baselines;
    const targets = { ours: await targetOf(console), loggedIn: loggedIn?.target, open: open?.target };
    const speeds: Record<keyof Measured, Speeds[]> = { ours: [], loggedIn: [], open: [] };
    const { peak } = await watchMemory(console, async () => {
      for (let round = 0; round <= ROUNDS; round += 1) {
        await makeImage(join(folder, 'image'));
        const name = `round-${round}`;
        for (const who of turnsOf(round)) {
          const target = targets[who];
          if (target) speeds[who].push(await measureTarget(target, folder, name));
        }
        await rm(join(folder, 'image'), { recursive: true });
      }
    });
    // The first round warms both up.
    const measured = {
      ...{ ours: speeds.ours.slice(1), loggedIn: speeds.loggedIn.slice(1), open: speeds.open.slice(1) },
    };
    return [
      findingOf('push', measured),
      findingOf('pull', measured),
      {
        name: 'registry, memory during pushes and pulls',
        detail: `${(peak / 1e6).toFixed(0)} MB at most; target < ${TARGET_MEMORY / 1e6} MB`,
        met: peak < TARGET_MEMORY,
      },
    ];
  } finally {
    for (const baseline of baselines) await baseline.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
