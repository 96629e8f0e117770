import { randomUUID } from 'node:crypto';
import { GB } from '@nephos/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { meterUsage } from '../src/domains/billing/metering.ts';
import { createMetering } from '../src/domains/billing/metering-pulse.ts';
import { forgetUsage, linesOf, tellTime } from './metering-world.ts';
import { createWorld, type Person, type World } from './world.ts';

const START = '2026-03-01T00:00:00.000Z';
const RUNS = Number(process.env.METERING_RUNS ?? 12);

let world: World;
let ada: Person;
let at: (seconds: number) => Promise<void>;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  at = await tellTime(world.deps.db, START);
});

afterAll(() => world.close());

/** What was there from when to when, in seconds; open at the end where `to` is absent. */
interface Span {
  type: 'deployment' | 'database' | 'storage' | 'container';
  resource: string | null;
  level: number;
  from: number;
  to?: number;
}

type Operation = { kind: Kind; wait: number; size: number; pick: number };
const KINDS = [
  'upload',
  'upload',
  'deleteFile',
  'createDatabase',
  'resizeDatabase',
  'deleteDatabase',
  'deploy',
  'stopApp',
  'deleteProject',
  'push',
  'deleteBlob',
  'startServer',
  'killServer',
  'meter',
] as const;
type Kind = (typeof KINDS)[number];

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom(...KINDS),
  // Often to the very edge of an hour.
  wait: fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constant(3600), fc.constant(0)),
  size: fc.integer({ min: 1, max: 1000 }),
  pick: fc.nat(),
});

/** The resources as the tables have them, and beside them the naive book of what was there when. */
class Model {
  now = 0;
  readonly book: Span[] = [];
  readonly up: { from: number; to?: number }[] = [];
  readonly #files: { id: string; span: Span }[] = [];
  readonly #databases: { id: string; span: Span }[] = [];
  readonly #projects: { id: string; span?: Span | undefined }[] = [];
  readonly #blobs: { digest: string; span: Span }[] = [];
  readonly #repository = randomUUID();
  #server: ReturnType<typeof createMetering> | undefined;

  #open(span: Omit<Span, 'from'>): Span {
    const opened = { ...span, from: this.now };
    this.book.push(opened);
    return opened;
  }

  async begin(): Promise<void> {
    const { db } = world.deps;
    const repository = { id: this.#repository, ownerId: ada.user.id, name: `ada/${this.#repository}` };
    await db.insertInto('containerRepositories').values(repository).execute();
  }

  async run({ kind, wait, size, pick }: Operation): Promise<void> {
    this.now += wait;
    await at(this.now);
    await this[kind](size, pick);
  }

  async upload(size: number): Promise<void> {
    const bytes = size * 7_777_777;
    const { id } = await world.deps.db
      .insertInto('storedFiles')
      .values({
        ownerId: ada.user.id,
        fileName: 'a',
        filePath: '/',
        fileSize: bytes,
        mimeType: 'text/plain',
        isPublic: false,
        objectKey: randomUUID(),
        sha256: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    this.#files.push({ id, span: this.#open({ type: 'storage', resource: null, level: bytes / GB }) });
  }

  async deleteFile(_size: number, pick: number): Promise<void> {
    const count = pick % (this.#files.length + 1);
    const gone = this.#files.splice(0, count);
    if (gone.length === 0) return;
    await world.deps.db
      .deleteFrom('storedFiles')
      .where(
        'id',
        'in',
        gone.map(({ id }) => id),
      )
      .execute();
    for (const { span } of gone) span.to = this.now;
  }

  async createDatabase(size: number): Promise<void> {
    const id = randomUUID();
    const storageSize = Math.max(size, 10);
    await world.deps.db
      .insertInto('managedDatabases')
      .values({
        id,
        ownerId: ada.user.id,
        name: id,
        type: 'postgresql',
        region: 'us-east-1',
        storageSize,
        engineName: id,
        password: Buffer.alloc(1),
      })
      .execute();
    await world.deps.db
      .updateTable('managedDatabases')
      .set({ status: 'available' })
      .where('id', '=', id)
      .execute();
    this.#databases.push({ id, span: this.#open({ type: 'database', resource: id, level: storageSize }) });
  }

  async resizeDatabase(size: number, pick: number): Promise<void> {
    const database = this.#databases[pick % Math.max(this.#databases.length, 1)];
    if (!database) return;
    const storageSize = Math.max(size, 10);
    await world.deps.db
      .updateTable('managedDatabases')
      .set({ storageSize })
      .where('id', '=', database.id)
      .execute();
    database.span.to = this.now;
    database.span = this.#open({ type: 'database', resource: database.id, level: storageSize });
  }

  async deleteDatabase(_size: number, pick: number): Promise<void> {
    const [database] = this.#databases.splice(pick % Math.max(this.#databases.length, 1), 1);
    if (!database) return;
    await world.deps.db.deleteFrom('managedDatabases').where('id', '=', database.id).execute();
    database.span.to = this.now;
  }

  /** Of a new project, or again of one that has an app already. */
  async deploy(_size: number, pick: number): Promise<void> {
    const { db } = world.deps;
    let project = this.#projects[pick % (this.#projects.length + 1)];
    if (!project) {
      project = { id: randomUUID() };
      this.#projects.push(project);
      await db
        .insertInto('projects')
        .values({
          id: project.id,
          ownerId: ada.user.id,
          name: 'p',
          description: '',
          repositoryUrl: '',
          branch: 'main',
          framework: 'static',
          slug: project.id,
        })
        .execute();
    }
    const { id } = await db
      .insertInto('deployments')
      .values({
        ownerId: ada.user.id,
        projectId: project.id,
        status: 'running',
        repositoryUrl: '',
        branch: 'main',
        framework: 'static',
        healthPath: '',
        variables: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.updateTable('projects').set({ liveDeploymentId: id }).where('id', '=', project.id).execute();
    project.span ??= this.#open({ type: 'deployment', resource: project.id, level: 1 });
  }

  #takeDown(project: { span?: Span | undefined }): void {
    if (project.span) project.span.to = this.now;
    project.span = undefined;
  }

  async stopApp(_size: number, pick: number): Promise<void> {
    const project = this.#projects[pick % Math.max(this.#projects.length, 1)];
    if (!project) return;
    await world.deps.db
      .updateTable('projects')
      .set({ liveDeploymentId: null })
      .where('id', '=', project.id)
      .execute();
    this.#takeDown(project);
  }

  async deleteProject(_size: number, pick: number): Promise<void> {
    const [project] = this.#projects.splice(pick % Math.max(this.#projects.length, 1), 1);
    if (!project) return;
    await world.deps.db.deleteFrom('projects').where('id', '=', project.id).execute();
    this.#takeDown(project);
  }

  async push(size: number): Promise<void> {
    const { db } = world.deps;
    const digest = randomUUID();
    const bytes = size * 9_999_999;
    await db.insertInto('containerBlobs').values({ digest, size: bytes }).execute();
    await db.insertInto('containerBlobLinks').values({ repositoryId: this.#repository, digest }).execute();
    const span = this.#open({ type: 'container', resource: this.#repository, level: bytes / GB });
    this.#blobs.push({ digest, span });
  }

  async deleteBlob(_size: number, pick: number): Promise<void> {
    const [blob] = this.#blobs.splice(pick % Math.max(this.#blobs.length, 1), 1);
    if (!blob) return;
    await world.deps.db.deleteFrom('containerBlobLinks').where('digest', '=', blob.digest).execute();
    blob.span.to = this.now;
  }

  async startServer(): Promise<void> {
    if (this.#server) return;
    const { db, log, engine } = world.deps;
    this.#server = createMetering({ db, log, engine, jobs: { schedule: () => {} } });
    await this.#server.start();
    this.up.push({ from: this.now });
  }

  /** Between two beats nothing is known of it: here it dies right after one. */
  async killServer(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
    const last = this.up.at(-1);
    if (last) last.to ??= this.now;
  }

  async meter(): Promise<void> {
    await (this.#server?.meter() ?? meterUsage(world.deps.db));
  }

  /** What each complete hour should have cost, second by second as anyone would add it up. */
  expected(hours: number): Map<string, number> {
    const amounts = new Map<string, number>();
    for (const { type, resource, level, from, to = Number.POSITIVE_INFINITY } of this.book) {
      const within = type === 'deployment' ? this.up : [{ from: 0 }];
      for (let hour = 0; hour < hours; hour += 1) {
        for (const window of within) {
          const begins = Math.max(from, window.from, hour * 3600);
          const ends = Math.min(to, 'to' in window ? (window.to ?? Infinity) : Infinity, (hour + 1) * 3600);
          if (ends <= begins) continue;
          const key = `${type} ${resource} ${hour}`;
          amounts.set(key, (amounts.get(key) ?? 0) + (level * (ends - begins)) / 3600);
        }
      }
    }
    return amounts;
  }

  async end(): Promise<void> {
    await this.killServer();
    await forgetUsage(world.deps.db, START);
  }
}

test('each hour costs what a naive book of the same operations says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
      const model = new Model();
      await model.begin();
      try {
        for (const each of operations) await model.run(each);
        await model.run({ kind: 'meter', wait: 3600 + 121, size: 1, pick: 0 });
        const hours = Math.floor((model.now - 120) / 3600);
        const expected = model.expected(hours);
        const found = await linesOf(world.deps.db, START);
        const keys = found.map(({ type, resource, hour }) => `${type} ${resource} ${hour}`);
        expect(keys.toSorted()).toEqual([...expected.keys()].toSorted());
        for (const [index, { amount }] of found.entries()) {
          expect(amount).toBeCloseTo(expected.get(keys[index] ?? '') ?? Number.NaN, 6);
        }
      } finally {
        await model.end();
      }
    }),
    { numRuns: RUNS },
  );
}, 120_000);
