import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ContainerImage } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { makeToken } from './registry-client.ts';
import { age, removeTag, sweep, usedBytes } from './registry-space-world.ts';

const run = promisify(execFile);
const HAS_CLIENTS = [requireTool('skopeo'), requireTool('umoci')].every(Boolean);

let world: World;
let ada: Person;
let bob: Person;
let folder: string;
/** Options by which skopeo is Ada, or Bob. */
let asAda: string;
let asBob: string;
let adaReads: string;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  asAda = `${ada.user.email}:${(await makeToken(ada)).token}`;
  asBob = `${bob.user.email}:${(await makeToken(bob)).token}`;
  adaReads = `${ada.user.handle}:${(await makeToken(ada, 'read')).token}`;
  folder = await mkdtemp(join(tmpdir(), 'nephos-images-'));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const reference = (name: string, tag = 'latest') => `docker://${new URL(world.url).host}/${name}:${tag}`;

async function skopeo(...args: string[]): Promise<string> {
  const { stdout } = await run('skopeo', ['--insecure-policy', ...args]);
  return stdout;
}

/** An OCI layout with one image of two layers, made by umoci. */
async function makeImage(name: string): Promise<string> {
  const layout = join(folder, name);
  await run('umoci', ['init', '--layout', layout]);
  await run('umoci', ['new', '--image', `${layout}:latest`]);
  for (const layer of ['one', 'two']) {
    const file = join(folder, `${name}-${layer}`);
    await writeFile(file, randomBytes(50_000));
    await run('umoci', ['insert', '--rootless', '--image', `${layout}:latest`, file, `/${layer}`]);
  }
  return `oci:${layout}:latest`;
}

async function layoutDigest(layout: string): Promise<string> {
  const index = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8')) as {
    manifests: { digest: string }[];
  };
  return index.manifests[0]?.digest ?? '';
}

async function push(source: string, target: string, credentials = asAda): Promise<void> {
  await skopeo('copy', '--dest-tls-verify=false', '--dest-creds', credentials, source, target);
}

async function pull(source: string, name: string, credentials?: string): Promise<string> {
  const layout = join(folder, name);
  const login = credentials ? ['--src-creds', credentials] : ['--src-no-creds'];
  await skopeo('copy', '--src-tls-verify=false', ...login, source, `oci:${layout}:latest`);
  return layout;
}

async function imageOf(person: Person, name: string, tag = 'latest'): Promise<ContainerImage | undefined> {
  return (await person.rpc.containers.list.query()).find((image) => image.name === name && image.tag === tag);
}

describe.skipIf(!HAS_CLIENTS)('skopeo', () => {
  test('copies an image in and out without a change, and it is a card with its size and pulls', async () => {
    const source = await makeImage('first');
    await push(source, reference('ada/first'));
    const digest = await layoutDigest(join(folder, 'first'));
    const card = await imageOf(ada, 'ada/first');
    expect(card).toMatchObject({ digest, isPublic: false, pullCount: 0, tag: 'latest' });
    expect(card?.size).toBeGreaterThan(100_000);
    const back = await pull(reference('ada/first'), 'first-back', adaReads);
    expect(await layoutDigest(back)).toBe(digest);
    expect(await imageOf(ada, 'ada/first')).toMatchObject({ pullCount: 1 });
  });

  test('inspects, lists tags and deletes', async () => {
    await push(await makeImage('second'), reference('ada/second', 'v1'));
    await push(`oci:${join(folder, 'second')}:latest`, reference('ada/second', 'v2'));
    const options = ['--tls-verify=false', '--creds', asAda];
    const inspected = JSON.parse(
      await skopeo('inspect', ...options, reference('ada/second', 'v1')),
    ) as object;
    expect(inspected).toMatchObject({
      Digest: await layoutDigest(join(folder, 'second')),
      RepoTags: ['v1', 'v2'],
    });
    const listed = JSON.parse(
      await skopeo('list-tags', ...options, reference('ada/second').replace(/:latest$/, '')),
    );
    expect(listed).toMatchObject({ Tags: ['v1', 'v2'] });
    await skopeo('delete', ...options, reference('ada/second', 'v1'));
    await expect(skopeo('inspect', ...options, reference('ada/second', 'v1'))).rejects.toThrow(/unknown/);
    expect(await imageOf(ada, 'ada/second', 'v1')).toBeUndefined();
  });

  test('pulls a public image without log-in, and nobody a private one', async () => {
    await push(await makeImage('third'), reference('ada/third'));
    await expect(pull(reference('ada/third'), 'third-no')).rejects.toThrow(/unauthorized|authentication/i);
    await expect(pull(reference('ada/third'), 'third-bob', asBob)).rejects.toThrow(
      /unknown|denied|unauthorized/,
    );
    const card = await imageOf(ada, 'ada/third');
    await ada.rpc.containers.update.mutate({ id: card?.id ?? '', isPublic: true });
    const digest = await layoutDigest(join(folder, 'third'));
    expect(await layoutDigest(await pull(reference('ada/third'), 'third-anyone'))).toBe(digest);
    expect(await layoutDigest(await pull(reference('ada/third'), 'third-by-bob', asBob))).toBe(digest);
  });

  test('is refused where it may not push, with the reason', async () => {
    const source = await makeImage('fourth');
    await expect(push(source, reference('ada/fourth'), asBob)).rejects.toThrow(
      /You can only push to names that start with bob\//,
    );
    await expect(push(source, reference('ada/fourth'), adaReads)).rejects.toThrow(/can only pull/);
    const password = `${ada.user.email}:correct horse battery`;
    await expect(push(source, reference('ada/fourth'), password)).rejects.toThrow(/access token/);
    expect(await imageOf(ada, 'ada/fourth')).toBeUndefined();
  });

  test('logs in with email and token, and out', async () => {
    const authfile = join(folder, 'auth.json');
    const host = new URL(world.url).host;
    const [username = '', password = ''] = asAda.split(':');
    const login = [
      'login',
      '--tls-verify=false',
      '--authfile',
      authfile,
      '--username',
      username,
      '--password',
    ];
    await expect(skopeo(...login, 'wrong', host)).rejects.toThrow();
    await skopeo(...login, password, host);
    expect(JSON.parse(await readFile(authfile, 'utf8'))).toHaveProperty(['auths', host]);
    await skopeo('logout', '--authfile', authfile, host);
  });

  test('pushes what its page shows: the platform and the layers', async () => {
    const source = await makeImage('fifth');
    await push(source, reference('ada/fifth'));
    const digest = await layoutDigest(join(folder, 'fifth'));
    const card = await imageOf(ada, 'ada/fifth');
    const detail = await ada.rpc.containers.get.query({ id: card?.id ?? '' });
    expect(detail.platforms).toMatchObject([{ digest, os: 'linux', layers: [{}, {}], size: card?.size }]);
  });

  test('pulls by tag what stays when untagged images are deleted in the console, and not what went', async () => {
    await makeImage('seventh');
    const layout = join(folder, 'seventh');
    const more = join(folder, 'seventh-three');
    await writeFile(more, randomBytes(50_000));
    await run('umoci', [
      'insert',
      '--rootless',
      '--image',
      `${layout}:latest`,
      '--tag',
      'new',
      more,
      '/three',
    ]);
    const former = await layoutDigest(layout);
    for (const version of ['latest', 'new']) await push(`oci:${layout}:${version}`, reference('ada/seventh'));
    const byDigest = reference('ada/seventh').replace(/:latest$/, `@${former}`);
    const inspect = ['inspect', '--tls-verify=false', '--creds', asAda];
    await skopeo(...inspect, byDigest);
    const repositories = await ada.rpc.containers.repositories.query();
    const { id, untagged } = repositories.find(({ name }) => name === 'ada/seventh') ?? { id: '' };
    const before = await usedBytes(world, ada);
    const went = await ada.rpc.containers.removeUntagged.mutate({ id });
    // Its layers are those of the image that stays.
    expect(went).toEqual({ manifests: 1, blobs: 1, size: untagged?.deletion.size });
    expect(before - (await usedBytes(world, ada))).toBe(went.size);
    await expect(skopeo(...inspect, byDigest)).rejects.toThrow(/unknown/);
    const back = await pull(reference('ada/seventh'), 'seventh-back', adaReads);
    expect(await layoutDigest(back)).toBe((await imageOf(ada, 'ada/seventh'))?.digest);
    await push(`oci:${layout}:latest`, reference('ada/seventh', 'former'));
    expect(await layoutDigest(await pull(reference('ada/seventh', 'former'), 'seventh-former', asAda))).toBe(
      former,
    );
  });

  test('pulls what stays when a tag is deleted in the console, and pushes again what went', async () => {
    // What the tests before have left over is not to go meanwhile.
    await age(world, 25);
    await sweep(world);
    await makeImage('sixth');
    const layout = join(folder, 'sixth');
    const more = join(folder, 'sixth-three');
    await writeFile(more, randomBytes(50_000));
    const tag = ['--image', `${layout}:latest`, '--tag', 'v2'];
    await run('umoci', ['insert', '--rootless', ...tag, more, '/three']);
    const [first, second] = [`oci:${layout}:latest`, `oci:${layout}:v2`];
    await push(first, reference('ada/sixth', 'v1'));
    await push(second, reference('ada/sixth', 'v2'));
    const before = await usedBytes(world, ada);
    const digest = (await imageOf(ada, 'ada/sixth', 'v2'))?.digest;
    await removeTag(ada, 'ada/sixth', 'v1');
    expect(await usedBytes(world, ada)).toBeLessThan(before);
    const back = await pull(reference('ada/sixth', 'v2'), 'sixth-back', adaReads);
    expect(await layoutDigest(back)).toBe(digest);
    await removeTag(ada, 'ada/sixth', 'v2');
    await age(world, 25);
    await sweep(world);
    await push(second, reference('ada/sixth', 'v2'));
    await push(first, reference('ada/sixth', 'v1'));
    expect(await usedBytes(world, ada)).toBe(before);
    const again = await pull(reference('ada/sixth', 'v2'), 'sixth-again', adaReads);
    expect(await layoutDigest(again)).toBe(digest);
  });
});
