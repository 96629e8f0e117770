import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Part } from '../../src/domains/domain.ts';
import { createInstalledVersion } from '../../src/domains/installed-version/installed-version.ts';
import { checkEngines } from '../../src/platform/engine-check.ts';
import { createWorld, type Person, type World } from '../world.ts';

const SAID = 'Version 0.2.0 ended by itself. Run install.sh.';

let world: World;
let admin: Person;
let ada: Person;
let home: string;
let installed: Part;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nephos-returned-'));
  world = await createWorld();
  admin = await world.as('Admin');
  ada = await world.as('Ada');
  const settings = { ...world.deps.settings, installed: { home, releases: undefined } };
  installed = createInstalledVersion({ ...world.deps, settings });
});

afterAll(async () => {
  await world.close();
  await rm(home, { recursive: true });
});

const rollBack = () => writeFile(join(home, 'returned'), `1 3\n${SAID}\n`);
const look = async () => (await checkEngines(installed.engines?.() ?? [], world.deps.log))[0];
const toldTo = (person: Person) => person.rpc.alerts.list.query({ view: 'open' });

test('an upgrade that was rolled back is told on the admin page', async () => {
  expect(await look()).toMatchObject({ state: 'healthy', detail: 'Version 0.1.0 serves.' });
  await rollBack();
  expect(await look()).toMatchObject({
    state: 'unhealthy',
    detail: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC: Version 0\.2\.0 ended by itself\. Run/),
  });
});

test('it is told to admins alone, once, until another version serves', async () => {
  await rollBack();
  await installed.catchUp?.();
  await installed.catchUp?.();
  await installed.sweeps?.rolledBackUpgrades?.();
  expect(await toldTo(ada)).toEqual([]);
  expect(await toldTo(admin)).toEqual([
    expect.objectContaining({
      ...{ kind: 'upgrade-rolled-back', text: SAID, count: 1, path: '/admin?tab=engines' },
      subject: { kind: 'server', id: hostname(), name: hostname() },
    }),
  ]);
  await rm(join(home, 'returned'));
  await installed.sweeps?.rolledBackUpgrades?.();
  expect(await toldTo(admin)).toEqual([]);

  await rollBack();
  await installed.catchUp?.();
  expect(await toldTo(admin)).toHaveLength(1);
});
