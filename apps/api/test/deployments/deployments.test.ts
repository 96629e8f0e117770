import type { Deployment, Project } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAppLogs } from '../../src/domains/deployments/app-log.ts';
import { createLiveDeployments } from '../../src/domains/deployments/live.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { ScriptedEngine } from './fixtures/scripted-engine.ts';

const REPOSITORY = 'https://git.example.com/ada/app.git';
const ABSENT = '01890000-0000-7000-8000-000000000000';
const COMMIT = 'c0ffee'.padEnd(40, '0');

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterEach(async () => {
  for (const { end } of engine.runs) end({ status: 'failed', step: 'clone', error: 'The test is over.' });
  await world.deps.db.deleteFrom('projects').execute();
});

afterAll(() => world.close());

/** A project with its first deployment, whose run waits for the test. */
async function begin(input: Record<string, unknown> = {}) {
  const answer = await ada.rest('POST /api/projects', {
    body: { name: 'App', repositoryUrl: REPOSITORY, ...input },
  });
  const project = answer.body as Project;
  const id = project.latestDeployment?.id ?? '';
  return { project, id, run: await engine.runOf(id) };
}

async function deploy(projectId: string): Promise<Deployment> {
  return ada.rpc.deployments.create.mutate({ id: projectId });
}

async function statusOf(id: string): Promise<string> {
  return (await ada.rpc.deployments.get.query({ id })).status;
}

async function becomes(id: string, status: string): Promise<Deployment> {
  await expect.poll(() => statusOf(id)).toBe(status);
  return ada.rpc.deployments.get.query({ id });
}

/** A project whose release is kept and whose app runs. */
async function running() {
  const begun = await begin({ branch: 'dev', framework: 'static' });
  await begun.run.job.onProgress({
    step: 'build',
    commit: COMMIT,
    commitMessage: 'Begin',
    releaseKept: true,
  });
  await begun.run.succeed();
  return begun;
}

describe('a deployment', () => {
  test('goes from queued over building and deploying to running, and is the live one then', async () => {
    const { project, id, run } = await begin();
    expect(await becomes(id, 'building')).toMatchObject({ step: null, commit: null, finishedAt: null });
    await run.job.onProgress({ step: 'clone', commit: COMMIT, commitMessage: 'Say hello' });
    await run.job.onProgress({ status: 'deploying', step: 'start', releaseKept: true });
    expect(await ada.rpc.deployments.get.query({ id })).toMatchObject({
      status: 'deploying',
      step: 'start',
      commit: COMMIT,
      commitMessage: 'Say hello',
      releaseKept: true,
    });
    await run.succeed();
    const done = await becomes(id, 'running');
    expect(Date.parse(done.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(done.startedAt ?? ''));
    expect(await ada.rpc.projects.get.query({ id: project.id })).toMatchObject({
      liveDeploymentId: id,
      latestDeployment: { id, status: 'running' },
    });
  });

  test('that fails says at which step and why, and leaves the live one as it is', async () => {
    const { project, id } = await running();
    await ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'KEY', value: 'first-secret' });
    const next = await deploy(project.id);
    const { end } = await engine.runOf(next.id);
    end({ status: 'failed', step: 'build', error: 'Build failed: no such key as first-secret.' });
    expect(await becomes(next.id, 'failed')).toMatchObject({
      step: 'build',
      error: 'Build failed: no such key as ***.',
    });
    expect(await statusOf(id)).toBe('running');
    expect((await ada.rpc.projects.get.query({ id: project.id })).liveDeploymentId).toBe(id);
  });

  test('that builds nothing, since nothing has changed, names whose release it starts', async () => {
    const { project, id } = await running();
    const { body } = await ada.rest(`POST /api/projects/${project.id}/deployments`);
    const next = body as Deployment;
    const { job, succeed } = await engine.runOf(next.id);
    expect(job).toMatchObject({ clearCache: false, rollbackOf: null });
    await job.onProgress({ rollbackOf: id });
    await succeed();
    expect(await becomes(next.id, 'running')).toMatchObject({ kind: 'deploy', rollbackOf: id });
    const restart = await ada.rpc.deployments.restartApp.mutate({ id: project.id });
    expect((await engine.runOf(restart.id)).job.rollbackOf).toBe(id);
    engine.runs.at(-1)?.end({ status: 'cancelled' });
  });

  test('is built with nothing that others left, where that is asked for', async () => {
    const { project } = await running();
    const next = await ada.rpc.deployments.create.mutate({ id: project.id, clearCache: true });
    expect((await engine.runOf(next.id)).job.clearCache).toBe(true);
  });

  test('that runs stops the one before', async () => {
    const { project, id } = await running();
    const next = await deploy(project.id);
    await (await engine.runOf(next.id)).succeed();
    await becomes(next.id, 'running');
    expect(await statusOf(id)).toBe('stopped');
  });

  test('carries the settings as they were when it was queued', async () => {
    const { project, run } = await begin({ branch: 'one' });
    await ada.rpc.projects.update.mutate({ id: project.id, branch: 'two', healthPath: '/up' });
    const next = await deploy(project.id);
    run.end({ status: 'failed', step: 'clone', error: 'No.' });
    expect((await engine.runOf(next.id)).job).toMatchObject({ branch: 'two', healthPath: '/up' });
    expect(run.job).toMatchObject({ branch: 'one', healthPath: '' });
  });

  test('waits for another of its project, and a newer one takes its place', async () => {
    const { project, id, run } = await begin();
    const second = await ada.rpc.deployments.create.mutate({ id: project.id, clearCache: true });
    const third = await deploy(project.id);
    expect(await ada.rpc.deployments.get.query({ id: second.id })).toMatchObject({
      status: 'cancelled',
      error: 'Replaced by a newer deployment.',
    });
    expect(await statusOf(third.id)).toBe('queued');
    run.end({ status: 'failed', step: 'clone', error: 'No.' });
    await becomes(id, 'failed');
    const { job, succeed } = await engine.runOf(third.id);
    expect(job.clearCache).toBe(true);
    await succeed();
    await becomes(third.id, 'running');
    expect(engine.runs.some(({ job }) => job.deploymentId === second.id)).toBe(false);
  });

  test('of ten asked for at once, one is left to run', async () => {
    const { project, run } = await begin();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ada.rest(`POST /api/projects/${project.id}/deployments`)),
    );
    for (const { status } of answers) expect(status).toBe(201);
    const list = await ada.rpc.deployments.list.query({ id: project.id });
    expect(list.filter(({ status }) => status === 'queued')).toEqual([list[0]]);
    expect(list.filter(({ status }) => status === 'cancelled')).toHaveLength(9);
    run.end({ status: 'cancelled' });
  });

  test('needs a repository', async () => {
    const { id } = await ada.rpc.projects.create.mutate({ name: 'Empty' });
    expect(await ada.rest(`POST /api/projects/${id}/deployments`)).toMatchObject({
      status: 422,
      body: { code: 'NO_REPOSITORY', message: expect.stringContaining('no source') },
    });
  });

  test('lists newest first, by pages', async () => {
    const { project, id } = await begin();
    const [second, third] = [await deploy(project.id), await deploy(project.id)];
    const ids = [third.id, second.id, id];
    expect((await ada.rpc.deployments.list.query({ id: project.id })).map((d) => d.id)).toEqual(ids);
    const page = await ada.rest(`GET /api/projects/${project.id}/deployments?limit=2`);
    expect((page.body as Deployment[]).map((d) => d.id)).toEqual(ids.slice(0, 2));
    const rest = await ada.rest(`GET /api/projects/${project.id}/deployments?cursor=${second.id}`);
    expect((rest.body as Deployment[]).map((d) => d.id)).toEqual([id]);
  });
});

describe('cancelling', () => {
  test('a queued one ends it at once, and it never begins', async () => {
    const { project, run } = await begin();
    const queued = await deploy(project.id);
    expect(await ada.rest(`POST /api/deployments/${queued.id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', error: 'Cancelled.' },
    });
    await run.succeed();
    const last = await deploy(project.id);
    await (await engine.runOf(last.id)).succeed();
    expect(engine.runs.some(({ job }) => job.deploymentId === queued.id)).toBe(false);
  });

  test('one under way tells its runner, and the live one stays', async () => {
    const { project, id } = await running();
    const next = await deploy(project.id);
    const run = await engine.runOf(next.id);
    await run.job.onProgress({ step: 'switch', releaseKept: true });
    await ada.rpc.deployments.cancel.mutate({ id: next.id });
    // The engine has deleted what did not come to run, so nobody is to be offered a way back to it.
    expect(await becomes(next.id, 'cancelled')).toMatchObject({ error: 'Cancelled.', releaseKept: false });
    expect(run.signal.aborted).toBe(true);
    expect(await statusOf(id)).toBe('running');
  });

  test('just before the switch keeps the new version from taking over', async () => {
    const { project, id, run } = await begin();
    await world.deps.db
      .updateTable('deployments')
      .set({ cancelRequested: true })
      .where('id', '=', id)
      .execute();
    await expect(run.job.onSwitch()).rejects.toThrow('not ours any more');
    expect((await ada.rpc.projects.get.query({ id: project.id })).liveDeploymentId).toBeNull();
  });

  test('one that has finished is refused', async () => {
    const { id } = await running();
    expect(await ada.rest(`POST /api/deployments/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_CANCELLABLE' },
    });
  });
});

describe('rolling back', () => {
  test('starts a kept release again with its settings and commit', async () => {
    const { project, id } = await running();
    await ada.rpc.projects.update.mutate({ id: project.id, branch: 'other', framework: 'nodejs' });
    await (await engine.runOf((await deploy(project.id)).id)).succeed();
    const answer = await ada.rest(`POST /api/deployments/${id}/rollback`);
    expect(answer).toMatchObject({
      status: 201,
      body: { status: 'queued', rollbackOf: id, branch: 'dev', commit: COMMIT, commitMessage: 'Begin' },
    });
    const rollback = answer.body as Deployment;
    const run = await engine.runOf(rollback.id);
    expect(run.job).toMatchObject({ rollbackOf: id, branch: 'dev', framework: 'static' });
    await run.succeed();
    await becomes(rollback.id, 'running');

    const again = await ada.rpc.deployments.rollback.mutate({ id: rollback.id });
    expect(again).toMatchObject({ rollbackOf: id });
  });

  test('to a deployment that built nothing takes its settings and variables, as its restart does', async () => {
    const { project, id } = await running();
    await ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'MODE', value: 'good' });
    await ada.rpc.projects.update.mutate({
      id: project.id,
      healthPath: '/health',
      settings: { stopTimeout: 30 },
    });
    const same = await deploy(project.id);
    const sameRun = await engine.runOf(same.id);
    await sameRun.job.onProgress({ commit: COMMIT, rollbackOf: id });
    await sameRun.succeed();
    expect(await becomes(same.id, 'running')).toMatchObject({ rollbackOf: id, releaseKept: true });

    const restart = await ada.rpc.deployments.restartApp.mutate({ id: project.id });
    const restartRun = await engine.runOf(restart.id);
    expect(restartRun.job).toMatchObject({ rollbackOf: id, healthPath: '/health' });
    restartRun.end({ status: 'failed', step: 'health', error: 'It did not answer.' });
    expect(await becomes(restart.id, 'failed')).toMatchObject({ releaseKept: false });

    await ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'MODE', value: 'bad' });
    await ada.rpc.projects.update.mutate({ id: project.id, healthPath: '', settings: { stopTimeout: 5 } });
    await (await engine.runOf((await deploy(project.id)).id)).succeed();
    const answer = await ada.rest(`POST /api/deployments/${same.id}/rollback`);
    expect(answer).toMatchObject({ status: 201, body: { rollbackOf: id, commit: COMMIT } });
    expect((await engine.runOf((answer.body as Deployment).id)).job).toMatchObject({
      ...{
        rollbackOf: id,
        healthPath: '/health',
        settings: { stopTimeout: 30 },
        variables: { MODE: 'good' },
      },
    });
  });

  test('is not offered any more of what started a release that is gone, and that is told', async () => {
    const { project, id } = await running();
    const same = await deploy(project.id);
    const run = await engine.runOf(same.id);
    await run.job.onProgress({ rollbackOf: id });
    await run.succeed();
    await becomes(same.id, 'running');
    const seen: Deployment[] = [];
    const watching = ada.rpc.deployments.changes.subscribe(
      { id: project.id, lastEventId: new Date().toISOString() },
      { onData: ({ data }) => seen.push(data) },
    );
    const offered = () => seen.findLast((deployment) => deployment.id === same.id)?.releaseKept;
    await expect.poll(offered).toBe(true);
    const live = createLiveDeployments({ ...world.deps, appLogs: createAppLogs(world.deps) });
    await live.releasesRemoved([id]);
    await expect.poll(offered).toBe(false);
    watching.unsubscribe();
  });

  test('to a release that is not kept is refused', async () => {
    const { id, run } = await begin();
    const refusal = { status: 409, body: { code: 'RELEASE_GONE' } };
    expect(await ada.rest(`POST /api/deployments/${id}/rollback`)).toMatchObject(refusal);
    await run.job.onProgress({ releaseKept: true });
    await run.succeed();
    await world.deps.db.updateTable('deployments').set({ releaseKept: false }).where('id', '=', id).execute();
    expect(await ada.rest(`POST /api/deployments/${id}/rollback`)).toMatchObject(refusal);
  });
});

test('a rollback that a server of the release before queues is called one', async () => {
  const { id } = await running();
  const { rows } = await sql`
    insert into deployments (owner_id, project_id, status, repository_url, branch, framework, health_path, variables, rollback_of)
    select owner_id, project_id, 'cancelled', repository_url, branch, framework, health_path, variables, id
    from deployments where id = ${id} returning kind`.execute(world.deps.db);
  expect(rows).toEqual([{ kind: 'rollback' }]);
});

/** A running app that was stopped since. */
async function stopped() {
  const begun = await running();
  expect(await ada.rest(`POST /api/projects/${begun.project.id}/stop`)).toMatchObject({
    status: 200,
    body: { success: true },
  });
  return begun;
}

describe('starting an app', () => {
  test('brings the last release back without a build, once however often it is asked for', async () => {
    const { project, id } = await stopped();
    const answer = await ada.rest(`POST /api/projects/${project.id}/start`);
    expect(answer).toMatchObject({
      status: 201,
      body: { kind: 'start', status: 'queued', live: false, rollbackOf: id, commit: COMMIT, branch: 'dev' },
    });
    const started = answer.body as Deployment;
    const again = await ada.rest(`POST /api/projects/${project.id}/start`);
    expect(again).toMatchObject({ status: 200, body: { id: started.id } });
    const run = await engine.runOf(started.id);
    expect(run.job).toMatchObject({ rollbackOf: id });
    await run.succeed();
    await becomes(started.id, 'running');
    expect(await ada.rpc.deployments.startApp.mutate({ id: project.id })).toMatchObject({
      id: started.id,
      live: true,
    });
    expect(await ada.rpc.deployments.list.query({ id: project.id })).toHaveLength(2);
  });

  test('that crashed starts the release that crashed', async () => {
    const { project, id } = await running();
    await world.deps.db.updateTable('deployments').set({ step: 'switch' }).where('id', '=', id).execute();
    await createLiveDeployments({ ...world.deps, appLogs: createAppLogs(world.deps) }).crashed(id, 'It did.');
    expect(await ada.rpc.projects.get.query({ id: project.id })).toMatchObject({ state: 'failed' });
    expect(await ada.rpc.deployments.startApp.mutate({ id: project.id })).toMatchObject({
      kind: 'start',
      rollbackOf: id,
    });
  });

  test('passes over a build that failed before it ever ran', async () => {
    const { project, id } = await stopped();
    const next = await ada.rpc.deployments.create.mutate({ id: project.id });
    const run = await engine.runOf(next.id);
    await run.job.onProgress({ step: 'switch', releaseKept: true });
    run.end({ status: 'failed', step: 'switch', error: 'It did not answer.' });
    expect(await becomes(next.id, 'failed')).toMatchObject({ step: 'switch', releaseKept: false });
    expect(await ada.rpc.deployments.startApp.mutate({ id: project.id })).toMatchObject({
      kind: 'start',
      rollbackOf: id,
    });
  });

  test('deploys where no release is kept, or none ever ran', async () => {
    const { project, id } = await stopped();
    await world.deps.db.updateTable('deployments').set({ releaseKept: false }).where('id', '=', id).execute();
    const built = await ada.rpc.deployments.startApp.mutate({ id: project.id });
    expect(built).toMatchObject({ kind: 'deploy', rollbackOf: null, commit: null });
    await ada.rpc.deployments.cancel.mutate({ id: built.id });

    const other = await ada.rpc.projects.create.mutate({ name: 'Fresh' });
    expect(await ada.rest(`POST /api/projects/${other.id}/start`)).toMatchObject({
      status: 422,
      body: { code: 'NO_REPOSITORY', message: expect.stringContaining('no source') },
    });
    await ada.rpc.projects.update.mutate({ id: other.id, repositoryUrl: REPOSITORY });
    const first = await ada.rpc.deployments.startApp.mutate({ id: other.id });
    expect(first).toMatchObject({ kind: 'deploy', status: 'queued' });
    expect(await ada.rest(`POST /api/projects/${other.id}/start`)).toMatchObject({
      status: 200,
      body: { id: first.id },
    });
  });

  test('does not take a deployment that was told to give up for one that will run', async () => {
    const { project, id, run } = await begin();
    await run.job.onProgress({ step: 'build' });
    await world.deps.db
      .updateTable('deployments')
      .set({ cancelRequested: true })
      .where('id', '=', id)
      .execute();
    const next = await ada.rpc.deployments.startApp.mutate({ id: project.id });
    expect(next.id).not.toBe(id);
    run.end({ status: 'cancelled' });
  });
});

describe('restarting an app', () => {
  test('starts the running release anew, and the old instance serves until it answers', async () => {
    const { project, id } = await running();
    const answer = await ada.rest(`POST /api/projects/${project.id}/restart`);
    expect(answer).toMatchObject({ status: 201, body: { kind: 'restart', rollbackOf: id, commit: COMMIT } });
    const restart = answer.body as Deployment;
    const again = await ada.rest(`POST /api/projects/${project.id}/restart`);
    expect(again).toMatchObject({ status: 200, body: { id: restart.id } });
    const run = await engine.runOf(restart.id);
    expect(run.job).toMatchObject({ rollbackOf: id, branch: 'dev' });
    expect(await ada.rpc.deployments.get.query({ id })).toMatchObject({ status: 'running', live: true });
    await run.succeed();
    expect(await becomes(restart.id, 'running')).toMatchObject({ live: true });
    expect(await ada.rpc.deployments.get.query({ id })).toMatchObject({ status: 'stopped', live: false });
    expect(await ada.rpc.deployments.restartApp.mutate({ id: project.id })).toMatchObject({ rollbackOf: id });
  });

  test('is refused for one that does not run, and while another version is on its way', async () => {
    const { project } = await running();
    await deploy(project.id);
    expect(await ada.rest(`POST /api/projects/${project.id}/restart`)).toMatchObject({
      status: 409,
      body: {
        code: 'DEPLOYMENT_IN_PROGRESS',
        message: 'A deployment is in progress. Cancel it or wait for it to finish, then restart.',
      },
    });
    await ada.rpc.deployments.stopApp.mutate({ id: project.id });
    expect(await ada.rest(`POST /api/projects/${project.id}/restart`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_RUNNING', message: "This app isn't running. Start it instead." },
    });
  });

  test('that the server dies over runs once more', async () => {
    const { project, id } = await running();
    const { id: restart } = await ada.rpc.deployments.restartApp.mutate({ id: project.id });
    const first = await engine.runOf(restart);
    // What a killed server leaves: begun, and nobody at it. Its job comes back when its lease is over.
    first.end({ status: 'interrupted' });
    await (await engine.runOf(restart, 2)).succeed();
    expect(await becomes(restart, 'running')).toMatchObject({ kind: 'restart', rollbackOf: id, live: true });
  });
});

describe('stopping an app', () => {
  test('takes it down for good, with what would have started it again, and may be repeated', async () => {
    const { project, id } = await running();
    const building = await deploy(project.id);
    const run = await engine.runOf(building.id);
    const queued = await deploy(project.id);
    const stop = `POST /api/projects/${project.id}/stop`;
    expect(await ada.rest(stop)).toMatchObject({ status: 200, body: { success: true } });
    await engine.told(engine.stopped, project.id);
    await becomes(building.id, 'cancelled');
    expect(run.signal.aborted).toBe(true);
    await expect(run.job.onSwitch()).rejects.toThrow('not ours any more');
    expect(await statusOf(queued.id)).toBe('cancelled');
    expect(await ada.rpc.deployments.get.query({ id })).toMatchObject({
      status: 'stopped',
      live: false,
      releaseKept: true,
    });
    expect(await ada.rpc.projects.get.query({ id: project.id })).toMatchObject({
      state: 'stopped',
      liveDeploymentId: null,
    });
    expect(await ada.rest(stop)).toMatchObject({ status: 200, body: { success: true } });
    const live = createLiveDeployments({ ...world.deps, appLogs: createAppLogs(world.deps) });
    expect(await live.all()).toEqual([]);
    expect(await live.absence(project.slug)).toBe('stopped');
  });
});

describe('every moment', () => {
  /** What cannot be true at once of a project and its deployments. */
  function contradictionsIn(list: readonly Deployment[]): string[] {
    return list.flatMap(({ id, status, live }) =>
      (status === 'running') === live ? [] : [`${id} is ${status} and ${live ? '' : 'not '}live`],
    );
  }

  test('says of one deployment at most that it runs, and that it is the live one', async () => {
    const { project, id } = await running();
    const faults = new Set<string>();
    let moments = 0;
    let over = false;
    const judge = (list: readonly Deployment[]) => {
      moments += 1;
      for (const fault of contradictionsIn(list)) faults.add(fault);
      if (list.filter(({ live }) => live).length > 1) faults.add('two are live');
    };
    const looking = (async () => {
      while (!over) {
        judge(await ada.rpc.deployments.list.query({ id: project.id }));
        const [shown] = await ada.rpc.projects.list.query();
        if ((shown?.state === 'running') !== (shown?.liveDeploymentId !== null)) faults.add('card: state');
        if (
          shown?.latestDeployment?.status === 'running' &&
          shown.latestDeployment.id !== shown.liveDeploymentId
        )
          faults.add('card: newest');
      }
    })();
    let followed = new Map<string, Deployment>();
    let moment = new Map(followed);
    const seen: string[] = [];
    const watching = ada.rpc.deployments.changes.subscribe(
      { id: project.id },
      {
        onData: ({ data: { more, ...deployment } }) => {
          moment.set(deployment.id, deployment);
          if (more) return;
          followed = moment;
          moment = new Map(followed);
          judge([...followed.values()]);
          seen.push(`${deployment.id} ${deployment.status}`);
        },
      },
    );
    const shows = (deployment: string, status: string) =>
      expect.poll(() => followed.get(deployment)?.status).toBe(status);

    for (let round = 0; round < 3; round += 1) {
      const { id: next } = await deploy(project.id);
      await (await engine.runOf(next)).succeed();
      await shows(next, 'running');
      const { id: back } = await ada.rpc.deployments.rollback.mutate({ id });
      await (await engine.runOf(back)).succeed();
      await shows(back, 'running');
      await shows(next, 'stopped');
      await createLiveDeployments({ ...world.deps, appLogs: createAppLogs(world.deps) }).crashed(
        back,
        'It did.',
      );
      await shows(back, 'failed');
      const { id: started } = await ada.rpc.deployments.rollback.mutate({ id });
      await (await engine.runOf(started)).succeed();
      await shows(started, 'running');
      await ada.rpc.deployments.stopApp.mutate({ id: project.id });
      await shows(started, 'stopped');
    }
    over = true;
    await looking;
    watching.unsubscribe();
    expect([...faults]).toEqual([]);
    expect(moments).toBeGreaterThan(30);
  });
});

describe('stopping', () => {
  test('one deployment ends the live app, once', async () => {
    const { project, id } = await running();
    expect(await ada.rest(`POST /api/deployments/${id}/stop`)).toMatchObject({
      status: 200,
      body: { status: 'stopped' },
    });
    await engine.told(engine.stopped, project.id);
    expect((await ada.rpc.projects.get.query({ id: project.id })).liveDeploymentId).toBeNull();
    expect(await ada.rest(`POST /api/deployments/${id}/stop`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_RUNNING' },
    });
  });

  test('one that does not run yet is refused', async () => {
    const { id } = await begin();
    expect(await ada.rest(`POST /api/deployments/${id}/stop`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_RUNNING', message: "This deployment isn't running." },
    });
  });
});

describe('the variables of a deployment', () => {
  test('are those of the time it was queued, also after a change and for a rollback', async () => {
    const { project, id, run } = await begin();
    await run.job.onProgress({ releaseKept: true });
    await run.succeed();
    await becomes(id, 'running');
    expect(run.job.variables).toEqual({});

    await ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'MODE', value: 'one' });
    const second = await deploy(project.id);
    await ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'MODE', value: 'two' });
    const secondRun = await engine.runOf(second.id);
    expect(secondRun.job.variables).toEqual({ MODE: 'one' });
    await secondRun.job.onProgress({ releaseKept: true });
    await secondRun.succeed();
    await becomes(second.id, 'running');

    const third = await deploy(project.id);
    const thirdRun = await engine.runOf(third.id);
    expect(thirdRun.job.variables).toEqual({ MODE: 'two' });
    await thirdRun.succeed();
    await becomes(third.id, 'running');

    const rollback = await ada.rpc.deployments.rollback.mutate({ id: second.id });
    expect((await engine.runOf(rollback.id)).job.variables).toEqual({ MODE: 'one' });
    const live = createLiveDeployments({ ...world.deps, appLogs: createAppLogs(world.deps) });
    expect(await live.all()).toMatchObject([{ deploymentId: third.id, variables: { MODE: 'two' } }]);
  });
});

test('a restart and a start take the present variables, and mask those of the build as well', async () => {
  const { project, id, run } = await begin();
  await run.job.onProgress({ releaseKept: true });
  await run.succeed();
  await becomes(id, 'running');
  const values = ['first-secret', 'second-secret', 'third-secret'];
  const set = (value = '') => ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'KEY', value });
  await set(values[0]);
  const built = await deploy(project.id);
  const builtRun = await engine.runOf(built.id);
  await builtRun.job.onProgress({ releaseKept: true });
  await builtRun.succeed();
  await becomes(built.id, 'running');

  await set(values[1]);
  const restart = (await ada.rest(`POST /api/projects/${project.id}/restart`)).body as Deployment;
  const restartRun = await engine.runOf(restart.id);
  expect(restartRun.job.variables).toEqual({ KEY: values[1] });
  restartRun.log.write('stdout', `${values.join(' ')}\n`);
  await restartRun.succeed();
  await becomes(restart.id, 'running');
  expect((await ada.rest(`GET /api/deployments/${restart.id}/log`)).text).toBe('*** *** third-secret\n');

  await set(values[2]);
  await ada.rpc.deployments.stopApp.mutate({ id: project.id });
  const start = await ada.rpc.deployments.startApp.mutate({ id: project.id });
  const startRun = await engine.runOf(start.id);
  expect(startRun.job.variables).toEqual({ KEY: values[2] });
  await startRun.succeed();
  const rollback = await ada.rpc.deployments.rollback.mutate({ id: built.id });
  expect((await engine.runOf(rollback.id)).job.variables).toEqual({ KEY: values[0] });
});

describe('a server that died', () => {
  /** What a killed process leaves: a build that was begun so many times, and nobody at it. */
  async function leftBehind(attempts: number): Promise<Deployment> {
    const { id: projectId } = await ada.rpc.projects.create.mutate({ name: 'Left' });
    const { id } = await world.deps.db
      .insertInto('deployments')
      .values({
        projectId,
        ownerId: ada.user.id,
        repositoryUrl: REPOSITORY,
        branch: 'main',
        framework: 'nodejs',
        healthPath: '',
        variables: JSON.stringify({}),
        status: 'building',
        attempts,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return ada.rpc.deployments.get.query({ id });
  }

  async function jobComesBack({ id, projectId }: Deployment): Promise<void> {
    await world.deps.domains.deployments.queue.deploy(world.deps.db, { projectId, deploymentId: id });
  }

  test('has its build run once more, which says so in the log', async () => {
    const deployment = await leftBehind(1);
    // It had found a release to start again, which this run does not find.
    const { db } = world.deps;
    await db
      .updateTable('deployments')
      .set({ rollbackOf: deployment.id })
      .where('id', '=', deployment.id)
      .execute();
    await jobComesBack(deployment);
    await (await engine.runOf(deployment.id)).succeed();
    expect(await becomes(deployment.id, 'running')).toMatchObject({ rollbackOf: null });
    const log = await ada.rest(`GET /api/deployments/${deployment.id}/log`);
    expect(log.text).toBe('The server stopped during the deployment. Retrying.\n');
  });

  test('fails a build that it has begun twice', async () => {
    const deployment = await leftBehind(2);
    await jobComesBack(deployment);
    expect(await becomes(deployment.id, 'failed')).toMatchObject({
      error: 'The server stopped during the deployment.',
      finishedAt: expect.any(String),
    });
    expect(engine.runs.some(({ job }) => job.deploymentId === deployment.id)).toBe(false);
  });

  test('leaves no deployment unfinished whose job is gone', async () => {
    const { id } = await leftBehind(0);
    await (await engine.runOf(id)).succeed();
    await becomes(id, 'running');
  });

  test('cannot write any more when it wakes up and another has begun the build anew', async () => {
    const { id, run } = await begin();
    await world.deps.db.updateTable('deployments').set({ attempts: 2 }).where('id', '=', id).execute();
    await expect(run.job.onProgress({ step: 'build' })).rejects.toThrow('not ours any more');
    await expect(run.job.onSwitch()).rejects.toThrow('not ours any more');
    run.end({ status: 'failed', step: 'build', error: 'No.' });
    const next = await begin({ name: 'Other' });
    expect(await statusOf(id)).toBe('building');
    next.run.end({ status: 'cancelled' });
  });
});

describe('a server that stops in order', () => {
  test('interrupts a build, which does not count, and the next one takes it up', async () => {
    const before = new ScriptedEngine();
    const first = await createWorld({ overrides: { engine: before }, running: true });
    const eve = await first.as('Eve');
    const project = await eve.rpc.projects.create.mutate({ name: 'App', repositoryUrl: REPOSITORY });
    const id = project.latestDeployment?.id ?? '';
    const interrupted = await before.runOf(id);
    interrupted.log.write('stdout', 'half of it\n');
    const stopped = performance.now();
    await first.deps.end();
    expect(performance.now() - stopped).toBeLessThan(5000);
    expect(interrupted.signal.aborted).toBe(true);
    expect(await eve.rpc.deployments.get.query({ id })).toMatchObject({ status: 'queued', error: null });

    const after = new ScriptedEngine();
    const second = await createWorld({
      overrides: { engine: after },
      running: true,
      databaseUrl: first.databaseUrl,
    });
    await (await after.runOf(id)).succeed();
    expect(await eve.rpc.deployments.get.query({ id })).toMatchObject({ status: 'running' });
    expect((await eve.rest(`GET /api/deployments/${id}/log`)).text).toBe('half of it\n');
    await second.close();
    await first.close();
  });
});

describe('a database that drops every connection', () => {
  test('neither fails a build, nor loses its log, nor ends its cancelling', async () => {
    const { id, run } = await begin();
    const dropAll = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(world.deps.db);
    await dropAll();
    run.log.write('stdout', 'meanwhile\n');
    await run.job.onProgress({ step: 'install' });
    await dropAll();
    await ada.rpc.deployments.cancel.mutate({ id });
    expect(await becomes(id, 'cancelled')).toMatchObject({ step: 'install' });
    expect((await ada.rest(`GET /api/deployments/${id}/log`)).text).toBe('meanwhile\n');
  });
});

describe('someone who may not', () => {
  const routesOf = (id: string): string[] => [
    `GET /api/deployments/${id}`,
    `GET /api/deployments/${id}/log`,
    `POST /api/deployments/${id}/cancel`,
    `POST /api/deployments/${id}/rollback`,
    `POST /api/deployments/${id}/stop`,
  ];

  test('signed out, is told so', async () => {
    for (const route of routesOf(ABSENT)) {
      expect(await world.anyone.rest(route)).toMatchObject({
        status: 401,
        body: { message: 'Unauthorized' },
      });
    }
  });

  test("gets for another's deployment the very answer of one that is not there, and changes nothing", async () => {
    const { id } = await running();
    for (const [i, route] of routesOf(id).entries()) {
      const foreign = await bob.rest(route);
      const absent = await bob.rest(routesOf(ABSENT)[i] ?? '');
      expect({ status: foreign.status, ...(foreign.body as object), requestId: '' }).toEqual({
        status: 404,
        ...(absent.body as object),
        requestId: '',
      });
    }
    expect(await statusOf(id)).toBe('running');
  });

  test.each(['get', 'cancel', 'rollback', 'stop'])('is refused by %s through tRPC too', async (procedure) => {
    const { id } = await running();
    const answer =
      procedure === 'get'
        ? await bob.rest(`GET /trpc/deployments.get?input=${encodeURIComponent(JSON.stringify({ id }))}`)
        : await bob.rest(`POST /trpc/deployments.${procedure}`, { body: { id } });
    expect(answer).toMatchObject({ status: 404, body: { error: { data: { reason: 'NOT_FOUND' } } } });
  });
});

describe('the changes of a project', () => {
  test('come as they happen, beginning with what is unfinished, for its owner only', async () => {
    const { project, id, run } = await begin();
    const seen: Deployment[] = [];
    const watching = ada.rpc.deployments.changes.subscribe(
      { id: project.id },
      { onData: ({ data }) => seen.push(data) },
    );
    const states = () => seen.filter((deployment) => deployment.id === id).map(({ status }) => status);
    await expect.poll(states).toContain('building');
    await run.job.onProgress({ status: 'deploying', step: 'start' });
    await expect.poll(states).toContain('deploying');
    await run.succeed();
    await expect.poll(states).toContain('running');
    watching.unsubscribe();

    const refused = Promise.withResolvers<unknown>();
    const foreign = bob.rpc.deployments.changes.subscribe({ id: project.id }, { onError: refused.resolve });
    expect(await refused.promise).toMatchObject({ data: { reason: 'NOT_FOUND' } });
    foreign.unsubscribe();
  });

  test('that happened while a reader was away come when it returns', async () => {
    const { project, id, run } = await begin();
    const lastEventId = new Date().toISOString();
    run.end({ status: 'failed', step: 'clone', error: 'No.' });
    await becomes(id, 'failed');
    const first = Promise.withResolvers<Deployment>();
    const watching = ada.rpc.deployments.changes.subscribe(
      { id: project.id, lastEventId },
      { onData: ({ data }) => first.resolve(data) },
    );
    expect(await first.promise).toMatchObject({ id, status: 'failed' });
    watching.unsubscribe();
  });
});
