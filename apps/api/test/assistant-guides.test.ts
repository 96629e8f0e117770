import type { Project } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chat, converse, wordsOf } from './assistant-world.ts';
import { ScriptedEngine } from './fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from './world.ts';

/** What the product has and has not, said of the person's own things. */
interface Place {
  world: World;
  ada: Person;
  shop: Project;
}

async function placeAt(publicUrl: string): Promise<Place> {
  const settings = { publicUrl: new URL(publicUrl), appsDomain: 'apps.example.com' };
  const world = await createWorld({ overrides: { engine: new ScriptedEngine(), answerPace: 0 }, settings });
  const ada = await world.as('Ada');
  return { world, ada, shop: await ada.rpc.projects.create.mutate({ name: 'Shop', framework: 'python' }) };
}

async function ask({ world, ada }: Place, message: string, resourceScope = 'general'): Promise<string> {
  const body = { message, resourceScope };
  return wordsOf(await (await chat(world, ada, await converse(ada), body)).rest());
}

let plain: Place;
let secure: Place;

beforeAll(async () => {
  [plain, secure] = await Promise.all([
    placeAt('http://console.example.com:3000'),
    placeAt('https://console.example.com'),
  ]);
});

afterAll(() => Promise.all([plain.world.close(), secure.world.close()]));

describe('about an app, the local responder says', () => {
  test('where it answers, and by which scheme', async () => {
    expect(await ask(secure, 'what is the address of shop?')).toBe(
      '**Shop** will answer, once a deployment of it runs, at `https://shop.apps.example.com`.',
    );
    expect(await ask(secure, 'does shop have https?')).toContain(
      'So it is encrypted. The certificate is that of the proxy',
    );
    const without = await ask(plain, 'how do I get a certificate for shop?');
    expect(without).toContain('`http://shop.apps.example.com:3000`');
    expect(without).toContain('Nephos ends no TLS by itself and makes no certificates.');
    expect(without).toContain('`TRUST_PROXY`');
  });

  test('that it has no other domains, and what can stand in between', async () => {
    const answer = await ask(plain, 'how do I add a custom domain to my app?');
    expect(answer).toContain('Nephos attaches no other domains to apps');
    expect(answer).toContain(
      'proxy_pass http://<this server>:3000;\n    proxy_set_header Host shop.apps.example.com;',
    );
  });

  test('how it reads its variables, and which it has anyway', async () => {
    const answer = await ask(plain, 'which environment variables does shop have?');
    expect(answer).toContain('**Shop** has no environment variables.');
    expect(answer).toContain('`os.environ["NAME"]`');
    expect(answer).toContain('`NODE_ENV=production`');
  });

  test('that nothing is backed up by itself', async () => {
    expect(await ask(plain, 'how do I back up my app and my files?')).toContain(
      'Nephos makes no backups on its own.',
    );
  });
});

describe('about a database, the local responder says', () => {
  test.each([
    [
      'postgres',
      /psql "\$DATABASE_URL" -c "\\copy orders from 'orders\.csv' with \(format csv, header match\)"/,
    ],
    ['mysql', /csv-to-sql\.py > orders\.sql\nmysql --protocol=tcp/],
    ['mongodb', /mongoimport --uri="\$DATABASE_URL" --collection=orders --type=csv --headerline/],
  ])('how a CSV file comes into %s', async (type, command) => {
    const answer = await ask(plain, `how do I import a csv file into ${type}?`);
    expect(answer).toContain('The console has no import');
    expect(answer).toMatch(command);
  });

  test.each([
    ['postgres', 'pg_restore --clean --if-exists --no-owner --single-transaction'],
    ['mysql', '<database> < backup.sql'],
    ['mongodb', 'mongorestore'],
  ])('how %s is saved and restored', async (type, command) => {
    const answer = await ask(plain, `how do I restore ${type} from a backup?`);
    expect(answer).toContain(command);
    expect(answer).toContain('Nephos makes no backups of databases on its own');
  });

  test('that ours have no TLS', async () => {
    expect(await ask(plain, 'is my database connection encrypted?')).toContain('have no TLS');
  });
});

test('about a plan, the local responder says what it allows and what is used', async () => {
  const answer = await ask(plain, 'what does my plan allow and how much do I use?');
  expect(answer).toContain(
    '- Projects: 1 of 5\n- Files and images: **0 B** of 10 GB\n- Databases: 0 of 20, in every plan',
  );
  expect(answer).toContain('Enterprise, $299.00 a month: unlimited deployments, 1 TB');
});
