import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { Bucket, CreatedStorageKey } from '@nephos/contracts';
import { createPool } from '@nephos/db';
import { requireTool } from '../../../tools/require-tool.ts';
import type { Console } from './console.ts';
import { type Finding, median } from './measure.ts';
import { startNginx } from './nginx.ts';
import { watchMemory } from './watch-memory.ts';

const run = promisify(execFile);

/** Debian's package libnginx-mod-http-dav-ext: without it, nginx lists no folder, as clients of WebDAV ask. */
const DAV_MODULE = '/usr/lib/nginx/modules/ngx_http_dav_ext_module.so';
/** Debian's account of nginx's workers. */
const NOBODY = 65_534;
/** What is moved: so many files of so many bytes, so often. */
const FEW_FILES: readonly Load[] = [
  { name: '10 MB', files: 1, bytes: 10_000_000, rounds: 5 },
  { name: '1 GB', files: 1, bytes: 1_000_000_000, rounds: 2 },
];
/** Takes a quarter of an hour: each of them is on the disk before it is answered, or its time ends. */
const MANY_FILES: readonly Load[] = [{ name: '10,000 of 10 kB', files: 10_000, bytes: 10_000, rounds: 1 }];
const TARGET_MEMORY = 200_000_000;
const FEW = 1000;
const MANY = 1_000_000;
const PAGES = 40;
const TARGET_PAGE = 1.5;

interface Load {
  name: string;
  files: number;
  /** Of each. */
  bytes: number;
  rounds: number;
}

/** A client and the store that it copies to and from, by folder. */
interface Way {
  name: string;
  put(folder: string, name: string): Promise<unknown>;
  get(name: string, folder: string): Promise<unknown>;
}

/** Milliseconds of both directions. */
interface Times {
  put: number[];
  get: number[];
}

async function createKey(console: Console): Promise<S3Keys> {
  const { id, secretAccessKey } = (await console.call('POST', '/api/storage-keys', {
    name: 'Bench',
    access: 'write',
  })) as CreatedStorageKey;
  return { accessKeyId: id, secretAccessKey };
}

interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

/** As people set rclone up; eight files at once. */
function rcloneTo(name: string, remote: string, home: string, keys?: S3Keys): Way {
  // What else the environment says of S3 is not for this server.
  const env = {
    ...{ PATH: process.env.PATH, HOME: home },
    ...(keys && { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey }),
  };
  const rclone = (...args: string[]) =>
    run('rclone', ['--config', join(home, 'none'), '--transfers', '8', ...args], { env });
  return {
    name,
    put: (folder, target) => rclone('copy', folder, `${remote}bench/${target}`),
    get: (target, folder) => rclone('copy', `${remote}bench/${target}`, folder),
  };
}

function s3cmdTo({ url }: Console, { accessKeyId, secretAccessKey }: S3Keys): Way {
  const { host } = new URL(url);
  const common = ['--no-ssl', `--host=${host}`, `--host-bucket=${host}`, '--no-progress', '--quiet'];
  const s3cmd = (...args: string[]) =>
    run('s3cmd', [...common, `--access_key=${accessKeyId}`, `--secret_key=${secretAccessKey}`, ...args]);
  return {
    name: 's3cmd',
    put: (folder, target) => s3cmd('put', '--recursive', `${folder}/`, `s3://bench/s3cmd/${target}/`),
    get: (target, folder) => s3cmd('get', '--recursive', `s3://bench/s3cmd/${target}/`, `${folder}/`),
  };
}

async function makeFiles(folder: string, { files, bytes }: Load): Promise<void> {
  await mkdir(folder, { recursive: true });
  const piece = Buffer.alloc(Math.min(bytes, 10_000_000));
  for (let file = 0; file < files; file += 1) {
    const handle = await open(join(folder, `file-${file}`), 'w');
    for (let written = 0; written < bytes; written += piece.length) await handle.write(randomFillSync(piece));
    await handle.close();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Each way by turns. What was put is on the disk when its time ends: our server answers no earlier, and nginx's files are
 * flushed for it, all at once.
 */
async function timeWays(home: string, ways: readonly Way[], load: Load): Promise<Map<Way, Times>> {
  const times = new Map(ways.map((way) => [way, { put: [], get: [] } as Times]));
  const [source, target] = [join(home, 'source'), join(home, 'target')];
  for (let round = 0; round < load.rounds; round += 1) {
    await makeFiles(source, load);
    for (const [way, { put, get }] of times) {
      const name = `${load.files}-${load.bytes}-${round}`;
      put.push(
        await timeOf(async () => {
          await way.put(source, name);
          await run('sync', ['-f', home]);
        }),
      );
      await mkdir(target);
      get.push(await timeOf(() => way.get(name, target)));
      await rm(target, { recursive: true });
    }
    await rm(source, { recursive: true });
  }
  return times;
}

/** Few files, or many, put and fetched by clients of S3. */
export const measureS3Transfers = (console: Console) => measureTransfers(console, FEW_FILES);
export const measureManyS3Files = (console: Console) => measureTransfers(console, MANY_FILES);

/** Against rclone and nginx's WebDAV on the same disk. */
async function measureTransfers(console: Console, loads: readonly Load[]): Promise<Finding[]> {
  if (![requireTool('rclone'), requireTool('s3cmd'), requireTool('nginx')].every(Boolean)) return [];
  if (!existsSync(DAV_MODULE)) {
    process.stderr.write('skipped: transfers of S3 need apt-get install libnginx-mod-http-dav-ext\n');
    return [];
  }
  const home = await mkdtemp(join(tmpdir(), 'nephos-bench-s3-'));
  await chmod(home, 0o755);
  await mkdir(join(home, 'dav/bench'), { recursive: true });
  for (const folder of ['dav', 'dav/bench']) await chown(join(home, folder), NOBODY, NOBODY);
  const nginx = await startNginx(home, {
    modules: [DAV_MODULE],
    location: `root ${home}/dav; dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; create_full_put_path on;`,
  });
  try {
    const keys = await createKey(console);
    await console.call('POST', '/api/buckets', { name: 'bench' });
    const remote = `:s3,provider=Other,env_auth=true,endpoint='${console.url}',region=us-east-1:`;
    const baseline = rcloneTo('rclone to nginx', `:webdav,url='${nginx.url}',vendor=other:`, home);
    const ours = [rcloneTo('rclone', remote, home, keys), s3cmdTo(console, keys)];
    const { result, peak } = await watchMemory(console, async () => {
      const findings: Finding[] = [];
      for (const load of loads)
        findings.push(...findingsOf(load, await timeWays(home, [baseline, ...ours], load), baseline));
      return findings;
    });
    const memory = {
      name: 'memory during transfers of S3',
      detail: `${(peak / 1e6).toFixed(0)} MB at most; target < ${TARGET_MEMORY / 1e6} MB`,
      met: peak < TARGET_MEMORY,
    };
    return [...result, memory];
  } finally {
    await nginx.stop();
    await rm(home, { recursive: true, force: true });
  }
}

function findingsOf({ name: load }: Load, times: Map<Way, Times>, baseline: Way): Finding[] {
  const least = times.get(baseline);
  if (!least) throw new Error('The baseline was not measured.');
  const seconds = (all: readonly number[]) => `${(median(all) / 1000).toFixed(2)} s`;
  return [...times].flatMap(([way, own]) =>
    way === baseline
      ? []
      : (['put', 'get'] as const).map((direction) => ({
          name: `${load} ${direction} by ${way.name} over S3`,
          detail: `${seconds(own[direction])}, by ${baseline.name}'s WebDAV ${seconds(least[direction])}: ${(median(least[direction]) / median(own[direction])).toFixed(2)} of its speed`,
          met: true,
        })),
  );
}

/** Straight into the table: a thousandth of them below each prefix of `MANY`. */
async function fillBucket({ databaseUrl }: Console, id: string, count: number): Promise<void> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  await pool.query('set statement_timeout = 0');
  await pool.query(
    `insert into stored_files (owner_id, bucket_id, key, file_name, file_path, file_size, mime_type, is_public, object_key, sha256)
     select b.owner_id, b.id, key, split_part(key, '/', 2), '/' || split_part(key, '/', 1) || '/', 10, 'text/plain', false, 'bench/' || b.name || key, ''
     from buckets b, generate_series(0, $2::int - 1) n,
       lateral (select 'prefix-' || lpad((n / 1000)::text, 4, '0') || '/key-' || lpad((n % 1000)::text, 4, '0') as key) named
     where b.id = $1`,
    [id, count],
  );
  await pool.query('analyze stored_files');
  await pool.end();
}

/** A page of 1,000 keys below a prefix, and one of folders, in a bucket of 1,000,000 keys against one of 1,000. */
export async function measureS3Lists(console: Console): Promise<Finding[]> {
  const s3 = new S3Client({
    ...{ endpoint: console.url, region: 'us-east-1', forcePathStyle: true },
    credentials: await createKey(console),
  });
  const names = { few: 'bench-few', many: 'bench-many' };
  for (const [name, count] of [
    [names.few, FEW],
    [names.many, MANY],
  ] as const) {
    const { id } = (await console.call('POST', '/api/buckets', { name })) as Bucket;
    await fillBucket(console, id, count);
  }
  const last = `prefix-${String(MANY / 1000 - 1).padStart(4, '0')}/`;
  const pageOf = (Bucket: string, Prefix: string, Delimiter?: string) => () =>
    s3.send(new ListObjectsV2Command({ Bucket, Prefix, Delimiter }));
  return [
    await comparePages('1,000 keys by prefix', pageOf(names.many, last), pageOf(names.few, 'prefix-0000/')),
    await comparePages(
      'one folder by prefix',
      pageOf(names.many, last.slice(0, -1), '/'),
      pageOf(names.few, 'prefix-0000', '/'),
    ),
  ];
}

async function comparePages(
  name: string,
  ofMany: () => Promise<unknown>,
  ofFew: () => Promise<unknown>,
): Promise<Finding> {
  const times = { many: [] as number[], few: [] as number[] };
  for (let page = 0; page < PAGES; page += 1) {
    times.many.push(await timeOf(ofMany));
    times.few.push(await timeOf(ofFew));
  }
  const [many, few] = [median(times.many), median(times.few)];
  return {
    name: `S3 page of ${name}, in a bucket of ${MANY} against ${FEW}`,
    detail: `${many.toFixed(1)} ms, ${few.toFixed(1)} ms: ${(many / few).toFixed(2)} times; target < ${TARGET_PAGE}`,
    met: many / few < TARGET_PAGE,
  };
}
