import { createHash } from 'node:crypto';
import { type BuildFiles, type MobileApp, mobileAppZipPath } from '@nephos/contracts';
import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const REPOSITORY = 'https://github.com/ada/app.git';
const NOT_CONFIGURED = {
  status: 409,
  body: { code: 'NOT_CONFIGURED', message: 'This app has no build configuration yet. Generate one first.' },
};

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterEach(() => world.deps.db.deleteFrom('mobileApps').execute());

afterAll(() => world.close());

const minimal = { name: 'App', bundleId: 'com.example.app' };

async function create(person: Person, input: Record<string, unknown> = {}): Promise<MobileApp> {
  const answer = await person.rest('POST /api/mobile-apps', { body: { ...minimal, ...input } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as MobileApp;
}

async function configured(person: Person, input: Record<string, unknown> = {}): Promise<MobileApp> {
  const { id } = await create(person, input);
  return person.rpc.mobileApps.generateConfig.mutate({ id });
}

async function zipOf(person: Person, id: string) {
  const response = await fetch(new URL(mobileAppZipPath(id), world.url), {
    headers: { cookie: person.cookie },
  });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** Until a statement of this database waits for a row's lock. */
async function someoneWaits(): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(world.deps.db);
    return rows[0]?.count;
  };
  await expect.poll(waiting).toBe(1);
}

describe('creating an app', () => {
  test('gives it its defaults and leaves it a draft', async () => {
    const answer = await ada.rest('POST /api/mobile-apps', {
      body: { name: '  Über App!  ', bundleId: ' com.example.app ' },
    });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'Über App!',
      platform: 'both',
      bundleId: 'com.example.app',
      version: '1.0.0',
      buildNumber: 1,
      androidMinSdk: 21,
      androidTargetSdk: 34,
      iosTeamId: '',
      deploymentMethod: 'manual',
      repositoryUrl: '',
      branch: 'main',
      buildStatus: 'draft',
      buildConfig: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(await ada.rpc.mobileApps.list.query()).toEqual([answer.body]);
  });

  test('works by either door', async () => {
    const app = await ada.rpc.mobileApps.create.mutate({
      ...minimal,
      platform: 'ios',
      iosTeamId: 'AB12CD34EF',
    });
    expect(app).toMatchObject({ platform: 'ios', iosTeamId: 'AB12CD34EF', buildStatus: 'draft' });
    expect((await ada.rest('GET /api/mobile-apps')).body).toEqual([app]);
  });

  test('takes nothing that the server decides', async () => {
    const forged = {
      id: ABSENT,
      ownerId: bob.user.id,
      buildStatus: 'configured',
      buildConfig: {},
      createdAt: 'x',
    };
    const app = await create(ada, forged);
    expect(app).toMatchObject({ buildStatus: 'draft', buildConfig: null });
    expect(app.id).not.toBe(ABSENT);
    expect(await bob.rpc.mobileApps.list.query()).toEqual([]);
  });

  test('lists the newest first, by pages', async () => {
    const names = ['One', 'Two', 'Three'];
    for (const name of names) await create(ada, { name });
    const [first, ...rest] = await ada.rpc.mobileApps.list.query({ limit: 2 });
    expect([first, ...rest].map((app) => app?.name)).toEqual(['Three', 'Two']);
    const next = await ada.rest(`GET /api/mobile-apps?limit=2&cursor=${rest[0]?.id}`);
    expect((next.body as MobileApp[]).map(({ name }) => name)).toEqual(['One']);
  });

  const long = (length: number) => `com.${'a'.repeat(length - 4)}`;
  const accepted: Record<string, unknown>[] = [
    { name: 'x'.repeat(100) },
    { name: `'"$(x)\${y} // <&> \\ 日本` },
    { bundleId: long(155) },
    { bundleId: 'a.b' },
    { platform: 'android', bundleId: 'com.example.my_app' },
    { platform: 'ios', bundleId: '1com.my-app' },
    { version: '0.0.0' },
    { version: '99999.99999.99999' },
    { buildNumber: 2_100_000_000 },
    { androidMinSdk: 16, androidTargetSdk: 16 },
    { androidMinSdk: 40, androidTargetSdk: 40 },
    { iosTeamId: '0123456789' },
    { deploymentMethod: 'local' },
    { deploymentMethod: 'github', repositoryUrl: REPOSITORY, branch: 'release/1.x' },
    { repositoryUrl: REPOSITORY },
  ];

  test.each(accepted.map((input) => [JSON.stringify(input).slice(0, 60), input] as const))(
    'accepts %s',
    async (_case, input) => {
      expect(await create(ada, input)).toMatchObject(input);
    },
  );

  const refused: [Record<string, unknown>, string][] = [
    ...[undefined, '', '  ', 'x'.repeat(101), 'a\nb', 'a\u0000b', 'a\u202eb', 'a\uffffb', 5].map(
      (name): [Record<string, unknown>, string] => [{ name }, 'name'],
    ),
    ...[
      undefined,
      '',
      'app',
      'com..app',
      '.com.app',
      'com.app.',
      'com.exämple',
      'com.a b',
      'com.a/b',
      long(156),
    ].map((bundleId): [Record<string, unknown>, string] => [{ bundleId }, 'bundleId']),
    [{ bundleId: 'com.my-app' }, 'bundleId'],
    [{ bundleId: 'com.my_app' }, 'bundleId'],
    [{ bundleId: 'com.1app' }, 'bundleId'],
    [{ platform: 'android', bundleId: 'com.my-app' }, 'bundleId'],
    [{ platform: 'android', bundleId: 'com.$app' }, 'bundleId'],
    [{ platform: 'ios', bundleId: 'com.my_app' }, 'bundleId'],
    [{ platform: 'windows' }, 'platform'],
    ...['1', '1.0', '1.0.0.0', 'v1.0.0', '1.0.0-rc', '100000.0.0', '1.0.0\n', '', 1].map(
      (version): [Record<string, unknown>, string] => [{ version }, 'version'],
    ),
    ...[0, -1, 1.5, 2_100_000_001, '1', null].map((buildNumber): [Record<string, unknown>, string] => [
      { buildNumber },
      'buildNumber',
    ]),
    [{ androidMinSdk: 15 }, 'androidMinSdk'],
    [{ androidMinSdk: 21.5 }, 'androidMinSdk'],
    [{ androidTargetSdk: 41 }, 'androidTargetSdk'],
    [{ androidMinSdk: 35, androidTargetSdk: 34 }, 'androidTargetSdk'],
    ...['ABCDE1234', 'ABCDE123456', 'abcde12345', 'ABCDE 1234', null].map(
      (iosTeamId): [Record<string, unknown>, string] => [{ iosTeamId }, 'iosTeamId'],
    ),
    [{ deploymentMethod: 'ftp' }, 'deploymentMethod'],
    [{ deploymentMethod: 'github' }, 'repositoryUrl'],
    [{ deploymentMethod: 'github', repositoryUrl: REPOSITORY, branch: '' }, 'branch'],
    [{ branch: 'a b' }, 'branch'],
    [{ repositoryUrl: 'git@github.com:ada/app.git' }, 'repositoryUrl'],
    [{ repositoryUrl: 'https://ada:secret@github.com/ada/app.git' }, 'repositoryUrl'],
    [{ repositoryUrl: `https://example.com/${'a'.repeat(2030)}` }, 'repositoryUrl'],
  ];

  test.each(refused.map(([input, field]) => [JSON.stringify(input).slice(0, 60), input, field] as const))(
    'refuses %s',
    async (_case, input, field) => {
      const answer = await ada.rest('POST /api/mobile-apps', { body: { ...minimal, ...input } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
      const { fields } = answer.body as { fields?: { path: string }[] };
      // NUL is refused before anything is read, so that no field is named.
      if (fields?.length) expect(fields.map(({ path }) => path)).toContain(field);
      expect(await ada.rpc.mobileApps.list.query()).toEqual([]);
    },
  );

  test('says what is wrong with an identifier or a missing repository', async () => {
    const answer = await ada.rest('POST /api/mobile-apps', {
      body: { name: 'App', bundleId: 'com.my_app.1', deploymentMethod: 'github' },
    });
    expect(answer.body).toMatchObject({
      fields: [
        {
          path: 'bundleId',
          message:
            'On Android, each part must start with a letter and use only letters, digits and underscores, like com.example.app.',
        },
        {
          path: 'bundleId',
          message: 'On iOS, use only letters, digits and hyphens, like com.example.app.',
        },
        { path: 'repositoryUrl', message: 'A repository URL is required to build on GitHub.' },
      ],
    });
    for (const bundleId of ['nope', 'com.', '.app']) {
      const { body } = await ada.rest('POST /api/mobile-apps', { body: { name: 'App', bundleId } });
      expect(body).toMatchObject({
        fields: [
          { path: 'bundleId', message: 'Use at least two parts separated by dots, like com.example.app.' },
        ],
      });
    }
  });

  test('holds repositories to the rule of projects', async () => {
    const careful = await createWorld({ settings: { allowPrivateRepositories: false } });
    const person = await careful.as('Careful');
    const { id } = await person.rpc.mobileApps.create.mutate(minimal);
    for (const repositoryUrl of [
      'http://example.com/app.git',
      'file:///srv/app',
      'https://example.com:8443/app',
    ]) {
      for (const route of ['POST /api/mobile-apps', `PATCH /api/mobile-apps/${id}`]) {
        const answer = await person.rest(route, { body: { ...minimal, repositoryUrl } });
        expect(answer, route).toMatchObject({ status: 400, body: { fields: [{ path: 'repositoryUrl' }] } });
      }
    }
    await careful.close();
  });
});

describe('editing an app', () => {
  const change = (id: string, body: object, person = ada) =>
    person.rest(`PATCH /api/mobile-apps/${id}`, { body });

  test('changes what is named and nothing else, by either door', async () => {
    const app = await create(ada, { platform: 'ios', iosTeamId: 'AB12CD34EF' });
    const answer = await change(app.id, { name: '  Renamed ', buildNumber: 2 });
    expect(answer).toMatchObject({ status: 200, body: { ...app, name: 'Renamed', buildNumber: 2 } });
    const changed = await ada.rpc.mobileApps.update.mutate({ id: app.id, version: '1.1.0' });
    expect(changed).toEqual({ ...app, name: 'Renamed', buildNumber: 2, version: '1.1.0' });
    expect((await change(app.id, {})).body).toEqual(changed);
    expect(await ada.rpc.mobileApps.list.query()).toEqual([changed]);
  });

  test('takes nothing that the server decides', async () => {
    const app = await create(ada);
    const forged = { ownerId: bob.user.id, buildStatus: 'configured', buildConfig: {}, createdAt: 'x' };
    expect(await change(app.id, forged)).toMatchObject({ status: 200, body: app });
    expect(await bob.rpc.mobileApps.list.query()).toEqual([]);
  });

  test('makes the files of a configured app anew, as of one that was created so', async () => {
    const settings = {
      name: 'Other',
      platform: 'android',
      bundleId: 'com.example.other',
      androidTargetSdk: 36,
    };
    const { id } = await configured(ada);
    const edited = (await change(id, settings)).body as MobileApp;
    const created = await configured(bob, settings);
    expect(edited).toEqual({ ...created, id, createdAt: edited.createdAt });
    expect(await ada.rpc.mobileApps.files.query({ id })).toEqual(
      await bob.rpc.mobileApps.files.query({ id: created.id }),
    );
  });

  test('leaves a draft a draft', async () => {
    const { id } = await create(ada);
    expect((await change(id, { name: 'Other' })).body).toMatchObject({
      buildStatus: 'draft',
      buildConfig: null,
    });
  });

  const accepted: Record<string, unknown>[] = [
    { androidMinSdk: 34 },
    { androidMinSdk: 40, androidTargetSdk: 40 },
    { deploymentMethod: 'github', repositoryUrl: REPOSITORY },
    { platform: 'ios', bundleId: '1com.my-app' },
    { iosTeamId: '' },
    { buildNumber: 2_100_000_000 },
  ];
  test.each(accepted.map((input) => [JSON.stringify(input), input] as const))(
    'accepts %s',
    async (_case, input) => {
      const { id } = await create(ada, { iosTeamId: 'AB12CD34EF' });
      expect(await change(id, input)).toMatchObject({ status: 200, body: input });
    },
  );

  const refused: [Record<string, unknown>, string, string][] = [
    [{ name: ' ' }, 'name', 'Name is required.'],
    [{ bundleId: 'app' }, 'bundleId', 'Use at least two parts separated by dots'],
    [{ bundleId: '1com.my-app' }, 'bundleId', 'On Android, each part must start with a letter'],
    [{ version: '1.0' }, 'version', 'Version must be three numbers, like 1.0.0.'],
    [{ buildNumber: 0 }, 'buildNumber', 'Build number must be a whole number from 1 to 2100000000.'],
    [{ androidMinSdk: 15 }, 'androidMinSdk', 'SDK level must be a whole number from 16 to 40.'],
    [{ androidMinSdk: 35 }, 'androidTargetSdk', "Target SDK can't be lower than the minimum SDK."],
    [{ androidTargetSdk: 20 }, 'androidTargetSdk', "Target SDK can't be lower than the minimum SDK."],
    [{ iosTeamId: 'short' }, 'iosTeamId', 'Team ID must be 10 characters: uppercase letters and digits.'],
    [{ deploymentMethod: 'github' }, 'repositoryUrl', 'A repository URL is required to build on GitHub.'],
    [{ platform: 'windows' }, 'platform', 'Platform must be one of android, ios, both.'],
    [{ branch: '' }, 'branch', ''],
  ];
  test.each(refused.map(([input, ...rest]) => [JSON.stringify(input), input, ...rest] as const))(
    'refuses %s, and changes nothing',
    async (_case, input, path, message) => {
      const app = await configured(ada);
      const answer = await change(app.id, { name: 'Other', ...input });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
      expect((answer.body as { fields: unknown }).fields).toContainEqual({
        path,
        message: expect.stringContaining(message),
      });
      expect(await ada.rpc.mobileApps.list.query()).toEqual([app]);
    },
  );

  test('judges the whole as it is once a change that is under way is done', async () => {
    const { id } = await create(ada);
    let edit: Promise<unknown> = Promise.resolve();
    await world.deps.db.transaction().execute(async (trx) => {
      await trx.updateTable('mobileApps').set({ androidTargetSdk: 30 }).where('id', '=', id).execute();
      edit = change(id, { androidMinSdk: 31 });
      await someoneWaits();
    });
    expect(await edit).toMatchObject({ status: 400, body: { fields: [{ path: 'androidTargetSdk' }] } });
  });
});

describe('generating the build configuration', () => {
  test.each([
    ['both', ['android', 'ios']],
    ['android', ['android']],
    ['ios', ['ios']],
  ])('of %s makes the files of %j', async (platform, platforms) => {
    const { id } = await create(ada, { platform });
    const answer = await ada.rest(`POST /api/mobile-apps/${id}/generate-config`);
    expect(answer).toMatchObject({ status: 200, body: { id, buildStatus: 'configured' } });
    const { buildConfig } = answer.body as MobileApp;
    expect(Object.keys(buildConfig ?? {}).sort()).toEqual(platforms);
    const texts = Object.values(buildConfig ?? {}).flatMap((files) => Object.values(files ?? {}));
    expect(texts).toHaveLength(platforms.length * 3);
    for (const text of texts) expect(text).not.toBe('');
    expect(await ada.rpc.mobileApps.list.query()).toEqual([answer.body]);
  });

  test('ignores the body and gives the same once more', async () => {
    const app = await configured(ada);
    const body = { name: 'Other', bundleId: 'com.other', buildConfig: {}, buildStatus: 'draft' };
    const again = await ada.rest(`POST /api/mobile-apps/${app.id}/generate-config`, { body });
    expect(again).toMatchObject({ status: 200, body: app });
    const typed = await ada.rest(`POST /api/mobile-apps/${app.id}/generate-config`, {
      headers: { 'content-type': 'application/json' },
    });
    expect(typed).toMatchObject({ status: 200, body: app });
  });

  test('gives the same to another app with the same settings', async () => {
    const [one, two] = [await configured(ada), await configured(bob)];
    expect(one.buildConfig).toEqual(two.buildConfig);
  });
});

describe('the files of an app', () => {
  test('are every file for its platforms, with what the stores would refuse', async () => {
    const { id, buildConfig } = await configured(ada);
    const { files, warnings } = (await ada.rest(`GET /api/mobile-apps/${id}/files`)).body as BuildFiles;
    expect(files.map(({ platform, path }) => [platform, path])).toEqual([
      ['android', 'app/build.gradle.kts'],
      ['android', 'app/src/main/AndroidManifest.xml'],
      ['android', 'docs/build-android.md'],
      ['ios', 'ios/Config/Info.plist'],
      ['ios', 'ios/Config/App.xcconfig'],
      ['ios', 'docs/build-ios.md'],
      ['ios', 'ios/ExportOptions.plist'],
      ['both', 'fastlane/Fastfile'],
      ['both', '.github/workflows/build.yml'],
    ]);
    expect(files[0]?.contents).toBe(buildConfig?.android?.gradle);
    expect(files[3]?.contents).toBe(buildConfig?.ios?.infoPlist);
    expect(await ada.rpc.mobileApps.files.query({ id })).toEqual({ files, warnings });
  });

  const warned: [Record<string, unknown>, string[]][] = [
    [{}, ['google-play-target-sdk', 'google-play-availability', 'jetpack-min-sdk', 'app-store-sdk']],
    [
      { platform: 'android', androidMinSdk: 16, androidTargetSdk: 23 },
      ['google-play-target-sdk', 'google-play-availability', 'android-15-installation', 'jetpack-min-sdk'],
    ],
    [
      { platform: 'android', androidMinSdk: 24, androidTargetSdk: 24 },
      ['google-play-target-sdk', 'google-play-availability'],
    ],
    [{ platform: 'android', androidMinSdk: 23, androidTargetSdk: 36 }, ['jetpack-min-sdk']],
    [{ platform: 'android', androidMinSdk: 24, androidTargetSdk: 35 }, ['google-play-target-sdk']],
    [{ platform: 'android', androidMinSdk: 24, androidTargetSdk: 36 }, []],
    [{ platform: 'ios' }, ['app-store-sdk']],
    [{ platform: 'ios', deploymentMethod: 'local' }, ['app-store-sdk']],
    [{ platform: 'ios', deploymentMethod: 'github', repositoryUrl: REPOSITORY }, []],
  ];

  test.each(warned.map(([input, rules]) => [JSON.stringify(input), rules, input] as const))(
    'of %s come with the warnings %j',
    async (_case, rules, input) => {
      const { id } = await configured(ada, input);
      const { warnings } = await ada.rpc.mobileApps.files.query({ id });
      expect(warnings.map(({ rule }) => rule)).toEqual(rules);
    },
  );

  test('a warning says what is asked, since when, and where that is written', async () => {
    const { id } = await configured(ada);
    const { warnings } = await ada.rpc.mobileApps.files.query({ id });
    expect(warnings[0]).toEqual({
      rule: 'google-play-target-sdk',
      platform: 'android',
      message: 'Google Play requires target SDK 36 or later for new apps and updates. This app targets 34.',
      source: 'https://support.google.com/googleplay/android-developer/answer/11926878',
      since: '2026-08-31',
      fix: { androidTargetSdk: 36 },
    });
  });

  test('fixes that are offered leave no warning that a setting can meet', async () => {
    const { id } = await configured(ada, { platform: 'android', androidMinSdk: 16, androidTargetSdk: 16 });
    const fixes = async () =>
      (await ada.rpc.mobileApps.files.query({ id })).warnings.flatMap(({ fix }) => fix ?? []);
    // With a lower target, that minimum would be refused: it is offered once the target is high enough.
    expect(await fixes()).toEqual([{ androidTargetSdk: 36 }]);
    await ada.rpc.mobileApps.update.mutate({ id, ...(await fixes())[0] });
    expect(await fixes()).toEqual([{ androidMinSdk: 24 }]);
    const app = await ada.rpc.mobileApps.update.mutate({ id, ...(await fixes())[0] });
    expect(app).toMatchObject({ androidMinSdk: 24, androidTargetSdk: 36, buildStatus: 'configured' });
    expect((await ada.rpc.mobileApps.files.query({ id })).warnings).toEqual([]);
  });

  test('come as one archive with exactly these files', async () => {
    const { id } = await configured(ada, { name: 'Wetter/Über "App"' });
    const { files } = await ada.rpc.mobileApps.files.query({ id });
    const { response, bytes } = await zipOf(ada, id);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Wetter-_ber _App_.zip"; filename*=UTF-8''Wetter-%C3%9Cber%20%22App%22.zip`,
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    const unpacked = Object.entries(unzipSync(bytes)).map(([path, content]) => [
      path,
      Buffer.from(content).toString(),
    ]);
    expect(unpacked).toEqual(files.map(({ path, contents }) => [path, contents]));
  });

  test('give an archive of the same bytes each time, in any time zone', async () => {
    const { id } = await configured(ada);
    const sha = async () =>
      createHash('sha256')
        .update((await zipOf(ada, id)).bytes)
        .digest('hex');
    const first = await sha();
    const zone = process.env.TZ;
    process.env.TZ = 'Pacific/Auckland';
    try {
      expect(new Date(0).getHours()).not.toBe(0);
      expect(await sha()).toBe(first);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test('answer HEAD without the bytes', async () => {
    const { id } = await configured(ada);
    const [head, get] = [await ada.rest(`HEAD ${mobileAppZipPath(id)}`), await zipOf(ada, id)];
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(String(get.bytes.length));
  });

  test('are not there while the app is a draft', async () => {
    const { id } = await create(ada);
    expect(await ada.rest(`GET /api/mobile-apps/${id}/files`)).toMatchObject(NOT_CONFIGURED);
    expect(await ada.rest(`GET ${mobileAppZipPath(id)}`)).toMatchObject(NOT_CONFIGURED);
  });

  test('can be read with an access token for reading, which can generate nothing', async () => {
    const { id } = await configured(ada);
    const { body } = await ada.rest('POST /api/auth/tokens', { body: { name: 'CI', scope: 'read' } });
    const headers = { authorization: `Bearer ${(body as { token: string }).token}` };
    expect((await world.anyone.rest(`GET ${mobileAppZipPath(id)}`, { headers })).status).toBe(200);
    expect((await world.anyone.rest(`GET /api/mobile-apps/${id}/files`, { headers })).status).toBe(200);
    const refused = await world.anyone.rest(`POST /api/mobile-apps/${id}/generate-config`, { headers });
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  test('can be downloaded 60 times a minute', async () => {
    const limited = await createWorld({ settings: { rateLimits: true } });
    const person = await limited.as('Busy');
    const codes = new Map<number, number>();
    for (let call = 0; call < 62; call++) {
      const { status } = await person.rest(`GET ${mobileAppZipPath(ABSENT)}`);
      codes.set(status, (codes.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(codes)).toEqual({ 404: 60, 429: 2 });
    await limited.close();
  });

  test('are described with the rest of the API', async () => {
    const { paths } = (await world.anyone.rest('GET /api/openapi.json')).body as {
      paths: Record<string, object>;
    };
    expect(paths['/api/mobile-apps/{id}/files.zip']).toHaveProperty('get.responses.409');
    expect(paths['/api/mobile-apps/{id}/files']).toHaveProperty('get');
  });
});

describe('deleting an app', () => {
  test('succeeds once', async () => {
    const { id } = await configured(ada);
    expect(await ada.rest(`DELETE /api/mobile-apps/${id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await ada.rest(`DELETE /api/mobile-apps/${id}`)).toMatchObject({ status: 404 });
    expect(await ada.rest(`GET ${mobileAppZipPath(id)}`)).toMatchObject({ status: 404 });
    expect(await ada.rpc.mobileApps.list.query()).toEqual([]);
  });

  test('waits for a generation that is under way', async () => {
    const { id } = await create(ada);
    let removal: Promise<unknown> = Promise.resolve();
    let isRemoved = false;
    await world.deps.db.transaction().execute(async (trx) => {
      await trx.selectFrom('mobileApps').select('id').where('id', '=', id).forUpdate().execute();
      removal = ada.rest(`DELETE /api/mobile-apps/${id}`).then((answer) => {
        isRemoved = true;
        return answer;
      });
      await someoneWaits();
      expect(isRemoved).toBe(false);
    });
    expect(await removal).toMatchObject({ status: 200 });
  });

  test('leaves nothing to a generation that waited for it', async () => {
    const { id } = await create(ada);
    let generation: Promise<unknown> = Promise.resolve();
    await world.deps.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('mobileApps').where('id', '=', id).execute();
      generation = ada.rest(`POST /api/mobile-apps/${id}/generate-config`);
      await someoneWaits();
    });
    expect(await generation).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test('at the same time as generations ends with nothing', async () => {
    const { id } = await create(ada);
    const generate = () => ada.rest(`POST /api/mobile-apps/${id}/generate-config`);
    const remove = () => ada.rest(`DELETE /api/mobile-apps/${id}`);
    const answers = await Promise.all([
      generate(),
      generate(),
      remove(),
      generate(),
      remove(),
      generate(),
      generate(),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 404]));
    expect([statuses[2], statuses[4]].sort()).toEqual([200, 404]);
    expect(await world.deps.db.selectFrom('mobileApps').select('id').execute()).toEqual([]);
  });
});

describe('someone who may not', () => {
  const routesOf = (id: string): [string, unknown][] => [
    ['GET /api/mobile-apps', undefined],
    ['POST /api/mobile-apps', minimal],
    [`PATCH /api/mobile-apps/${id}`, { name: 'Mine' }],
    [`POST /api/mobile-apps/${id}/generate-config`, undefined],
    [`GET /api/mobile-apps/${id}/files`, undefined],
    [`GET ${mobileAppZipPath(id)}`, undefined],
    [`DELETE /api/mobile-apps/${id}`, undefined],
  ];

  test('signed out, is told so at every address', async () => {
    for (const [route, body] of routesOf(ABSENT)) {
      const answer = await world.anyone.rest(route, { body });
      expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthorized', code: 'UNAUTHORIZED' } });
    }
  });

  test("gets for another's app the very answer of one that is not there", async () => {
    const app = await configured(ada);
    expect(await bob.rpc.mobileApps.list.query()).toEqual([]);
    const absent = routesOf(ABSENT);
    for (const [i, [route, body]] of routesOf(app.id).entries()) {
      if (!route.includes(app.id)) continue;
      const foreign = await bob.rest(route, { body });
      const missing = await bob.rest(absent[i]?.[0] ?? '', { body });
      expect(foreign.status).toBe(404);
      expect({ ...(foreign.body as object), requestId: '' }).toEqual({
        ...(missing.body as object),
        requestId: '',
      });
    }
    expect(await ada.rpc.mobileApps.list.query()).toEqual([app]);
  });

  test('with a malformed id, finds nothing', async () => {
    for (const [route] of routesOf('nonsense')) {
      if (!route.includes('nonsense')) continue;
      expect(await ada.rest(route), route).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });
});
