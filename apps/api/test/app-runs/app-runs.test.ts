import type { AppRun, CronJob, Project } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const SECRETS_KEY = 'a'.repeat(64);

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let bob: Person;
/** What the clock of jobs shows. */
let now = new Date();

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({
    settings: { secretsKey: SECRETS_KEY },
    overrides: { engine, cronClock: async () => now },
    running: true,
  });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterEach(async () => {
  for (const { end } of engine.commands.runs) end({ status: 'succeeded', exitCode: 0 });
  await world.deps.db.deleteFrom('projects').execute();
  engine.commands.runs.splice(0);
  now = new Date();
});

afterAll(() => world.close());

/** A project whose app runs. */
async function running(): Promise<Project> {
  const project = (await ada.rest('POST /api/projects', { body: { name: 'Shop' } })).body as Project;
  const repositoryUrl = 'https://git.example.com/ada/shop.git';
  await ada.rpc.projects.update.mutate({ id: project.id, repositoryUrl });
  await ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'TOKEN', value: 'hush-hush-hush' });
  const url = 'postgres://shop:open%20sesame@db.example.com/shop';
  await ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'SHOP_URL', value: url });
  const { id } = await ada.rpc.deployments.create.mutate({ id: project.id });
  const run = await engine.runOf(id);
  await run.job.onProgress({ releaseKept: true });
  await run.succeed();
  return project;
}

async function jobIn(id: string, change: object = {}): Promise<CronJob> {
  return ada.rpc.appRuns.createJob.mutate({
    ...{ id, name: 'Clean up', schedule: '0 * * * *', command: 'node clean.js' },
    ...change,
  });
}

const runsOf = (id: string) => ada.rpc.appRuns.list.query({ id });
const statusesOf = async (id: string) => (await runsOf(id)).map(({ status }) => status);

async function becomes(id: string, status: string): Promise<AppRun> {
  await expect.poll(async () => (await ada.rpc.appRuns.get.query({ id })).status).toBe(status);
  return ada.rpc.appRuns.get.query({ id });
}

/** Lets the clock show so much after a job is due, and gives it its turn. */
async function turn(job: CronJob, seconds = 0, from = job.nextRunAt): Promise<void> {
  now = new Date(Date.parse(from ?? '') + seconds * 1000);
  await world.deps.domains.appRuns.scheduler.tick();
}

describe('cron jobs', () => {
  test('are made, listed, changed and deleted through either door', async () => {
    const { id } = await running();
    const body = { name: ' Nightly ', schedule: '0 3 * * *', command: 'npm run nightly' };
    const made = await ada.rest(`POST /api/projects/${id}/cron-jobs`, { body });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'Nightly', timeZone: 'UTC', timeLimit: 900, enabled: true, catchUp: false },
        ...{
          description: 'Every day at 03:00',
          nextRunAt: expect.stringMatching(/T03:00:00/),
          lastRun: null,
        },
      },
    });
    const job = made.body as CronJob;
    const off = await ada.rest(`PATCH /api/cron-jobs/${job.id}`, { body: { enabled: false } });
    expect(off.body).toMatchObject({ enabled: false, nextRunAt: null, name: 'Nightly' });
    const on = await ada.rpc.appRuns.updateJob.mutate({ id: job.id, enabled: true, schedule: '15 4 * * *' });
    expect(on).toMatchObject({
      description: 'Every day at 04:15',
      nextRunAt: expect.stringMatching(/T04:15/),
    });
    expect(await ada.rpc.appRuns.jobs.query({ id })).toEqual([on]);
    expect((await ada.rest(`DELETE /api/cron-jobs/${job.id}`)).body).toEqual({ success: true });
    expect((await ada.rest(`GET /api/projects/${id}/cron-jobs`)).body).toEqual([]);
  });

  test('refuse what cannot be read or done, at its field', async () => {
    const { id } = await running();
    const post = async (body: object) =>
      (await ada.rest(`POST /api/projects/${id}/cron-jobs`, {
        body: { name: 'A', schedule: '* * * * *', command: 'true', ...body },
      })) as { status: number; body: { fields?: { path: string; message: string }[] } };
    const said = async (body: object) => {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      return answer.body.fields?.map(({ path, message }) => `${path}: ${message}`).join();
    };
    expect(await said({ schedule: '0 3 * *' })).toMatch(/^schedule: A schedule has five fields/);
    expect(await said({ timeZone: 'Mars/Base' })).toMatch(/^timeZone: Mars\/Base is not a known time zone/);
    expect(await said({ command: ' ' })).toBe('command: Command is required.');
    expect(await said({ command: 'x'.repeat(1001) })).toMatch(/at most 1000/);
    expect(await said({ timeLimit: 0 })).toMatch(/from 1 to 86400 seconds/);
    expect(await said({ timeLimit: 86_401 })).toMatch(/from 1 to 86400 seconds/);
    expect((await post({ timeLimit: 86_400 })).status).toBe(201);
    const preview = await ada.rest('GET /api/cron-schedule?schedule=0+3+*+*+1-5&timeZone=Europe/Berlin');
    expect(preview.body).toMatchObject({ description: 'Monday to Friday at 03:00', next: { length: 3 } });
    expect((await ada.rest('GET /api/cron-schedule?schedule=nonsense')).status).toBe(400);
    const rows = Array.from({ length: 49 }, (_, index) => ({
      ...{
        ownerId: ada.user.id,
        projectId: id,
        name: `Job ${index}`,
        schedule: '* * * * *',
        timeZone: 'UTC',
      },
      ...{ command: 'true', timeLimit: 1, enabled: false, catchUp: false, nextRunAt: null },
    }));
    await world.deps.db.insertInto('cronJobs').values(rows).execute();
    expect(await post({})).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', message: 'A project can have up to 50 cron jobs.' },
    });
  });

  test('run when they are due, in the environment of the live version, and keep their output without secrets', async () => {
    const { id } = await running();
    const job = await jobIn(id, { timeLimit: 60 });
    await turn(job, -1);
    expect(await runsOf(id)).toEqual([]);
    await turn(job, 1);
    const { command, log, end } = await engine.commands.begun(1);
    expect(command).toMatchObject({
      ...{ command: 'node clean.js', timeLimit: 60_000 },
      app: { projectId: id, slug: 'shop', variables: { TOKEN: 'hush-hush-hush' } },
    });
    log.write('stdout', 'the token is hush-hush-hush, the password open sesame\n');
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ status: 'running', kind: 'cron', cause: 'schedule', jobId: job.id });
    expect(run?.scheduledFor).toBe(job.nextRunAt);
    const followed = await new Promise<string>((resolve) => {
      ada.rpc.appRuns.log.subscribe({ id: run?.id ?? '' }, { onData: ({ data }) => resolve(data.text) });
    });
    expect(followed).toBe('the token is ***, the password ***\n');
    end({ status: 'failed', exitCode: 3, error: 'The command exited with code 3.' });
    expect(await becomes(run?.id ?? '', 'failed')).toMatchObject({
      exitCode: 3,
      error: 'The command exited with code 3.',
      finishedAt: expect.any(String),
    });
    // That of the deployment may be written after it.
    const events = await ada.rpc.observability.events.query({ id });
    expect(events.find(({ kind }) => kind === 'cron-failed')).toMatchObject({
      message: 'The cron job Clean up failed. The command exited with code 3.',
      exitCode: 3,
      lastLines: followed.trim(),
    });
    const text = await ada.rest(`GET /api/runs/${run?.id}/log`);
    expect(text.text).toBe(`${followed}The command exited with code 3.\n`);
    expect((await ada.rpc.appRuns.jobs.query({ id }))[0]).toMatchObject({
      lastRun: { id: run?.id, status: 'failed' },
      nextRunAt: new Date(Date.parse(job.nextRunAt ?? '') + 3_600_000).toISOString(),
    });
  });

  test('skip a run while the one before goes on, and refuse to be run by hand', async () => {
    const { id } = await running();
    const job = await jobIn(id);
    await turn(job);
    await engine.commands.begun(1);
    await turn(job, 3600);
    const [skipped] = await runsOf(id);
    expect(skipped).toMatchObject({ status: 'skipped', error: 'The run before was still going on.' });
    expect(await ada.rest(`POST /api/cron-jobs/${job.id}/run`)).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_RUNNING', message: 'A run of this job is still going on.' },
    });
    expect(engine.commands.runs).toHaveLength(1);
  });

  test('say what was missed, and make up for the latest only where asked to', async () => {
    const { id } = await running();
    const job = await jobIn(id);
    await turn(job, 3 * 3600 + 600);
    expect(await runsOf(id)).toMatchObject([
      {
        status: 'missed',
        error: expect.stringMatching(
          /^The server was not running\. 4 runs were missed, the first at .* UTC\.$/,
        ),
        scheduledFor: new Date(Date.parse(job.nextRunAt ?? '') + 3 * 3_600_000).toISOString(),
      },
    ]);
    const other = await jobIn(id, { name: 'Report', catchUp: true });
    await turn(other, 600);
    const { end } = await engine.commands.begun(1);
    end({ status: 'succeeded', exitCode: 0 });
    const [made, missed] = await runsOf(id);
    expect(made).toMatchObject({ cause: 'catch-up', jobId: other.id, scheduledFor: other.nextRunAt });
    expect(missed).toMatchObject({ error: 'The server was not running when this run was due.' });
    expect(await becomes(made?.id ?? '', 'succeeded')).toMatchObject({ exitCode: 0, error: null });
  });

  test('fail with a reason where no version of the app runs', async () => {
    const project = (await ada.rest('POST /api/projects', { body: { name: 'New' } })).body as Project;
    const job = await jobIn(project.id);
    const run = await ada.rpc.appRuns.runJob.mutate({ id: job.id });
    expect(run).toMatchObject({ status: 'queued', cause: 'person', scheduledFor: null });
    expect(await becomes(run.id, 'failed')).toMatchObject({
      error: "The app isn't running, so the job had no environment to run in. Deploy or start the app.",
    });
  });

  test('are ended with their job, and told of as they change', async () => {
    const { id } = await running();
    const job = await jobIn(id);
    const seen: string[] = [];
    const following = ada.rpc.appRuns.changes.subscribe(
      { id },
      { onData: ({ data }) => seen.push(data.status) },
    );
    await ada.rpc.appRuns.runJob.mutate({ id: job.id });
    const { signal } = await engine.commands.begun(1);
    await expect.poll(() => seen.at(-1)).toBe('running');
    following.unsubscribe();
    await ada.rpc.appRuns.removeJob.mutate({ id: job.id });
    await expect.poll(() => signal.aborted).toBe(true);
    expect(await runsOf(id)).toEqual([]);
  });
});

describe('commands', () => {
  test('run at once and can be cancelled', async () => {
    const { id } = await running();
    const made = await ada.rest(`POST /api/projects/${id}/runs`, { body: { command: 'node migrate.js' } });
    expect(made).toMatchObject({
      status: 201,
      body: { kind: 'command', cause: 'person', status: 'queued', timeLimit: 600, jobId: null },
    });
    const run = made.body as AppRun;
    const { command } = await engine.commands.begun(1);
    expect(command.timeLimit).toBe(600_000);
    expect((await ada.rest(`POST /api/runs/${run.id}/cancel`)).status).toBe(200);
    expect(await becomes(run.id, 'cancelled')).toMatchObject({ exitCode: null, error: null });
    expect(await ada.rest(`POST /api/runs/${run.id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'NOT_CANCELLABLE' },
    });
  });

  test('run in the version that ran last where none is live, and not where there is none', async () => {
    const { id } = await running();
    await ada.rpc.projects.setVariable.mutate({ id, name: 'TOKEN', value: 'rotated-since' });
    const restart = await ada.rpc.deployments.restartApp.mutate({ id });
    await (await engine.runOf(restart.id)).succeed();
    await ada.rpc.deployments.stopApp.mutate({ id });
    await ada.rpc.appRuns.runCommand.mutate({ id, command: 'true' });
    expect((await engine.commands.begun(1)).command.app).toMatchObject({
      ...{ projectId: id, deploymentId: restart.id, variables: { TOKEN: 'rotated-since' } },
    });
    const empty = (await ada.rest('POST /api/projects', { body: { name: 'New' } })).body as Project;
    expect(
      await ada.rest(`POST /api/projects/${empty.id}/runs`, { body: { command: 'true' } }),
    ).toMatchObject({
      status: 409,
      body: { code: 'NO_RELEASE', message: 'There is no release to run it in. Deploy the app first.' },
    });
  });

  test('are three of a project at once, and take no longer than six hours', async () => {
    const { id } = await running();
    const run = (timeLimit = 60) =>
      ada.rest(`POST /api/projects/${id}/runs`, { body: { command: 'sleep 9', timeLimit } });
    expect((await run(21_601)).status).toBe(400);
    const answers = await Promise.all([run(21_600), run(), run(), run()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      message: 'A project can run 3 commands at once.',
    });
  });

  test('wait for a server that has the release, and are run by one of several', async () => {
    const { id } = await running();
    const second = new ScriptedEngine();
    Object.assign(second.commands, { instance: 'other' });
    const replica = await createWorld({
      databaseUrl: world.databaseUrl,
      settings: { secretsKey: SECRETS_KEY },
      overrides: { engine: second },
      running: true,
    });
    try {
      engine.commands.hasReleases = false;
      const { id: runId } = await ada.rpc.appRuns.runCommand.mutate({ id, command: 'true' });
      const { end } = await second.commands.begun(1);
      end({ status: 'succeeded', exitCode: 0 });
      await becomes(runId, 'succeeded');
      engine.commands.hasReleases = true;
      await Promise.all([1, 2, 3].map(() => ada.rpc.appRuns.runCommand.mutate({ id, command: 'true' })));
      const begun = () => engine.commands.runs.length + second.commands.runs.length - 1;
      await expect.poll(begun).toBe(3);
      for (const run of [...engine.commands.runs, ...second.commands.runs]) {
        run.end({ status: 'succeeded', exitCode: 0 });
      }
      await expect.poll(() => statusesOf(id)).toEqual(Array(4).fill('succeeded'));
      expect(begun()).toBe(3);
    } finally {
      engine.commands.hasReleases = true;
      await replica.close();
    }
  });

  test('have failed once their server is gone, or let its lease run out', async () => {
    const { id } = await running();
    const left = async (values: object) => {
      const { id: runId } = await world.deps.db
        .insertInto('appRuns')
        .values({
          ...{ ownerId: ada.user.id, projectId: id, kind: 'command', cause: 'person', command: 'true' },
          ...{ status: 'running', timeLimit: 60, server: 'gone', ...values },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return runId;
    };
    const runId = await left({ leaseUntil: sql`now() - interval '1 second'` });
    expect(await becomes(runId, 'failed')).toMatchObject({ error: 'The server stopped during this run.' });
  });

  test('keep their newest hundred', async () => {
    const { id } = await running();
    const row = {
      ...({
        ownerId: ada.user.id,
        projectId: id,
        kind: 'command',
        cause: 'person',
        command: 'true',
      } as const),
      ...({ status: 'succeeded', timeLimit: 60 } as const),
    };
    const add = (rows: object[]) =>
      world.deps.db
        .insertInto('appRuns')
        .values(rows.map((one) => ({ ...row, ...one })))
        .execute();
    const sweep = world.deps.domains.appRuns.sweeps?.appRuns;
    await add([{ createdAt: '2020-01-01T00:00:00Z' }]);
    await sweep?.();
    expect(await runsOf(id)).toHaveLength(1);
    await add(Array.from({ length: 99 }, () => ({})));
    await sweep?.();
    expect(await runsOf(id)).toHaveLength(99);
    await add([{}, {}]);
    await sweep?.();
    expect(await runsOf(id)).toHaveLength(100);
  });
});

test('nobody sees or runs what is not theirs', async () => {
  const { id } = await running();
  const job = await jobIn(id);
  const run = await ada.rpc.appRuns.runCommand.mutate({ id, command: 'true' });
  const calls = [
    [`GET /api/projects/${id}/cron-jobs`],
    [`POST /api/projects/${id}/cron-jobs`, { name: 'A', schedule: '* * * * *', command: 'true' }],
    [`PATCH /api/cron-jobs/${job.id}`, { name: 'B' }],
    [`POST /api/cron-jobs/${job.id}/run`],
    [`GET /api/projects/${id}/runs`],
    [`POST /api/projects/${id}/runs`, { command: 'true' }],
    [`GET /api/runs/${run.id}`],
    [`POST /api/runs/${run.id}/cancel`],
    [`GET /api/runs/${run.id}/log`],
    [`DELETE /api/cron-jobs/${job.id}`],
  ] as const;
  for (const [route, body] of calls) {
    expect([route, (await world.anyone.rest(route, { body })).status]).toEqual([route, 401]);
    expect([route, (await bob.rest(route, { body })).status]).toEqual([route, 404]);
    const absent = route.replace(id, ABSENT).replace(job.id, ABSENT).replace(run.id, ABSENT);
    expect([route, (await ada.rest(absent, { body })).status]).toEqual([route, 404]);
  }
});
