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
const ROUNDS = 7;
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

/** Debian's registry on this disk, without log-in. It answers a push before the disk has it: it never syncs a file. */
async function startBaseline(folder: string): Promise<{ target: Target; stop(): Promise<void> }> {
  const port = await freePort();
  const config = join(folder, 'registry.yml');
  await writeFile(
    config,
    `version: 0.1
log: { level: error, accesslog: { disabled: true } }
storage: { filesystem: { rootdirectory: ${folder}/registry } }
http: { addr: 127.0.0.1:${port} }
`,
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
  return {
    target: {
      prefix: `docker://127.0.0.1:${port}/bench`,
      source: ['--src-tls-verify=false'],
      destination: ['--dest-tls-verify=false'],
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

/** The median of the rounds' own ratios: what else the machine does falls on both of a round. */
function findingOf(way: 'push' | 'pull', ours: readonly Speeds[], baseline: readonly Speeds[]): Finding {
  const ratio = median(ours.map((speeds, round) => speeds[way] / (baseline[round]?.[way] ?? Number.NaN)));
  const megabytes = (speeds: readonly Speeds[]) =>
    (median(speeds.map((speed) => speed[way])) / 1e6).toFixed(0);
  return {
    name: `registry, ${way} of a 200 MB image with skopeo`,
    detail: `${megabytes(ours)} MB/s, docker-registry ${megabytes(baseline)} MB/s: ${ratio.toFixed(2)} in the median of ${ours.length} rounds; target ≥ ${TARGET_RATIO.toFixed(1)}`,
    met: ratio >= TARGET_RATIO,
  };
}

/**
 * Pushes and pulls of an image of four random layers, against Debian's registry on the same disk. Ours has every layer
 * on the disk before it answers, the baseline has none. They take turns in going first: who does leaves the other a
 * busy disk, and finds less of the memory that a virtual machine has at hand.
 */
export async function measureRegistry(console: Console): Promise<Finding[]> {
  if (![requireTool('skopeo'), requireTool('docker-registry')].every(Boolean)) return [];
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-registry-'));
  const baseline = await startBaseline(folder);
  try {
    const target = await targetOf(console);
    const speeds: Record<'ours' | 'baseline', Speeds[]> = { ours: [], baseline: [] };
    const { peak } = await watchMemory(console, async () => {
      for (let round = 0; round <= ROUNDS; round += 1) {
        await makeImage(join(folder, 'image'));
        const name = `round-${round}`;
        const turns = [
          async () => speeds.baseline.push(await measureTarget(baseline.target, folder, name)),
          async () => speeds.ours.push(await measureTarget(target, folder, name)),
        ];
        for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
        await rm(join(folder, 'image'), { recursive: true });
      }
    });
    // The first round warms both up.
    const [ours, others] = [speeds.ours.slice(1), speeds.baseline.slice(1)];
    return [
      findingOf('push', ours, others),
      findingOf('pull', ours, others),
      {
        name: 'registry, memory during pushes and pulls',
        detail: `${(peak / 1e6).toFixed(0)} MB at most; target < ${TARGET_MEMORY / 1e6} MB`,
        met: peak < TARGET_MEMORY,
      },
    ];
  } finally {
    await baseline.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
