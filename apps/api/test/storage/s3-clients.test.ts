import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { createWorld, type World } from '../world.ts';
import { type Credentials, clientFor, keyFor } from './s3-world.ts';

const run = promisify(execFile);

let world: World;
let credentials: Credentials;
let folder: string;
/** Files of several sizes and names, and their digests by path. */
let tree: string;
let digests: Record<string, string>;

async function digestsIn(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const pairs = files.map(async (file) => [
    file.slice(root.length + 1),
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ]);
  return Object.fromEntries(await Promise.all(pairs));
}

beforeAll(async () => {
  world = await createWorld({ running: true });
  credentials = await keyFor(await world.as('Ada'));
  folder = await mkdtemp(join(tmpdir(), 'nephos-s3-'));
  tree = join(folder, 'tree');
  await mkdir(join(tree, 'sub folder', 'ü'), { recursive: true });
  await writeFile(join(tree, 'empty'), '');
  await writeFile(join(tree, 'notes & more.txt'), 'Hello.');
  await writeFile(join(tree, 'sub folder', 'ü', '+1 (2).bin'), randomBytes(300_000));
  // Of this size, each of them uploads in parts.
  await writeFile(join(tree, 'large'), randomBytes(16 * 1024 * 1024));
  digests = await digestsIn(tree);
});

afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** Calls a client that finds its keys in the environment. */
async function client(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(command, args, {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LC_ALL: 'C.UTF-8',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  });
  return stdout;
}

async function fetched(address: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(address);
  return { status: answer.status, text: await answer.text() };
}

describe.skipIf(!requireTool('s3cmd'))('s3cmd', () => {
  const s3cmd = (...args: string[]) =>
    client(
      's3cmd',
      ...['--no-ssl', `--host=${new URL(world.url).host}`, `--host-bucket=${new URL(world.url).host}`],
      ...[`--access_key=${credentials.accessKeyId}`, `--secret_key=${credentials.secretAccessKey}`, ...args],
    );

  test('makes a bucket, syncs to and from it, lists, copies, moves and deletes', async () => {
    await s3cmd('mb', 's3://s3cmd');
    expect(await s3cmd('ls')).toContain('s3://s3cmd');
    await s3cmd('sync', `${tree}/`, 's3://s3cmd/tree/');
    expect(await s3cmd('ls', '--recursive', 's3://s3cmd/')).toContain(
      's3://s3cmd/tree/sub folder/ü/+1 (2).bin',
    );
    expect(await s3cmd('ls', 's3://s3cmd/tree/')).toContain('DIR');
    await s3cmd('sync', 's3://s3cmd/tree/', `${join(folder, 'from-s3cmd')}/`);
    expect(await digestsIn(join(folder, 'from-s3cmd'))).toEqual(digests);
    await s3cmd('cp', 's3://s3cmd/tree/notes & more.txt', 's3://s3cmd/copy.txt');
    const info = await s3cmd('info', 's3://s3cmd/copy.txt');
    expect(info).toContain('text/plain');
    expect(info).toMatch(/ACL: .+: FULL_CONTROL/);
    await s3cmd('mv', 's3://s3cmd/copy.txt', 's3://s3cmd/moved.txt');
    await s3cmd('del', '--recursive', '--force', 's3://s3cmd');
    await s3cmd('rb', 's3://s3cmd');
  });

  test('sets who may read a bucket, and what expires', async () => {
    await s3cmd('mb', 's3://s3cmd-rules');
    const Statement = [
      { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::s3cmd-rules/*' },
    ];
    await writeFile(join(folder, 'policy'), JSON.stringify({ Version: '2012-10-17', Statement }));
    await s3cmd('setpolicy', join(folder, 'policy'), 's3://s3cmd-rules');
    await s3cmd('expire', '--expiry-days=30', '--expiry-prefix=old/', 's3://s3cmd-rules');
    const info = await s3cmd('info', 's3://s3cmd-rules');
    expect(info).toContain('s3:GetObject');
    expect(info).toContain("'old/' will expire in '30' day(s)");
    await s3cmd('delpolicy', 's3://s3cmd-rules');
    await s3cmd('dellifecycle', 's3://s3cmd-rules');
    expect(await s3cmd('info', 's3://s3cmd-rules')).toMatch(/Policy: +none/);
    await s3cmd('rb', 's3://s3cmd-rules');
  });
});

describe.skipIf(!requireTool('aws'))('aws', () => {
  const aws = (...args: string[]) => client('aws', '--endpoint-url', world.url, ...args);

  test('makes a bucket, syncs to and from it, lists, signs an address and deletes', async () => {
    await aws('s3', 'mb', 's3://aws-cli');
    await aws('s3', 'sync', tree, 's3://aws-cli/tree/');
    expect(await aws('s3', 'ls', '--recursive', 's3://aws-cli')).toContain('tree/sub folder/ü/+1 (2).bin');
    await aws('s3', 'sync', 's3://aws-cli/tree/', join(folder, 'from-aws'));
    expect(await digestsIn(join(folder, 'from-aws'))).toEqual(digests);
    const presign = async () => (await aws('s3', 'presign', 's3://aws-cli/tree/notes & more.txt')).trim();
    // Its version 1 does not sign so that it is taken, and is told how to.
    const { text } = await fetched(await presign());
    const [, remedy] = /&quot;aws (configure set [\w. ]+)&quot;/.exec(text) ?? [];
    if (remedy !== undefined) await client('aws', ...remedy.split(' '));
    const address = await presign();
    expect(await fetched(address)).toEqual({ status: 200, text: 'Hello.' });
    expect(await fetched(address.replace('notes', 'other'))).toMatchObject({ status: 403 });
    await aws('s3', 'rb', '--force', 's3://aws-cli');
  });

  test('sets rules of a bucket, and is told what is not done', async () => {
    await clientFor(world, credentials).send(new CreateBucketCommand({ Bucket: 'aws-rules' }));
    const api = (call: string, ...args: string[]) => aws('s3api', call, '--bucket', 'aws-rules', ...args);
    const cors = { CORSRules: [{ AllowedMethods: ['GET'], AllowedOrigins: ['https://*.example.com'] }] };
    await api('put-bucket-cors', '--cors-configuration', JSON.stringify(cors));
    const lifecycle = {
      Rules: [{ ID: 'old', Filter: { Prefix: 'old/' }, Status: 'Enabled', Expiration: { Days: 3 } }],
    };
    await api('put-bucket-lifecycle-configuration', '--lifecycle-configuration', JSON.stringify(lifecycle));
    const read = await api('get-bucket-lifecycle-configuration', '--output', 'json');
    expect(JSON.parse(read)).toMatchObject(lifecycle);
    await expect(api('get-bucket-encryption')).rejects.toThrow('NotImplemented');
    expect(await api('get-bucket-acl', '--query', 'Grants[].Permission', '--output', 'text')).toBe(
      'FULL_CONTROL\n',
    );
    await api('put-bucket-versioning', '--versioning-configuration', 'Status=Enabled');
    const put = () => api('put-object', '--key', 'a', '--query', 'VersionId', '--output', 'text');
    const [first] = [(await put()).trim(), await put()];
    const version = ['--key', 'a', '--version-id', first];
    await api('put-object-tagging', ...version, '--tagging', 'TagSet=[{Key=is,Value=former}]');
    expect(await api('get-object-tagging', ...version, '--output', 'text')).toContain('former');
    expect(await api('get-object-tagging', '--key', 'a', '--output', 'text')).not.toContain('former');
  });
});

describe.skipIf(!requireTool('rclone'))('rclone', () => {
  const rclone = (...args: string[]) => {
    const remote = `:s3,provider=Other,env_auth=true,endpoint='${world.url}',region=us-east-1:`;
    return client(
      'rclone',
      '--config',
      join(folder, 'none'),
      ...args.map((arg) => arg.replace(/^s3:/, remote)),
    );
  };

  test('makes a bucket, syncs to and from it, compares, signs an address and deletes', async () => {
    await rclone('mkdir', 's3:rclone');
    await rclone('sync', '--s3-upload-cutoff=5Mi', '--s3-chunk-size=5Mi', tree, 's3:rclone/tree');
    await rclone('check', tree, 's3:rclone/tree');
    expect(await rclone('lsf', 's3:rclone/tree')).toContain('sub folder/');
    await rclone('sync', 's3:rclone/tree', join(folder, 'from-rclone'));
    expect(await digestsIn(join(folder, 'from-rclone'))).toEqual(digests);
    await rclone('moveto', 's3:rclone/tree/notes & more.txt', 's3:rclone/moved.txt');
    const address = (await rclone('link', '--expire', '1h', 's3:rclone/moved.txt')).trim();
    expect(await fetched(address)).toEqual({ status: 200, text: 'Hello.' });
    await rclone('purge', 's3:rclone');
    expect(await rclone('lsd', 's3:')).not.toContain('rclone');
  });
});
