import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { addressOf, ask, makeDatabase } from './database-fixtures.ts';

let world: World;
let ada: Person;
let id: string;
let owner: string;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  ({ id } = await makeDatabase(ada));
  owner = await addressOf(ada, { id });
});
afterAll(() => world.close());

const add = (name: string) => ada.rest(`POST /api/databases/${id}/extensions`, { body: { name } });
const remove = (name: string, body: object = {}) =>
  ada.rest(`POST /api/databases/${id}/extensions/${name}/remove`, { body });
const stateOf = async (name: string) =>
  (await ada.rpc.databaseExtensions.list.query({ id })).find((extension) => extension.name === name);

test('adds what its owner could add as theirs, and removes it, with what depends on it if asked', async () => {
  expect(await stateOf('citext')).toMatchObject({ isOn: false, schema: '', about: 'Text that ignores case' });
  expect(await add('citext')).toMatchObject({ status: 200 });
  expect(await add('citext')).toMatchObject({ status: 200 });
  expect(await stateOf('citext')).toMatchObject({ isOn: true, schema: 'public' });
  await ask(owner, 'create table people (name citext)');
  expect(
    await ask(
      owner,
      "select extowner::regrole = current_user::regrole from pg_extension where extname = 'citext'",
    ),
  ).toEqual([[true]]);
  const refused = await remove('citext');
  expect(refused).toMatchObject({ status: 409, body: { code: 'DEPENDED' } });
  expect(refused.body).toMatchObject({
    message: expect.stringContaining('column name of table public.people'),
  });
  expect(await remove('citext', { cascade: true })).toMatchObject({ status: 200 });
  expect(
    await ask(owner, "select count(*)::int from information_schema.columns where table_name = 'people'"),
  ).toEqual([[0]]);
});

test('makes what only an administrator can out of reach of what an owner has laid in the way', async () => {
  // Where it ran as the administrator, it would make its owner one.
  await ask(
    owner,
    `create function public.cube(double precision[], double precision[]) returns int language plpgsql as
       $$ begin execute 'alter role ' || quote_ident('${new URL(owner).username}') || ' superuser'; return 1; end $$`,
  );
  expect(await add('earthdistance')).toMatchObject({ status: 200 });
  expect(await stateOf('earthdistance')).toMatchObject({ isOn: true, schema: 'nephos_extensions' });
  expect(await stateOf('cube')).toMatchObject({ isOn: true, schema: 'nephos_extensions' });
  expect(await ask(owner, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([[false]]);
  const inSchema = ask(
    owner,
    'create function nephos_extensions.mine() returns int language sql as $$ select 1 $$',
  );
  await expect(inSchema).rejects.toMatchObject({ code: '42501' });
  const distance = `set search_path = nephos_extensions, public; select earth_distance(ll_to_earth(0, 0), ll_to_earth(0, 1)) > 1`;
  expect(
    await ask(
      owner,
      distance.split('; ')[1]?.replaceAll(/(earth_distance|ll_to_earth)/g, 'nephos_extensions.$1') ?? '',
    ),
  ).toEqual([[true]]);
  expect(await remove('earthdistance')).toMatchObject({ status: 200 });
});

test('offers nothing that leads out of the database, and says what is in the way', async () => {
  for (const name of [
    'file_fdw',
    'dblink',
    'postgres_fdw',
    'plpython3u',
    'adminpack',
    'pageinspect',
    'toString',
  ])
    expect([name, (await add(name)).status]).toEqual([name, 404]);
  const { id: other } = await makeDatabase(ada, { name: 'other' });
  await ask(await addressOf(ada, { id: other }), 'create schema nephos_extensions');
  expect(
    await ada.rest(`POST /api/databases/${other}/extensions`, { body: { name: 'pgrowlocks' } }),
  ).toMatchObject({
    status: 409,
    body: { code: 'IN_THE_WAY', message: 'The schema nephos_extensions is in the way: rename it first.' },
  });
  const bob = await world.as('Bob');
  expect(await bob.rest(`GET /api/databases/${id}/extensions`)).toMatchObject({ status: 404 });
});
