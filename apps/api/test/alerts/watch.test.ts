import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createScriptedEngine } from '../databases/scripted-database-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const mysql = createScriptedEngine('mysql');
const postgresql = createScriptedEngine('postgresql');

let world: World;
let ada: Person;

// Nothing runs by itself: what is looked for is looked for here alone.
beforeAll(async () => {
  const databaseEngines = { mysql, postgresql, mongodb: createScriptedEngine('mongodb') };
  world = await createWorld({ overrides: { databaseEngines } });
  ada = await world.as('Ada');
});
beforeEach(() => world.deps.db.deleteFrom('alerts').execute());
afterAll(() => world.close());

const open = () => ada.rpc.alerts.list.query({ view: 'open' });

describe('a database server', () => {
  const insert = (name: string, type: 'mysql' | 'postgresql') =>
    world.deps.db
      .insertInto('managedDatabases')
      .values({
        ...{ ownerId: ada.user.id, name, type, region: 'us-east-1', storageSize: 10, status: 'available' },
        ...{ engineName: `${type}_${name}`, password: Buffer.alloc(0) },
      })
      .execute();
  const watch = () => world.deps.domains.alerts.watch();

  test('is away when none of several databases is told of, twice in a row', async () => {
    for (const name of ['one', 'two']) await insert(name, 'mysql');
    await insert('three', 'postgresql');
    let answering: string[] = [];
    mysql.usage = async (name) => {
      if (!answering.includes(name)) throw new Error('No answer.');
      return { size: 1, connections: 0, connectionLimit: 20 };
    };
    // The newest alone is none of the server's trouble, and one look is not yet.
    answering = ['mysql_one'];
    await watch();
    await watch();
    answering = [];
    await watch();
    expect(await open()).toEqual([]);
    answering = ['mysql_two'];
    await watch();
    answering = [];
    await watch();
    expect(await open()).toEqual([]);
    await watch();
    expect((await open()).map(({ kind, subject }) => [kind, subject.name])).toEqual([
      ['database-unavailable', 'two'],
      ['database-unavailable', 'one'],
    ]);
    answering = ['mysql_one'];
    await watch();
    expect(await open()).toEqual([]);
  });
});
