import { randomUUID } from 'node:crypto';
import { GB } from '@nephos/contracts';
import fc from 'fast-check';
import { meterUsage } from '../../src/domains/metering/meter-usage.ts';
import { createMetering } from '../../src/domains/metering/metering.ts';
import type { World } from '../world.ts';
import { addDatabase, addFile, addProject, forgetUsage } from './metering-world.ts';

/** The full hour at which every history begins. */
export const MODEL_START = '2026-03-01T00:00:00.000Z';

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

export const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom(...KINDS),
  // Often to the very edge of an hour.
  wait: fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constant(3600), fc.constant(0)),
  size: fc.integer({ min: 1, max: 1000 }),
  pick: fc.nat(),
});

/** The resources as the tables have them, and beside them the naive book of what was there when. */
export class MeteringModel {
  now = 0;
  readonly #deps: World['deps'];
  readonly #ownerId: string;
  readonly #at: (seconds: number) => Promise<void>;
  readonly book: Span[] = [];
  readonly up: { from: number; to?: number }[] = [];
  readonly #files: { id: string; span: Span }[] = [];
  readonly #databases: { id: string; span: Span }[] = [];
  readonly #projects: { id: string; span?: Span | undefined }[] = [];
  readonly #blobs: { digest: string; span: Span }[] = [];
  readonly #repository = randomUUID();
  #server: ReturnType<typeof createMetering> | undefined;

  /** `ownerId` has the resources; `at` sets the time. */
  constructor(world: World, ownerId: string, at: (seconds: number) => Promise<void>) {
    this.#deps = world.deps;
    this.#ownerId = ownerId;
    this.#at = at;
  }

  #open(span: Omit<Span, 'from'>): Span {
    const opened = { ...span, from: this.now };
    this.book.push(opened);
    return opened;
  }

  async begin(): Promise<void> {
    const { db } = this.#deps;
    const repository = { id: this.#repository, ownerId: this.#ownerId, name: `ada/${this.#repository}` };
    await db.insertInto('containerRepositories').values(repository).execute();
  }

  async run({ kind, wait, size, pick }: Operation): Promise<void> {
    this.now += wait;
    await this.#at(this.now);
    await this[kind](size, pick);
  }

  async upload(size: number): Promise<void> {
    const bytes = size * 7_777_777;
    const id = await addFile(this.#deps.db, { ownerId: this.#ownerId, fileSize: bytes });
    this.#files.push({ id, span: this.#open({ type: 'storage', resource: null, level: bytes / GB }) });
  }

  async deleteFile(_size: number, pick: number): Promise<void> {
    const count = pick % (this.#files.length + 1);
    const gone = this.#files.splice(0, count);
    if (gone.length === 0) return;
    await this.#deps.db
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
    const storageSize = Math.max(size, 10);
    const id = await addDatabase(this.#deps.db, { ownerId: this.#ownerId, storageSize, status: 'creating' });
    await this.#deps.db
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
    await this.#deps.db
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
    await this.#deps.db.deleteFrom('managedDatabases').where('id', '=', database.id).execute();
    database.span.to = this.now;
  }

  /** Deploys a new project, or one that has an app already once more. */
  async deploy(_size: number, pick: number): Promise<void> {
    const { db } = this.#deps;
    let project = this.#projects[pick % (this.#projects.length + 1)];
    if (!project) {
      project = { id: await addProject(db, this.#ownerId) };
      this.#projects.push(project);
    }
    const { id } = await db
      .insertInto('deployments')
      .values({
        ownerId: this.#ownerId,
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
    await this.#deps.db
      .updateTable('projects')
      .set({ liveDeploymentId: null })
      .where('id', '=', project.id)
      .execute();
    this.#takeDown(project);
  }

  async deleteProject(_size: number, pick: number): Promise<void> {
    const [project] = this.#projects.splice(pick % Math.max(this.#projects.length, 1), 1);
    if (!project) return;
    await this.#deps.db.deleteFrom('projects').where('id', '=', project.id).execute();
    this.#takeDown(project);
  }

  async push(size: number): Promise<void> {
    const { db } = this.#deps;
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
    await this.#deps.db.deleteFrom('containerBlobLinks').where('digest', '=', blob.digest).execute();
    blob.span.to = this.now;
  }

  async startServer(): Promise<void> {
    if (this.#server) return;
    const { db, log } = this.#deps;
    const { engine } = this.#deps.domains.deployments;
    const appsEnded = Promise.resolve();
    this.#server = createMetering({ db, log, engine, jobs: { schedule: () => {} }, appsEnded });
    await this.#server.resume();
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
    await (this.#server?.catchUp() ?? meterUsage(this.#deps.db));
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
    await forgetUsage(this.#deps.db, MODEL_START);
  }
}
