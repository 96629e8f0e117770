import {
  DATABASE_SORTS,
  FILE_SORTS,
  IMAGE_SORTS,
  MOBILE_APP_SORTS,
  PROJECT_SORTS,
  RECORD_SORTS,
} from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

/** What a row is made of, and what it is sorted by. */
interface Made {
  name: string;
  size: number;
  /** Minutes after the first of January. */
  updated: number;
}

interface Listed {
  id: string;
}

interface List {
  domain: string;
  path: string;
  sorts: readonly string[];
  /** Puts a row into the tables. */
  add(db: Kysely<Database>, ownerId: string, row: Made): Promise<string>;
  /** What it is called in the list. */
  nameOf(row: Record<string, string>): string | undefined;
  /** What only this list has, by which a row of its name is found too. */
  alsoFound: (name: string) => string;
}

const instant = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();

function idOf<T extends { id: string }>(row: T): string {
  return row.id;
}

const LISTS: List[] = [
  {
    domain: 'projects',
    path: '/api/projects?',
    sorts: PROJECT_SORTS,
    async add(db, ownerId, { name, updated }) {
      const slug = `${Math.random().toString(36).slice(2)}`;
      const project = await db
        .insertInto('projects')
        .values({
          ...{ ownerId, name, slug, description: `What ${name} is`, repositoryUrl: '' },
          ...{ branch: 'main', framework: 'nodejs', template: null, createdAt: instant(-1) },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      // One that is older than what it is sorted by.
      for (const minutes of [updated - 10, updated]) {
        await db
          .insertInto('deployments')
          .values({
            ...{ ownerId, projectId: project.id, status: 'stopped', repositoryUrl: '', template: null },
            ...{ branch: 'main', framework: 'nodejs', healthPath: '', variables: '{}' },
            createdAt: instant(minutes),
          })
          .execute();
      }
      return project.id;
    },
    nameOf: ({ name }) => name,
    alsoFound: (name) => `what ${name} IS`,
  },
  {
    domain: 'databases',
    path: '/api/databases?',
    sorts: DATABASE_SORTS,
    add: async (db, ownerId, { name }) =>
      idOf(
        await db
          .insertInto('managedDatabases')
          .values({
            ...{ ownerId, name, type: 'postgresql', region: 'us-west-2', storageSize: 10 },
            ...{ engineName: Math.random().toString(36), password: Buffer.from('x') },
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    nameOf: ({ name }) => name,
    alsoFound: () => 'US-west',
  },
  {
    domain: 'containers',
    path: '/api/containers?',
    sorts: IMAGE_SORTS,
    async add(db, ownerId, { name, size, updated }) {
      const repositoryId = await repositoryOf(db, ownerId);
      const digest = `sha256:${size}-${Math.random()}`;
      await db
        .insertInto('containerManifests')
        .values({
          ...{ repositoryId, digest, mediaType: 'x/y', artifactType: '', content: Buffer.from('{}') },
          ...{ size: 2, annotations: '{}', imageSize: size, subject: null },
        })
        .execute();
      const image = { ownerId, repositoryId, tag: name, digest, pushedAt: instant(updated) };
      return idOf(
        await db.insertInto('containerImages').values(image).returning('id').executeTakeFirstOrThrow(),
      );
    },
    nameOf: ({ tag }) => tag,
    alsoFound: () => 'Sha256:',
  },
  {
    domain: 'storage',
    path: '/api/storage?fileData=false&',
    sorts: FILE_SORTS,
    add: async (db, ownerId, { name, size }) =>
      idOf(
        await db
          .insertInto('storedFiles')
          .values({
            ...{ ownerId, fileName: name, filePath: '/uploads/', fileSize: size, isPublic: false },
            ...{ mimeType: 'text/plain', objectKey: Math.random().toString(36), sha256: '' },
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    nameOf: ({ fileName }) => fileName,
    alsoFound: (name) => `/Uploads/${name}`,
  },
  {
    domain: 'dns',
    path: '/api/dns?',
    sorts: RECORD_SORTS,
    async add(db, ownerId, { name }) {
      const zoneId = await zoneOf(db, ownerId);
      const record = {
        ownerId,
        zoneId,
        name,
        recordType: 'TXT',
        value: `Grüße ${zoneId} ${Math.random()}`,
        ttl: 60,
      } as const;
      return idOf(await db.insertInto('dnsRecords').values(record).returning('id').executeTakeFirstOrThrow());
    },
    nameOf: ({ name }) => name,
    alsoFound: () => 'GRÜß',
  },
  {
    domain: 'mobileApps',
    path: '/api/mobile-apps?',
    sorts: MOBILE_APP_SORTS,
    add: async (db, ownerId, { name }) =>
      idOf(
        await db
          .insertInto('mobileApps')
          .values({
            ...{ ownerId, name, platform: 'both', bundleId: 'com.Example.app', version: '1.0.0' },
            ...{ buildNumber: 1, androidMinSdk: 21, androidTargetSdk: 34, iosTeamId: '' },
            ...{ deploymentMethod: 'manual', repositoryUrl: '', branch: 'main', buildConfig: null },
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    nameOf: ({ name }) => name,
    alsoFound: () => 'com.EXAMPLE',
  },
];

async function repositoryOf(db: Kysely<Database>, ownerId: string): Promise<string> {
  const found = db.selectFrom('containerRepositories').select('id').where('ownerId', '=', ownerId);
  const row =
    (await found.executeTakeFirst()) ??
    (await db
      .insertInto('containerRepositories')
      .values({ ownerId, name: `${ownerId}/shop` })
      .returning('id')
      .executeTakeFirstOrThrow());
  return row.id;
}

async function zoneOf(db: Kysely<Database>, ownerId: string): Promise<string> {
  const found = db.selectFrom('dnsZones').select('id').where('ownerId', '=', ownerId);
  const row =
    (await found.executeTakeFirst()) ??
    (await db
      .insertInto('dnsZones')
      .values({ ownerId, domain: `${ownerId}.test`, serial: 1, verifiedAt: null })
      .returning('id')
      .executeTakeFirstOrThrow());
  return row.id;
}

/** Names, sizes and instants that several rows share. */
const ROWS: Made[] = ['pear', 'apple', 'fig', 'pear', 'apple', 'kiwi', 'apple'].map((name, index) => ({
  name,
  size: [5, 9, 5, 0, 9, 7, 5][index] ?? 0,
  updated: [50, 30, 30, 70, 50, 10, 30][index] ?? 0,
}));

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(() => world.close());

/** Everyone's rows may be many: who is asked begins with none. */
async function fresh(name: string): Promise<Person> {
  people += 1;
  return world.as(`${name}${people}`);
}
let people = 0;

async function pageOf(
  person: Person,
  list: List,
  query: string,
): Promise<(Listed & Record<string, string>)[]> {
  const answer = await person.rest(`GET ${list.path}${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as (Listed & Record<string, string>)[];
}

/** All pages of two rows; `between` is called after each. */
async function allPages(person: Person, list: List, query: string, between = async () => {}) {
  const ids: string[] = [];
  for (;;) {
    const cursor = ids.length > 0 ? `&cursor=${ids.at(-1)}` : '';
    const page = await pageOf(person, list, `limit=2&${query}${cursor}`);
    ids.push(...page.map(({ id }) => id));
    if (page.length < 2) return ids;
    await between();
  }
}

/** The order as it is said in words. */
function inOrder(rows: (Made & Listed)[], sort: string): string[] {
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  const sorted = rows.toSorted((a, b) => {
    if (sort === 'oldest') return compare(a.id, b.id);
    if (sort === 'name') return compare(a.name, b.name) || compare(a.id, b.id);
    if (sort === 'size') return compare(b.size, a.size) || compare(b.id, a.id);
    if (sort === 'updated') return compare(b.updated, a.updated) || compare(b.id, a.id);
    return compare(b.id, a.id);
  });
  return sorted.map(({ id }) => id);
}

describe.each(LISTS)('the list of $domain', (list) => {
  /** Tags and names of one database or record set are unique: what repeats gets a number. */
  const named = (row: Made, index: number): Made =>
    list.domain === 'databases' || list.domain === 'containers'
      ? { ...row, name: `${row.name}${index}` }
      : row;

  async function fill(person: Person): Promise<(Made & Listed)[]> {
    const rows: (Made & Listed)[] = [];
    for (const [index, row] of ROWS.entries()) {
      const made = named(row, index);
      rows.push({ ...made, id: await list.add(world.deps.db, person.user.id, made) });
    }
    return rows;
  }

  test('has each order by pages without gaps or doubles, however many rows are added meanwhile', async () => {
    const person = await fresh('Ada');
    const rows = await fill(person);
    const procedure = (
      person.rpc as unknown as Record<string, { list: { query(input?: object): Promise<Listed[]> } }>
    )[list.domain];
    expect((await procedure?.list.query())?.map(({ id }) => id)).toEqual(inOrder(rows, 'newest'));
    for (const sort of list.sorts) {
      expect(
        (await procedure?.list.query({ sort }))?.map(({ id }) => id),
        sort,
      ).toEqual(inOrder(rows, sort));
      let added = 0;
      const seen = await allPages(person, list, `sort=${sort}`, async () => {
        // Among the first of each order, then among the last, as long as there is an end.
        if (added >= 2) return;
        added += 1;
        const row = {
          name: `${added === 1 ? 'a' : 'zz'}-${sort}`,
          size: added === 1 ? 99 : 0,
          updated: added * 40,
        };
        await list.add(world.deps.db, person.user.id, row);
      });
      expect(new Set(seen).size, sort).toBe(seen.length);
      const before = new Set(rows.map(({ id }) => id));
      expect(
        seen.filter((id) => before.has(id)),
        sort,
      ).toEqual(inOrder(rows, sort));
      // What was added would be among the rows of the next order.
      const now = await pageOf(person, list, 'sort=oldest');
      for (const { id } of now.slice(rows.length)) await remove(id);
    }
  });

  async function remove(id: string) {
    const tables = {
      projects: 'projects',
      databases: 'managedDatabases',
      containers: 'containerImages',
      storage: 'storedFiles',
      dns: 'dnsRecords',
      mobileApps: 'mobileApps',
    } as const;
    await sql`delete from ${sql.table(tables[list.domain as keyof typeof tables])} where id = ${id}`.execute(
      world.deps.db,
    );
  }

  test('is searched as it is written, whatever the case, together with an order', async () => {
    const person = await fresh('Sue');
    const names = ['100%_sure', '100-unsure', 'back\\slash', 'Äpfel', 'äpfel-two'];
    for (const name of names) await list.add(world.deps.db, person.user.id, { name, size: 1, updated: 1 });
    const found = async (search: string) => {
      const rows = await pageOf(person, list, `sort=oldest&search=${encodeURIComponent(search)}`);
      return rows.map((row) => list.nameOf(row));
    };
    expect(await found('%')).toEqual(['100%_sure']);
    expect(await found('0_')).toEqual([]);
    expect(await found('_SURE')).toEqual(['100%_sure']);
    expect(await found('\\')).toEqual(['back\\slash']);
    expect(await found('  ÄPFEL  ')).toEqual(['Äpfel', 'äpfel-two']);
    expect(await found('')).toEqual(names);
    expect(await found('nothing like it')).toEqual([]);
    expect(await found(list.alsoFound('back\\slash'))).toContain('back\\slash');
    const [first] = await pageOf(person, list, 'limit=1&sort=name&search=u');
    const rest = await pageOf(person, list, `sort=name&search=sure&cursor=${first?.id}`);
    expect(rest.map((row) => list.nameOf(row))).toEqual(['100-unsure']);
  });

  test("has nobody else's rows, and takes none of theirs as a cursor", async () => {
    const theirs = await list.add(world.deps.db, bob.user.id, { name: 'secret', size: 1, updated: 1 });
    for (const sort of list.sorts) {
      expect(await pageOf(ada, list, `sort=${sort}&search=secret`), sort).toEqual([]);
    }
    const gone = "The cursor's row no longer exists. Start again from the first page.";
    expect(await ada.rest(`GET ${list.path}sort=name&cursor=${theirs}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', message: gone, fields: [{ path: 'cursor', message: gone }] },
    });
    expect(await pageOf(ada, list, `sort=oldest&cursor=${theirs}`)).toEqual([]);
  });

  test('refuses other orders, and more than 100 characters', async () => {
    expect(await pageOf(ada, list, `search=${'x'.repeat(100)}`)).toEqual([]);
    for (const query of [
      `search=${'x'.repeat(101)}`,
      'sort=',
      'sort=colour',
      'sort=name&sort=name',
      'cursor=x',
    ]) {
      const answer = await ada.rest(`GET ${list.path}${query}`);
      expect(answer, query).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    }
    expect((await ada.rest(`GET ${list.path}sort=colour`)).text).toContain(
      `Sort must be one of ${list.sorts.join(', ')}.`,
    );
  });
});
