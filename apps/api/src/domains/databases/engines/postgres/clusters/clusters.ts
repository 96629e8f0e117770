import { availableParallelism } from 'node:os';
import {
  clusterSize,
  clustersHome,
  clusterVersion,
  exchangeClusters,
  type FinishedWal,
  makeCluster,
  openClusters,
  placeOfCluster,
  type Recovery,
  recoverCluster,
  removeCluster,
  removeHalf,
  takeFinishedWal,
} from '@nephos/db/embedded';
import type { Logger } from 'pino';
import { createPlaces } from '../../places.ts';
import { type Activity, type Cluster, createCluster } from './cluster.ts';
import type { ServerFigures } from './server-figures.ts';

/** What is kept about clusters in our own data. */
export interface ClusterRecords {
  /** Notes what became of one. Nothing waits for it. */
  told(name: string, now: { activity: Activity; version: string; home: string }): void;
  /** Minutes without connections after which each sleeps; null: never. Those without a row are left out. */
  sleepAfter(names: readonly string[]): Promise<ReadonlyMap<string, number | null>>;
  /** Resolves once what was told is written down, or could not be. */
  settled(): Promise<void>;
}

export interface ClustersParts {
  /** Finds their folder. Throws where they could not run in it. */
  findRoot(): string;
  records: ClusterRecords;
  /** What the server of that name is to be set up for. */
  figuresFor(name: string): Promise<ServerFigures>;
  log: Logger;
  /** Milliseconds between two looks at what nobody uses; by default 5 s. */
  lookEvery?: number | undefined;
  /** Milliseconds that somebody waits for a server that starts; by default 30 s. */
  patience?: number | undefined;
}

/** The PostgreSQL servers of this machine that have one database each. */
export interface Clusters {
  /** Takes up those that are there, before all else. Ends what a killed process of ours left running. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What tells this machine's from those of others; once they are taken up. */
  home(): string;
  find(name: string): Cluster | undefined;
  /** All that there are, by name. */
  all(): ReadonlyMap<string, Cluster>;
  /** Makes one, without its database, unless it is there. */
  make(name: string): Promise<Cluster>;
  remove(name: string): Promise<void>;
  /** Makes one of what was kept of another. Throws where one of that name is there. */
  recover(name: string, recovery: Omit<Recovery, 'taken'>): Promise<void>;
  /** What tells one from every other, whatever name it has by now. */
  placeOf(name: string): string;
  /** Gives each of two that do not run the other's name. */
  exchange(first: string, second: string): void;
  /** Shows each finished piece of its log that was not taken yet, whether it runs or not. */
  takeWal(name: string, take: (wal: FinishedWal) => Promise<void>): Promise<void>;
  /** Bytes on disk. It is not woken for that. */
  size(name: string): Promise<number>;
}

const LOOK = 5000;
const MINUTE = 60_000;
/** Servers that start at once, where many databases are asked for after the console's own start. */
const STARTING_PER_CORE = 2;

export function createClusters({
  findRoot,
  records,
  figuresFor,
  log,
  lookEvery = LOOK,
  patience,
}: ClustersParts): Clusters {
  const clusters = new Map<string, Cluster>();
  const making = new Map<string, Promise<Cluster>>();
  const inPlace = createPlaces(STARTING_PER_CORE * availableParallelism());
  let root = '';
  let version = '';
  let home = '';
  let looking: NodeJS.Timeout | undefined;
  let stopped = false;

  function add(name: string): Cluster {
    const told = (activity: Activity) => records.told(name, { activity, version, home });
    const cluster = createCluster({
      ...{ root, name, log, inPlace, told, patience },
      figures: () => figuresFor(name),
    });
    clusters.set(name, cluster);
    return cluster;
  }

  async function makeNew(name: string): Promise<Cluster> {
    if (stopped) throw new Error('The console is stopping.');
    await makeCluster(root, name, [...clusters.keys()]);
    return clusters.get(name) ?? add(name);
  }

  /** Puts to sleep what was left alone for long enough, and wakes what never sleeps. */
  async function look(): Promise<void> {
    const idle = [...clusters].filter(([, cluster]) => cluster.idleFor() > 0);
    if (idle.length === 0) return;
    const wanted = await records.sleepAfter(idle.map(([name]) => name));
    for (const [name, cluster] of idle) {
      const minutes = wanted.get(name);
      if (typeof minutes === 'number' && cluster.idleFor() >= minutes * MINUTE) await cluster.sleep();
    }
  }

  function lookOn(): void {
    looking = setTimeout(async () => {
      await look().catch((error) => log.warn({ err: error }, 'databases could not be put to sleep'));
      if (!stopped) lookOn();
    }, lookEvery).unref();
  }

  async function wakeSleepless(): Promise<void> {
    const wanted = await records.sleepAfter([...clusters.keys()]);
    const sleepless = [...clusters].filter(([name]) => wanted.get(name) === null);
    // What cannot be started is in the log.
    await Promise.allSettled(sleepless.map(([, cluster]) => cluster.wake()));
  }

  return {
    async start() {
      version = await clusterVersion();
      root = findRoot();
      const { names, leftovers } = openClusters(root);
      home = clustersHome(root);
      const failed = (error: unknown) =>
        log.warn({ err: error }, 'what a stop left could not be cleared away');
      for (const name of names) {
        // Only who comes to this one waits for it.
        add(name).clear().catch(failed);
        records.told(name, { activity: 'asleep', version, home });
      }
      void Promise.all(leftovers.map(removeHalf)).catch(failed);
      lookOn();
      void wakeSleepless().catch((error) => log.warn({ err: error }, 'databases could not be woken'));
    },
    async stop() {
      stopped = true;
      clearTimeout(looking);
      await Promise.allSettled(making.values());
      await Promise.all([...clusters.values()].map((cluster) => cluster.end()));
      await records.settled();
    },
    home: () => home,
    find: (name) => clusters.get(name),
    all: () => clusters,
    async make(name) {
      const cluster = clusters.get(name);
      if (cluster) return cluster;
      const made = making.get(name) ?? makeNew(name).finally(() => making.delete(name));
      making.set(name, made);
      return made;
    },
    async remove(name) {
      await making.get(name)?.catch(() => {});
      const cluster = clusters.get(name);
      if (!cluster) return;
      await cluster.end(() => removeCluster(root, name));
      clusters.delete(name);
    },
    async recover(name, recovery) {
      await recoverCluster(root, name, { ...recovery, taken: () => [...clusters.keys()] });
      add(name);
      records.told(name, { activity: 'asleep', version, home });
    },
    placeOf: (name) => placeOfCluster(root, name),
    exchange: (first, second) => exchangeClusters(root, first, second),
    takeWal: (name, take) => takeFinishedWal(root, name, take),
    size: (name) => clusterSize(root, name),
  };
}
