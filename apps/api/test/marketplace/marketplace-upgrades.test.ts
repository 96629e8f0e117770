import type { Installation } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { secretsOf } from '../../src/domains/deployments/live.ts';
import { askPassword, type CatalogueItem } from '../../src/domains/marketplace/catalogue/item.ts';
import { recipe } from '../../src/domains/marketplace/catalogue/recipe.ts';
import type { Answer, Person } from '../world.ts';
import {
  belongings,
  concluded,
  createMarketplaceWorld,
  install,
  type MarketplaceWorld,
  NOTHING,
  PATIENCE,
} from './marketplace-world.ts';

const PASSWORD = 'a secret of ten';

type Row = Parameters<typeof recipe>[0];

function shop(version: string, change: Partial<Row> = {}): CatalogueItem {
  return recipe({
    ...{ id: 'shop', name: 'Shop', description: 'A shop.', category: 'Shops', version },
    ...{ runs: 'nodejs', disk: 256, memory: 128, healthPath: '/health', healthTimeout: 120 },
    questions: [askPassword('password', { label: 'Password' })],
    secrets: ['SESSION_KEY'],
    addressVariable: 'SHOP_URL',
    variables: (answer) => ({ ADMIN_PASSWORD: answer('password') }),
    firstSteps: 'Log in.',
    ...change,
  });
}

/** With a variable and a secret more. */
const NEWER = shop('1.10.0', {
  secrets: ['SESSION_KEY', 'TOKEN_KEY'],
  variables: (answer) => ({ ADMIN_PASSWORD: answer('password'), THEME: 'light' }),
});

const catalogue: CatalogueItem[] = [];

let world: MarketplaceWorld;
let ada: Person;
let count = 0;

beforeAll(async () => {
  world = await createMarketplaceWorld({ catalogue });
});

afterAll(() => world.close());

beforeEach(async () => {
  count += 1;
  ada = await world.as(`Ada${count}`);
  world.engine.outcome = undefined;
  world.engine.missing.clear();
  catalogue.splice(0, catalogue.length, shop('1.9.0'));
});

const INPUTS = { name: 'My shop', password: PASSWORD };

async function installed(): Promise<{ installation: Installation; projectId: string }> {
  const installation = await install(ada, 'shop', INPUTS);
  const projectId = installation.receipt[0]?.id ?? '';
  return { installation, projectId };
}

async function shown(): Promise<Installation | undefined> {
  return (await ada.rpc.marketplace.installations.query()).find(({ itemId }) => itemId === 'shop');
}

/** As an engine does that built them. */
async function keepReleases(projectId: string): Promise<void> {
  const { db } = world.deps;
  await db.updateTable('deployments').set({ releaseKept: true }).where('projectId', '=', projectId).execute();
}

/** What whoever watches is told of: the version that runs, and how far the upgrade is. */
function watch() {
  const told: string[] = [];
  const stream = ada.rpc.marketplace.changes.subscribe(undefined, {
    onData: ({ data: { installation } }) =>
      told.push(`${installation?.version} ${installation?.upgrade?.status}`),
  });
  return { told, end: () => stream.unsubscribe() };
}

const upgradeByRest = (person = ada): Promise<Answer> => person.rest('POST /api/marketplace/shop/upgrade');
const lastJob = () => world.engine.runs.at(-1)?.job;

describe('installing an app', () => {
  it('makes a project of its recipe with its disk, its settings, its answers and secrets', async () => {
    const { installation, projectId } = await installed();
    expect(installation).toMatchObject({
      status: 'installed',
      version: '1.9.0',
      upgrade: null,
      receipt: [{ kind: 'project', name: 'My shop', holdsData: true }],
    });
    const project = await ada.rpc.projects.get.query({ id: projectId });
    expect(project).toMatchObject({
      recipe: { id: 'shop', name: 'Shop', version: '1.9.0' },
      healthPath: '/health',
      settings: { healthTimeout: 120, processes: [{ name: 'web', memory: 128 }] },
    });
    const { disks } = await ada.rpc.disks.list.query({ id: projectId });
    expect(disks).toMatchObject([{ name: 'data', path: '/data', size: 256 }]);
    expect(lastJob()).toMatchObject({
      recipe: { id: 'shop', version: '1.9.0', folder: expect.stringMatching(/\/recipes\/shop$/) },
      variables: {
        ...{ ADMIN_PASSWORD: PASSWORD, SESSION_KEY: expect.stringMatching(/^[\w-]{43}$/) },
        SHOP_URL: project.url,
      },
      disks: [{ name: 'data' }],
      healthPath: '/health',
    });
    // The build is given none of them.
    expect(lastJob()).toMatchObject({ buildVariables: {} });
  });

  it('masks in its log what was secret of the answers, and not its name', async () => {
    const variables: Row['variables'] = (answer) => ({
      ...{ TITLE: answer('name'), ADMIN_PASSWORD: answer('password') },
    });
    catalogue.splice(0, 1, shop('1.9.0', { variables }));
    const { projectId } = await installed();
    const { latestDeployment } = await ada.rpc.projects.get.query({ id: projectId });
    const masked = await secretsOf(world.deps, latestDeployment?.id ?? '');
    expect(masked).toContain(PASSWORD);
    expect(masked).not.toContain(INPUTS.name);
  });

  it('keeps a password sealed, and only until it is used', async () => {
    world.engine.outcome = 'wait';
    await ada.rpc.marketplace.install.mutate({ id: 'shop', inputs: INPUTS });
    const { db } = world.deps;
    const row = async () =>
      db.selectFrom('installations').selectAll().where('ownerId', '=', ada.user.id).executeTakeFirstOrThrow();
    await expect.poll(async () => (await row()).receipt.length, PATIENCE).toBe(1);
    expect(await row()).toMatchObject({
      inputs: { name: 'My shop' },
      secretInputs: { password: expect.not.stringContaining(PASSWORD) },
    });
    const listed = await ada.rest('GET /api/marketplace/installations?attempts=true');
    expect(listed.text).not.toMatch(/secret|password/i);
    const [project] = await ada.rpc.projects.list.query();
    await (await world.engine.runOf(project?.latestDeployment?.id ?? '')).succeed();
    await concluded(ada, 'shop');
    expect((await row()).secretInputs).toEqual({});

    await ada.rpc.marketplace.uninstall.mutate({ id: 'shop' });
    world.engine.outcome = { status: 'failed', step: 'health', error: 'It did not answer.' };
    expect(await install(ada, 'shop', INPUTS)).toMatchObject({ status: 'failed' });
    expect((await row()).secretInputs).toEqual({});
  });

  it.each([
    ['short', 'Use at least 10 characters.'],
    ['x'.repeat(73), 'Passwords can be up to 72 characters long.'],
    ['with\na line break', 'Use letters, digits and signs of an English keyboard.'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a reference looks like
    ['${{databases.shop.url}}', "Passwords can't contain ${{."],
  ])('refuses the password %j', async (password, message) => {
    const inputs = { ...INPUTS, password };
    expect(await ada.rest('POST /api/marketplace/shop/install', { body: { inputs } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', message, fields: [{ path: 'inputs.password' }] },
    });
  });

  it('says what an app in a container needs, where apps do not run in containers', async () => {
    catalogue.splice(0, 1, shop('1.9.0', { runs: 'container' }));
    const { container } = world.engine;
    const reason = 'Set DEPLOY_RUNTIME=docker to run containers.';
    world.engine.container = { available: false, reason };
    try {
      const answer = await ada.rest('POST /api/marketplace/shop/install', { body: { inputs: INPUTS } });
      expect(answer).toMatchObject({ status: 503, body: { message: reason } });
    } finally {
      world.engine.container = container;
    }
    const { projectId } = await installed();
    const { settings } = await ada.rpc.projects.get.query({ id: projectId });
    expect(settings.builder).toBe('dockerfile');
  });

  it('takes the disk with the project, or leaves both', async () => {
    await installed();
    await ada.rpc.marketplace.uninstall.mutate({ id: 'shop', keepData: true });
    const [kept, ...others] = (await belongings(ada)).project;
    expect(others).toEqual([]);
    await installed();
    await ada.rpc.marketplace.uninstall.mutate({ id: 'shop' });
    expect((await belongings(ada)).project).toEqual([kept]);
    await ada.rpc.projects.remove.mutate({ id: kept?.id ?? '' });
    expect(await belongings(ada)).toEqual(NOTHING);
  });
});

const OLD =
  "Shop 1.9.0 can't be built any more, since the marketplace has 1.10.0. Upgrade it under Marketplace if it is still installed there; a restart applies changed variables.";

describe('deploying an app', () => {
  it('builds the version of the catalogue alone, with its disks saved', async () => {
    const { projectId } = await installed();
    const { id } = await ada.rpc.deployments.create.mutate({ id: projectId });
    const { job } = await world.engine.runOf(id);
    expect(job).toMatchObject({ recipe: { version: '1.9.0' }, savesDisks: true });
    await expect
      .poll(async () => (await ada.rpc.projects.get.query({ id: projectId })).liveDeploymentId, PATIENCE)
      .toBe(id);
    await keepReleases(projectId);
    catalogue.splice(0, 1, NEWER);
    const answer = await ada.rest(`POST /api/projects/${projectId}/deployments`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'OLD_VERSION', message: OLD } });
    await expect(ada.rpc.deployments.create.mutate({ id: projectId })).rejects.toThrow(OLD);
    const { id: restarted } = await ada.rpc.deployments.restartApp.mutate({ id: projectId });
    expect((await world.engine.runOf(restarted)).job).toMatchObject({ rollbackOf: id, savesDisks: false });
  });

  it('does not build what was queued before the catalogue had a newer version', async () => {
    const { projectId } = await installed();
    world.engine.outcome = 'wait';
    const first = await ada.rpc.deployments.create.mutate({ id: projectId });
    const run = await world.engine.runOf(first.id);
    const second = await ada.rpc.deployments.create.mutate({ id: projectId });
    catalogue.splice(0, 1, NEWER);
    await run.succeed();
    await expect
      .poll(() => ada.rpc.deployments.get.query({ id: second.id }), PATIENCE)
      .toMatchObject({ status: 'failed', step: 'clone', error: OLD });
    expect(world.engine.runs.map(({ job }) => job.deploymentId)).not.toContain(second.id);
    expect(await ada.rpc.projects.get.query({ id: projectId })).toMatchObject({ liveDeploymentId: first.id });
  });

  it('builds what is in a repository of one’s own in its place', async () => {
    const { projectId } = await installed();
    catalogue.splice(0, 1, NEWER);
    await ada.rpc.projects.update.mutate({ id: projectId, repositoryUrl: 'https://example.com/shop.git' });
    const { id } = await ada.rpc.deployments.create.mutate({ id: projectId });
    expect((await world.engine.runOf(id)).job).toMatchObject({ recipe: null, savesDisks: false });
  });
});

describe('an app that was uninstalled, with its data kept', () => {
  it('is built in its version for as long as the marketplace has that, apart from a new installation', async () => {
    const { projectId } = await installed();
    await ada.rpc.marketplace.uninstall.mutate({ id: 'shop', keepData: true });
    const { id } = await ada.rpc.deployments.create.mutate({ id: projectId });
    const { job } = await world.engine.runOf(id);
    expect(job).toMatchObject({ recipe: { version: '1.9.0' }, savesDisks: true });
    await expect
      .poll(async () => (await ada.rpc.projects.get.query({ id: projectId })).liveDeploymentId, PATIENCE)
      .toBe(id);
    catalogue.splice(0, 1, NEWER);
    await expect(ada.rpc.deployments.create.mutate({ id: projectId })).rejects.toThrow(OLD);
    const other = await installed();
    expect(other.projectId).not.toBe(projectId);
    expect(await ada.rpc.marketplace.installations.query()).toMatchObject([{ upgrade: null }]);
    for (const project of [projectId, other.projectId]) await ada.rpc.projects.remove.mutate({ id: project });
  });
});

describe('upgrading an app', () => {
  it('offers what is newer, deploys it with its disks saved, and is told of each change', async () => {
    const { projectId } = await installed();
    const before = lastJob()?.variables;
    catalogue.splice(0, 1, NEWER);
    expect((await shown())?.upgrade).toEqual({
      version: '1.10.0',
      changes: [
        'Shop 1.9.0 is replaced by 1.10.0.',
        'New environment variables: THEME, TOKEN_KEY.',
        'The disk "data" (256 MB) is backed up first.',
        'The app is offline while its disk is backed up and the new version starts.',
        'If 1.10.0 fails its health check, 1.9.0 comes back by itself, with its data as it was.',
      ],
      deploymentId: null,
      status: null,
      error: null,
    });
    const { told, end } = watch();
    await expect.poll(() => told, PATIENCE).toEqual(['1.9.0 null']);

    world.engine.outcome = 'wait';
    const answer = await upgradeByRest();
    expect(answer).toMatchObject({ status: 200, body: { version: '1.9.0', upgrade: { status: 'queued' } } });
    const { deploymentId } = (answer.body as Installation).upgrade ?? {};
    const run = await world.engine.runOf(deploymentId ?? '');
    expect(run.job).toMatchObject({
      recipe: { id: 'shop', version: '1.10.0' },
      savesDisks: true,
      variables: { ...before, THEME: 'light', TOKEN_KEY: expect.stringMatching(/^[\w-]{43}$/) },
    });
    expect(await shown()).toMatchObject({
      version: '1.9.0',
      upgrade: { version: '1.10.0', deploymentId, status: 'building' },
    });
    await run.succeed();
    await expect.poll(shown, PATIENCE).toMatchObject({ version: '1.10.0', upgrade: null });
    await expect.poll(() => told.at(-1), PATIENCE).toBe('1.10.0 undefined');
    end();
    expect(told).toContain('1.9.0 building');
    const project = await ada.rpc.projects.get.query({ id: projectId });
    expect(project.recipe).toEqual({ id: 'shop', name: 'Shop', version: '1.10.0' });
  });

  it('says why it failed, runs the former version on, and can be tried again', async () => {
    await installed();
    catalogue.splice(0, 1, NEWER);
    world.engine.outcome = { status: 'failed', step: 'health', error: 'It did not answer.' };
    const { upgrade } = await ada.rpc.marketplace.upgrade.mutate({ id: 'shop' });
    await expect.poll(async () => (await shown())?.upgrade?.status, PATIENCE).toBe('failed');
    expect(await shown()).toMatchObject({
      version: '1.9.0',
      upgrade: { version: '1.10.0', deploymentId: upgrade?.deploymentId, error: 'It did not answer.' },
    });
    world.engine.outcome = undefined;
    await ada.rpc.marketplace.upgrade.mutate({ id: 'shop' });
    await expect.poll(shown, PATIENCE).toMatchObject({ version: '1.10.0', upgrade: null });
  });

  it('is not what is offered of a version that ran, and was rolled back from', async () => {
    const { projectId } = await installed();
    const [first] = await ada.rpc.deployments.list.query({ id: projectId });
    await keepReleases(projectId);
    catalogue.splice(0, 1, NEWER);
    world.engine.outcome = { status: 'failed', step: 'health', error: 'It did not answer.' };
    await ada.rpc.marketplace.upgrade.mutate({ id: 'shop' });
    await expect.poll(async () => (await shown())?.upgrade?.status, PATIENCE).toBe('failed');
    world.engine.outcome = undefined;
    await ada.rpc.marketplace.upgrade.mutate({ id: 'shop' });
    await expect.poll(shown, PATIENCE).toMatchObject({ version: '1.10.0', upgrade: null });
    const watched = watch();
    await expect.poll(() => watched.told, PATIENCE).toEqual(['1.10.0 undefined']);
    const { id } = await ada.rpc.deployments.rollback.mutate({ id: first?.id ?? '' });
    const { job } = await world.engine.runOf(id);
    expect(job).toMatchObject({ recipe: { version: '1.9.0' }, rollbackOf: first?.id, savesDisks: true });
    await expect.poll(() => watched.told.at(-1), PATIENCE).toBe('1.9.0 null');
    watched.end();
    const { id: restarted } = await ada.rpc.deployments.restartApp.mutate({ id: projectId });
    expect((await world.engine.runOf(restarted)).job.savesDisks).toBe(false);
  });

  it('tells whoever watches that its project is gone', async () => {
    const { projectId } = await installed();
    catalogue.splice(0, 1, NEWER);
    world.engine.outcome = 'wait';
    await ada.rpc.marketplace.upgrade.mutate({ id: 'shop' });
    const watched = watch();
    await expect.poll(() => watched.told.at(-1), PATIENCE).toMatch(/^1\.9\.0 (queued|building)$/);
    await ada.rpc.projects.remove.mutate({ id: projectId });
    await expect.poll(() => watched.told.at(-1), PATIENCE).toBe('1.9.0 undefined');
    watched.end();
  });

  it('brings the settings and the address that the newer version needs, and takes nothing away', async () => {
    const { projectId } = await installed();
    const processes = [
      { name: 'web', command: '', instances: null, memory: 128, cpu: 50, tasks: null },
      { name: 'mail', command: 'node mail.js', instances: 1, memory: null, cpu: null, tasks: null },
    ];
    await ada.rpc.projects.update.mutate({ id: projectId, settings: { processes, healthTimeout: 400 } });
    const change = { healthPath: '/ping', memory: 256, healthTimeout: 180, port: 8080 };
    catalogue.splice(0, 1, shop('1.10.0', { ...change, addressVariable: 'PUBLIC_URL' }));
    const { changes = [] } = (await shown())?.upgrade ?? {};
    expect(changes.slice(1, 3)).toEqual([
      'New environment variables: PUBLIC_URL.',
      'New settings: health path /ping, port 8080, memory 256 MB.',
    ]);
    await ada.rpc.marketplace.upgrade.mutate({ id: 'shop' });
    await expect.poll(shown, PATIENCE).toMatchObject({ version: '1.10.0' });
    const { settings, healthPath, url } = await ada.rpc.projects.get.query({ id: projectId });
    const [web, mail] = processes;
    expect({ healthPath, ...settings }).toMatchObject({
      ...{ healthPath: '/ping', port: 8080, healthTimeout: 400, builder: 'framework' },
      processes: [{ ...web, memory: 256 }, mail],
    });
    expect(lastJob()).toMatchObject({ healthPath: '/ping', settings, variables: { PUBLIC_URL: url } });
  });

  describe('is refused', () => {
    async function refused(status: number, code: string, message: RegExp): Promise<void> {
      const answer = await upgradeByRest();
      expect(answer).toMatchObject({ status, body: { code } });
      expect((answer.body as { message: string }).message).toMatch(message);
      await expect(ada.rpc.marketplace.upgrade.mutate({ id: 'shop' })).rejects.toThrow(message);
    }

    it('of what is not installed, or is somebody else’s', async () => {
      await refused(404, 'NOT_INSTALLED', /^This item is not installed\.$/);
      await installed();
      catalogue.splice(0, 1, NEWER);
      const bob = await world.as(`Bob${count}`);
      expect(await upgradeByRest(bob)).toMatchObject({ status: 404, body: { code: 'NOT_INSTALLED' } });
      expect(await shown()).toMatchObject({ upgrade: { status: null } });
    });

    it('of the newest version, also where the catalogue is an older one', async () => {
      await installed();
      await refused(409, 'NEWEST_VERSION', /^Shop 1\.9\.0 is the newest version\.$/);
      catalogue.splice(0, 1, shop('1.8.0'));
      expect(await shown()).toMatchObject({ upgrade: null });
      await refused(409, 'NEWEST_VERSION', /newest version/);
    });

    it('while one is in progress', async () => {
      await installed();
      catalogue.splice(0, 1, NEWER);
      world.engine.outcome = 'wait';
      const answers = await Promise.all([upgradeByRest(), upgradeByRest()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      await refused(409, 'UPGRADE_IN_PROGRESS', /in progress/);
      const { deploymentId } = (await shown())?.upgrade ?? {};
      await (await world.engine.runOf(deploymentId ?? '')).succeed();
    });

    it('of a deleted project, and of one that is deployed from elsewhere', async () => {
      const { projectId } = await installed();
      catalogue.splice(0, 1, NEWER);
      await ada.rpc.projects.update.mutate({ id: projectId, image: 'nginx' });
      expect(await shown()).toMatchObject({ upgrade: null });
      await refused(409, 'OTHER_SOURCE', /another source/);
      await ada.rpc.projects.remove.mutate({ id: projectId });
      await refused(409, 'PROJECT_GONE', /was deleted/);
    });

    it('when the trial has ended, and where this server lacks what it takes', async () => {
      await installed();
      catalogue.splice(0, 1, NEWER);
      world.engine.missing.set('nodejs', 'npm is not installed on this server.');
      await refused(503, 'UNAVAILABLE', /npm is not installed/);
      await world.deps.db
        .updateTable('users')
        .set({ trialEndDate: sql<string>`now() - interval '1 day'` })
        .where('id', '=', ada.user.id)
        .execute();
      await refused(403, 'TRIAL_ENDED', /trial has ended/);
    });
  });
});
