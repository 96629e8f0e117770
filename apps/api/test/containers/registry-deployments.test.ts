import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Project } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { adoptHost } from '../../src/domains/containers/own-host.ts';
import { createRegistryTokens } from '../../src/domains/containers/registry/registry-token.ts';
import { imageOfRelease } from '../../src/domains/deployments/prepare-image.ts';
import { removeProjects } from '../deployments/fixtures/remove-projects.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { install } from '../marketplace/marketplace-world.ts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';
import { imageOf } from './container-images.ts';
import { type Call, makeToken, pushImage, putManifest, registryClient } from './registry-client.ts';
import { age, makeIndex, pushMade, sweep } from './registry-space-world.ts';
import { newImage } from './registry-untagged-world.ts';

const HAS_SKOPEO = requireTool('skopeo');
const NO = { status: 'failed', step: 'pull', error: 'No.' } as const;

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let asAda: Call;
let host: string;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
  asAda = registryClient({ url: world.url, username: 'ada', password: (await makeToken(ada)).token });
  host = world.deps.settings.publicUrl.host;
});
afterEach(async () => {
  engine.container = { available: true, reason: '' };
  await removeProjects(world, engine);
});
afterAll(() => world.close());

const newName = () => `ada/${randomUUID()}`;

/** A project whose first deployment has ended. */
async function projectOf(image: string, name = 'Shop', person = ada): Promise<Project> {
  const project = await person.rpc.projects.create.mutate({ name, image: `${host}/${image}` });
  await endOf(project);
  return project;
}

async function endOf({ latestDeployment }: Pick<Project, 'latestDeployment'>): Promise<void> {
  (await engine.runOf(latestDeployment?.id ?? '')).end(NO);
}

const deploymentsOf = ({ id }: Pick<Project, 'id'>) => ada.rpc.deployments.list.query({ id });

/** Deploys the project as it is, and has it pull an image and run. */
async function run({ id }: Pick<Project, 'id'>, imageDigest: string): Promise<string> {
  const deployment = await ada.rpc.deployments.create.mutate({ id });
  const { job, succeed } = await engine.runOf(deployment.id);
  await job.onProgress({ status: 'building', step: 'pull', imageDigest, releaseKept: true });
  await succeed();
  return deployment.id;
}

describe('a push', () => {
  test('is taken though what it deploys cannot be recorded, which the project is told', async () => {
    const { db } = world.deps;
    const name = newName();
    await pushImage(asAda, name);
    const shop = await projectOf(`${name}:latest`);
    await sql`alter table unsealed_records add constraint unwritable check (record ->> 'via' <> 'hook') not valid`.execute(
      db,
    );
    const { digest } = await pushImage(asAda, name);
    await sql`alter table unsealed_records drop constraint unwritable`.execute(db);
    expect((await asAda('GET', `/v2/${name}/manifests/${digest}`)).status).toBe(200);
    expect(await deploymentsOf(shop)).toHaveLength(1);
    const events = await db
      .selectFrom('projectEvents')
      .selectAll()
      .where('projectId', '=', shop.id)
      .execute();
    expect(events.at(-1)).toMatchObject({
      message: expect.stringContaining('not deployed: something went wrong'),
    });
  });
});

describe('a release', () => {
  test('is pulled by other machines by its digest, with a log-in for that image alone', async () => {
    const tokens = createRegistryTokens(world.deps);
    const imageOf = (deploymentId: string) =>
      imageOfRelease({ ...world.deps, tokens }, { deploymentId, rollbackOf: null });
    const name = newName();
    const { digest } = await pushImage(asAda, name);
    const shop = await projectOf(`${name}:latest`);
    const release = await imageOf(await run(shop, digest));
    expect(release?.reference).toMatch(new RegExp(`^${host}/${name}(:latest)?@${digest}$`));
    const login = registryClient({ url: world.url, ...release?.credentials });
    expect((await login('GET', `/v2/${name}/manifests/${digest}`)).status).toBe(200);
    const other = newName();
    await pushImage(asAda, other);
    expect((await login('GET', `/v2/${other}/manifests/latest`)).status).toBe(401);

    const repositoryUrl = 'https://git.example.com/shop.git';
    const built = await ada.rpc.projects.create.mutate({ name: 'Built', repositoryUrl });
    await endOf(built);
    expect(await imageOf(await run(built, digest))).toMatchObject({
      reference: `${host}/ada/${built.slug}:latest@${digest}`,
    });
    expect(await imageOf(randomUUID())).toBeNull();
  });
});

test('images of this registry stay its own when it gets another address', async () => {
  const name = newName();
  const { digest } = await pushImage(asAda, name);
  const shop = await projectOf(name);
  const foreign = 'registry.example.com/shop:1';
  const other = await ada.rpc.projects.create.mutate({ name: 'Other', image: foreign });
  await endOf(other);
  const deploymentId = await run(shop, digest);
  const moved = await createWorld({
    ...{ databaseUrl: world.databaseUrl, overrides: { engine: new ScriptedEngine() } },
  });
  try {
    const address = moved.deps.settings.publicUrl.host;
    expect(address).not.toBe(host);
    const there = callerOf(moved.url, ada.cookie);
    expect(await there.rpc.projects.get.query({ id: shop.id })).toMatchObject({
      image: `${address}/${name}:latest`,
    });
    expect(await there.rpc.projects.get.query({ id: other.id })).toMatchObject({ image: foreign });
    const tokens = createRegistryTokens(moved.deps);
    expect(await imageOfRelease({ ...moved.deps, tokens }, { deploymentId, rollbackOf: null })).toEqual({
      reference: `${address}/${name}:latest@${digest}`,
      credentials: expect.objectContaining({ username: 'ada' }),
    });
    const image = await imageOf(ada, name);
    expect(await there.rest(`DELETE /api/containers/${image.id}`)).toMatchObject({
      ...{ status: 409, body: { code: 'IN_USE' } },
    });
  } finally {
    await moved.close();
    await adoptHost(world.deps.db, world.deps.settings);
  }
  expect(await ada.rpc.projects.get.query({ id: shop.id })).toMatchObject({
    image: `${host}/${name}:latest`,
  });
});

describe('a push', () => {
  test('deploys the projects of that tag, once per image, and says so', async () => {
    const name = newName();
    const shop = await projectOf(`${name}:latest`);
    const twin = await projectOf(name, 'Twin');
    const others = [await projectOf(`${name}:v2`, 'Tag'), await projectOf(newName(), 'Name')];
    const { digest, content } = await pushImage(asAda, name);
    const cause = `Pushed ${name}:latest`;
    for (const project of [shop, twin]) {
      const [deployment, ...first] = await deploymentsOf(project);
      expect(first).toHaveLength(1);
      expect(deployment).toMatchObject({ cause, kind: 'deploy', image: shop.image });
      const { end } = await engine.runOf(deployment?.id ?? '');
      end(NO);
      await expect
        .poll(() => ada.rpc.deployments.logTail.query({ id: deployment?.id ?? '' }))
        .toMatchObject({ text: expect.stringContaining(`${cause}.`) });
    }
    // The same image again changes nothing.
    expect((await putManifest(asAda, name, 'latest', content)).status).toBe(201);
    expect((await putManifest(asAda, name, digest, content)).status).toBe(201);
    expect(await deploymentsOf(shop)).toHaveLength(2);
    for (const project of others) expect(await deploymentsOf(project)).toHaveLength(1);
    await pushImage(asAda, name);
    expect(await deploymentsOf(shop)).toHaveLength(3);
  });

  test.skipIf(!HAS_SKOPEO)('is that of any client', async () => {
    const [from, name] = [newName(), newName()];
    const { digest } = await pushImage(asAda, from);
    const shop = await projectOf(`${name}:v2`);
    const { host: address } = new URL(world.url);
    const credentials = `ada:${(await makeToken(ada)).token}`;
    await promisify(execFile)('skopeo', [
      ...[
        '--insecure-policy',
        'copy',
        '--preserve-digests',
        '--src-tls-verify=false',
        '--dest-tls-verify=false',
      ],
      ...['--src-creds', credentials, '--dest-creds', credentials],
      ...[`docker://${address}/${from}:latest`, `docker://${address}/${name}:v2`],
    ]);
    expect(await imageOf(ada, name, 'v2')).toMatchObject({ digest });
    expect((await deploymentsOf(shop))[0]).toMatchObject({ cause: `Pushed ${name}:v2` });
  });

  test('deploys no project that is pinned to a digest, nor one of somebody else', async () => {
    const bob = await world.as(`Bob${randomUUID().slice(0, 8)}`);
    const name = newName();
    const { digest } = await pushImage(asAda, name);
    await ada.rpc.containers.update.mutate({ id: (await imageOf(ada, name)).id, isPublic: true });
    const pinned = await projectOf(`${name}:latest@${digest}`);
    const theirs = await projectOf(name, 'Theirs', bob);
    await pushImage(asAda, name);
    expect(await deploymentsOf(pinned)).toHaveLength(1);
    expect(await bob.rpc.deployments.list.query({ id: theirs.id })).toHaveLength(1);
  });

  test('is taken where the deployment is refused, which the events tell', async () => {
    const name = newName();
    const shop = await projectOf(name);
    engine.container = { available: false, reason: 'The daemon is away.' };
    await pushImage(asAda, name);
    expect(await deploymentsOf(shop)).toHaveLength(1);
    expect((await ada.rpc.observability.events.query({ id: shop.id }))[0]).toMatchObject({
      kind: 'deploy-failed',
      message: `Pushed ${name}:latest, which was not deployed: The daemon is away.`,
    });
    expect(await imageOf(ada, name)).toMatchObject({ digest: expect.any(String) });
  });

  test('deploys the others where one project has a fault, or none until Docker is back', async () => {
    const name = newName();
    const broken = await projectOf(name, 'Broken');
    const shop = await projectOf(name);
    const queued = await ada.rpc.deployments.create.mutate({ id: broken.id });
    const fault = vi.spyOn(engine, 'containers').mockImplementationOnce(() => {
      throw new Error('a fault');
    });
    await pushImage(asAda, name);
    expect(fault).toHaveBeenCalled();
    expect(await deploymentsOf(shop)).toHaveLength(2);
    expect((await deploymentsOf(broken))[0]).toMatchObject({
      id: queued.id,
      status: expect.not.stringMatching('cancelled'),
    });
    const newest = async () => (await ada.rpc.observability.events.query({ id: broken.id }))[0]?.message;
    expect(await newest()).toMatch(
      /^Pushed .*, which was not deployed: something went wrong on the server\./,
    );
    engine.container = { available: false, reason: "Docker doesn't respond." };
    world.deps.settings.deployRuntime = 'docker';
    await pushImage(asAda, name).finally(() => {
      world.deps.settings.deployRuntime = 'process';
    });
    expect(await newest()).toMatch(/: Docker doesn't respond\. Deploy it when Docker is back\.$/);
    for (const project of [broken, shop]) await endOf(await ada.rpc.projects.get.query({ id: project.id }));
  });

  test('that is refused queues nothing', async () => {
    const name = newName();
    const shop = await projectOf(name);
    const made = newImage();
    const lost = await putManifest(asAda, name, 'latest', made.content.toString());
    expect(lost.status).toBe(400);
    expect(await deploymentsOf(shop)).toHaveLength(1);
  });
});

describe('kept because', () => {
  const REMEDY = ' Change its image or delete the project first.';
  const reasonOf = (message: string) => {
    expect(message).toContain(REMEDY);
    return message.replace(REMEDY, '');
  };
  const refusedByConsole = async (name: string, tag = 'latest') => {
    const { id } = await imageOf(ada, name, tag);
    const answer = await ada.rest(`DELETE /api/containers/${id}`);
    await expect(ada.rpc.containers.remove.mutate({ id })).rejects.toMatchObject({
      data: { httpStatus: answer.status },
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'IN_USE' } });
    return reasonOf((answer.body as { message: string }).message);
  };
  const refusedByClient = async (name: string, reference: string) => {
    const answer = await asAda('DELETE', `/v2/${name}/manifests/${reference}`);
    expect(answer).toMatchObject({ status: 403 });
    const { errors } = answer.json() as { errors: { code: string; message: string }[] };
    expect(errors).toMatchObject([{ code: 'DENIED' }]);
    return reasonOf(errors[0]?.message ?? '');
  };
  const removed = async (name: string, reference: string) =>
    expect((await asAda('DELETE', `/v2/${name}/manifests/${reference}`)).status).toBe(202);

  test('a project is deployed from it: neither its tag nor its digest goes', async () => {
    const name = newName();
    const { digest, layer } = await pushImage(asAda, name);
    const free = await pushImage(asAda, name, { tag: 'free' });
    const shop = await projectOf(name);
    const sentence = 'Kept because the project Shop is deployed from this image.';
    const { tags } = await ada.rpc.containers.get.query({ id: (await imageOf(ada, name, 'free')).id });
    expect(Object.fromEntries(tags.map(({ tag, keptBecause }) => [tag, keptBecause]))).toEqual({
      latest: sentence,
      free: '',
    });
    expect(await refusedByConsole(name)).toBe(sentence);
    expect(await refusedByClient(name, 'latest')).toBe(sentence);
    expect(await refusedByClient(name, digest)).toBe(sentence);
    const removeBlob = (blob: string) => asAda('DELETE', `/v2/${name}/blobs/${blob}`);
    expect((await removeBlob(layer.digest)).json()).toMatchObject({
      errors: [{ code: 'DENIED', message: `${sentence}${REMEDY}` }],
    });
    expect((await removeBlob(free.layer.digest)).status).toBe(202);
    await removed(name, 'free');
    await ada.rpc.projects.update.mutate({ id: shop.id, image: `${host}/${name}@${digest}` });
    // Its digest is what it needs by now, and the tag is the last thing that names it.
    expect(await refusedByConsole(name)).toBe(sentence);
    expect(await refusedByClient(name, digest)).toBe(sentence);
    await ada.rpc.projects.update.mutate({ id: shop.id, image: '' });
    await ada.rpc.containers.remove.mutate({ id: (await imageOf(ada, name)).id });
  });

  test('a release runs it, or can be rolled back to, until it is gone', async () => {
    const name = newName();
    const first = await pushImage(asAda, name);
    const shop = await projectOf(name);
    const former = await run(shop, first.digest);
    const second = await pushImage(asAda, name);
    await endOf(await ada.rpc.projects.get.query({ id: shop.id }));
    await run(shop, second.digest);
    const rollsBack = 'Kept because the project Shop can roll back to this image.';
    const [untagged] = await ada.rpc.containers.untagged.query({ id: await repositoryIdOf(name) });
    expect(untagged).toMatchObject({ digest: first.digest, keptBecause: rollsBack, isRecent: false });
    const route = `DELETE /api/registry/untagged/${untagged?.id}`;
    expect(await ada.rest(route)).toMatchObject({ status: 409, body: { message: `${rollsBack}${REMEDY}` } });
    expect(await refusedByClient(name, first.digest)).toBe(rollsBack);
    // Neither all that is untagged nor a sweep takes it.
    const all = await ada.rpc.containers.repository.query({ id: await repositoryIdOf(name) });
    expect(all.untagged).toMatchObject({ images: 1, recent: 0, needed: 1, deletion: { manifests: 0 } });
    expect(await ada.rpc.containers.removeUntagged.mutate({ id: all.id })).toMatchObject({ manifests: 0 });
    await age(world, 48);
    await sweep(world);
    for (const blob of [first.layer, first.config]) {
      expect((await asAda('HEAD', `/v2/${name}/blobs/${blob.digest}`)).status).toBe(200);
    }
    await ada.rpc.projects.update.mutate({ id: shop.id, image: '' });
    expect(await refusedByConsole(name)).toBe('Kept because the project Shop is running this image.');
    await ada.rpc.projects.update.mutate({ id: shop.id, name: 'Renamed' });
    expect(await refusedByClient(name, 'latest')).toBe(
      'Kept because the project Renamed is running this image.',
    );
    await world.deps.db
      .updateTable('deployments')
      .set({ releaseKept: false })
      .where('id', '=', former)
      .execute();
    await removed(name, first.digest);
    await ada.rpc.projects.remove.mutate({ id: shop.id });
    await removed(name, second.digest);
  });

  test('what was built for a project is needed in the repository of its name alone', async () => {
    const project = await ada.rpc.projects.create.mutate({ name: 'Built', template: 'node-api' });
    await endOf(project);
    const name = `ada/${project.slug}`;
    const built = newImage();
    await pushMade(asAda, name, built, project.id);
    await run(project, built.digest);
    expect(await refusedByConsole(name, project.id)).toBe(
      'Kept because the project Built is running this image.',
    );
    const copy = newName();
    await pushMade(asAda, copy, built, 'latest');
    await removed(copy, built.digest);
  });

  test('what was built for a project goes with it, but for what another is deployed from', async () => {
    const project = await ada.rpc.projects.create.mutate({ name: 'Gone', template: 'node-api' });
    await endOf(project);
    const name = `ada/${project.slug}`;
    const [running, used] = [newImage(), newImage()];
    const failed = await ada.rpc.deployments.create.mutate({ id: project.id });
    (await engine.runOf(failed.id)).end(NO);
    await pushMade(asAda, name, used, failed.id);
    await pushMade(asAda, name, running, await run(project, running.digest));
    await pushMade(asAda, name, newImage(), 'mine');
    const other = await projectOf(`${name}:${failed.id}`, 'Other');
    await ada.rpc.projects.remove.mutate({ id: project.id });
    const tags = async () => (await ada.rpc.containers.list.query({ search: name })).map(({ tag }) => tag);
    expect((await tags()).toSorted()).toEqual([failed.id, 'mine'].toSorted());
    await ada.rpc.projects.remove.mutate({ id: other.id });
  });

  test('what a deployment stored that was cut short goes before it stores another', async () => {
    const project = await ada.rpc.projects.create.mutate({ name: 'Cut', template: 'node-api' });
    const { id = '' } = project.latestDeployment ?? {};
    const { job, end } = await engine.runOf(id);
    const name = `ada/${project.slug}`;
    const [cut, whole] = [newImage(), newImage()];
    await job.imageTarget();
    await pushMade(asAda, name, cut, id);
    await job.imageTarget();
    await pushMade(asAda, name, whole, id);
    const head = async ({ digest }: { digest: string }) =>
      (await asAda('HEAD', `/v2/${name}/manifests/${digest}`)).status;
    expect([await head(cut), await head(whole)]).toEqual([404, 200]);
    end(NO);
    await endOf(project);
    await ada.rpc.projects.remove.mutate({ id: project.id });
    expect(await head(whole)).toBe(404);
  });

  test('what is below it is needed as well, and another tag lets one go', async () => {
    const name = newName();
    const child = newImage();
    const index = makeIndex([child]);
    await pushMade(asAda, name, child);
    await pushMade(asAda, name, index, 'latest');
    await pushMade(asAda, name, index, 'stable');
    await projectOf(name);
    const sentence = 'Kept because the project Shop is deployed from this image.';
    expect(await refusedByClient(name, child.digest)).toBe(sentence);
    await removed(name, 'stable');
    expect(await refusedByClient(name, 'latest')).toBe(sentence);
  });

  test("a stranger's project keeps nothing of somebody's public image", async () => {
    const bob = await world.as(`Bob${randomUUID().slice(0, 8)}`);
    const name = newName();
    await pushImage(asAda, name);
    await ada.rpc.containers.update.mutate({ id: (await imageOf(ada, name)).id, isPublic: true });
    await projectOf(name, 'Theirs', bob);
    await removed(name, 'latest');
  });

  test('uninstalling what made it is refused as well', async () => {
    const item = 'private-container-repository';
    await install(ada, item, { name: 'kept' });
    await pushImage(asAda, 'ada/kept');
    const { id } = await projectOf('ada/kept');
    const route = `DELETE /api/marketplace/${item}/uninstall`;
    expect(await ada.rest(route)).toMatchObject({
      status: 409,
      body: { message: `Kept because the project Shop is deployed from this image.${REMEDY}` },
    });
    expect(await imageOf(ada, 'ada/kept')).toMatchObject({ tag: 'latest' });
    await ada.rpc.projects.remove.mutate({ id });
    expect((await ada.rest(route)).status).toBe(200);
  });

  async function repositoryIdOf(name: string): Promise<string> {
    return (await ada.rpc.containers.get.query({ id: (await imageOf(ada, name)).id })).repositoryId;
  }
});
