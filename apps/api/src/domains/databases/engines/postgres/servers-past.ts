import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FinishedWal } from '@nephos/db/embedded';
import pg from 'pg';
import { byteSize } from '../../../../platform/byte-size.ts';
import type { Credentials, ServerUser } from '../engine.ts';
import { type BaseBackup, beginBaseBackup, type WalPlace } from './clusters/base-backup.ts';
import type { Activity } from './clusters/cluster.ts';
import type { Clusters } from './clusters/clusters.ts';
import {
  findOurs,
  finishReplay,
  renameDatabase,
  unpackBase,
  WAL_FOLDER,
  walFile,
} from './clusters/recovery.ts';
import type { ServerFigures } from './clusters/server-figures.ts';
import { limitConnections } from './postgres-databases.ts';
import { setUser } from './postgres-users.ts';
import { inDatabase } from './proof/check-contents.ts';
import { scramVerifier } from './scram-verifier.ts';

/** What a server is made of again. */
export interface KeptPast {
  /** The archive of a base backup. */
  base(): Promise<Readable>;
  /** All pieces of the log that are needed with it, in order. */
  wal: readonly KeptWal[];
  /** Bytes that it takes on the disk, about. */
  room: number;
  /** The moment; undefined: the latest. */
  until: Date | undefined;
  /** Told how much of the log was replayed, from 0 to 1. What it throws ends all. */
  progress(done: number): Promise<void>;
  signal: AbortSignal;
}

export interface KeptWal extends WalPlace {
  name: string;
  bytes(): Promise<Readable>;
}

/** How the past of databases with servers of their own is kept, and brought back. */
export interface ServersPast {
  /** The names of those that are here. */
  list(): { name: string; activity: Activity }[];
  /** Makes a backup of a server, which is woken for it. `work` reads it to its end. */
  backup<T>(name: string, work: (backup: BaseBackup) => Promise<T>): Promise<T>;
  /** Shows each finished piece of a server's log that was not taken yet. What is taken is kept by then, for good. */
  takeWal(name: string, take: (wal: FinishedWal) => Promise<void>): Promise<void>;
  /** Finishes the piece of the log that is being written, so that it can be taken. A server that sleeps has none. */
  finishWal(name: string): Promise<void>;
  /** Makes a server of what was kept of another, whole or not at all, with its database under this name and password. */
  recover(credentials: Credentials, past: KeptPast): Promise<void>;
  /** Does something in a server's database as its administrator. */
  inDatabase<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** The same in a server that is made of what was kept of another, and thrown away. */
  prove<T>(past: KeptPast, work: (client: pg.Client) => Promise<T>): Promise<T>;
  /**
   * Lets two servers change places: each has then the database of the other, under its own name and password. Clients
   * wait meanwhile. May be repeated, with what `place` was noted at first.
   */
  swap(first: string, second: string, steps: SwapSteps): Promise<void>;
}

export interface SwapSteps {
  /** Where the first one was before; null at the first time. */
  place: string | null;
  /** Keeps that for good. */
  note(place: string): Promise<void>;
  /** How its owner is let in; asked when no rotation of it goes on any more. */
  credentialsOf(name: string): Promise<Credentials>;
  /** Who is let in by a name beside its owner. */
  usersOf(name: string): Promise<ServerUser[]>;
  /** The two have changed places, and no client is let in yet. */
  swapped(): Promise<void>;
}

/** Told of each name whose server changed; no client is let in to it yet. */
interface SwapTold {
  /** It has another one from now on. */
  exchanged(name: string): void;
  /** That one is its own by now, with its password. */
  swapped(name: string): void;
}

export function createServersPast(
  clusters: Clusters,
  begun: () => Promise<void>,
  figuresFor: (name: string) => Promise<ServerFigures>,
  told: SwapTold,
): ServersPast {
  function find(name: string) {
    const cluster = clusters.find(name);
    if (!cluster) throw new Error(`There is no server ${name}.`);
    return cluster;
  }

  /** Makes a server's database that of a name: with its owner, its further users, and what its class allows. */
  async function rename(
    start: () => Promise<pg.Pool>,
    name: string,
    { credentialsOf, usersOf }: Pick<SwapSteps, 'credentialsOf' | 'usersOf'>,
  ): Promise<void> {
    const pool = await start();
    const { password } = await credentialsOf(name);
    await renameDatabase((text) => pool.query(text), name, await scramVerifier(password));
    const { connections } = await figuresFor(name);
    await limitConnections(pool, name, connections);
    for (const { password: theirs, ...user } of await usersOf(name)) {
      await setUser(pool, name, { ...user, connections, verifier: await scramVerifier(theirs) });
    }
  }

  /** Makes a server of what was kept. `settled` has it before it takes its place. */
  async function replay(
    name: string,
    past: KeptPast,
    settled: (client: pg.Client, address: string) => Promise<void>,
  ): Promise<void> {
    await begun();
    const { until, signal, wal, progress } = past;
    const [first, last] = [wal[0], wal.at(-1)];
    if (!first || !last) throw new Error('Nothing of the log was kept.');
    await clusters.recover(name, {
      ...{ until, signal },
      fill: (data) => fill(data, past),
      async settle({ socketFolder, password, until: target }) {
        const user = `postgres:${encodeURIComponent(password)}`;
        const address = `postgres://${user}@${encodeURIComponent(socketFolder)}/postgres`;
        const client = new pg.Client({ connectionString: address });
        client.on('error', () => {});
        try {
          await client.connect();
          const finished = await finishReplay(client, { first, last, signal, progress, until: target });
          if (finished) await settled(client, address);
          return finished;
        } finally {
          await client.end();
        }
      },
    });
  }

  return {
    list: () => [...clusters.all()].map(([name, { activity }]) => ({ name, activity })),
    async swap(first, second, { place, note, swapped, ...steps }) {
      await begun();
      const [one, other] = [find(first), find(second)];
      await one.atRest((startOne) =>
        other.atRest(async (startOther) => {
          const now = clusters.placeOf(first);
          if (place === null) await note(now);
          if (place === null || place === now) clusters.exchange(first, second);
          for (const name of [first, second]) told.exchanged(name);
          await rename(startOne, first, steps);
          await rename(startOther, second, steps);
          await swapped();
          for (const name of [first, second]) told.swapped(name);
        }),
      );
    },
    async backup(name, work) {
      await begun();
      return find(name).during(async (pool) => {
        const backup = await beginBaseBackup(pool.options.connectionString ?? '');
        try {
          return await work(backup);
        } finally {
          backup.archive.destroy();
        }
      });
    },
    takeWal: clusters.takeWal,
    async finishWal(name) {
      await begun();
      const cluster = find(name);
      if (cluster.activity === 'asleep') return;
      await cluster.during((pool) => pool.query('select pg_switch_wal()'));
    },
    async inDatabase(name, work) {
      await begun();
      return find(name).during((pool) =>
        inDatabase({ address: pool.options.connectionString ?? '', name }, work),
      );
    },
    async recover({ name, password }, past) {
      await begun();
      // It has its name only once it is whole: a stop came before anybody noted that.
      if (clusters.find(name)) return;
      const verifier = await scramVerifier(password);
      const { connections } = await figuresFor(name);
      await replay(name, past, async (client) => {
        await renameDatabase((text) => client.query(text), name, verifier);
        await limitConnections(client, name, connections);
        await client.query('checkpoint');
      });
    },
    async prove(past, work) {
      let found: { value: Awaited<ReturnType<typeof work>> } | undefined;
      try {
        await replay(`trial-${randomBytes(6).toString('hex')}`, past, async (client, address) => {
          const name = await findOurs((text) => client.query(text));
          found = { value: await inDatabase({ address, name }, work) };
          // What fails is thrown away.
          throw new Seen();
        });
      } catch (error) {
        if (!(error instanceof Seen)) throw error;
      }
      if (!found) throw new Error('Nothing was restored.');
      return found.value;
    },
  };
}

/** There is too little room on the disk for what was kept; its message is for people. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
  constructor(room: number, free: number) {
    const missing = `it takes about ${byteSize(room)}, and ${byteSize(free)} are free`;
    super(
      `There is not enough room on the server's disk to bring this back: ${missing}. Make room, and retry it.`,
    );
  }
}

/** Ends a trial. */
class Seen extends Error {
  override readonly name = 'Seen';
}

async function fill(data: string, { base, wal, room, signal }: KeptPast): Promise<void> {
  const { bavail, bsize } = await statfs(data);
  if (bavail * bsize < room) throw new NoRoom(room, bavail * bsize);
  await unpackBase(await base(), data, signal);
  for (const piece of wal) {
    const file = join(data, WAL_FOLDER, walFile(piece.name));
    await pipeline(await piece.bytes(), createWriteStream(file, { mode: 0o600, flags: 'wx' }), { signal });
  }
}
