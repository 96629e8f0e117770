import { availableParallelism } from 'node:os';
import { removeTree } from '@nephos/db';
import type { Logger } from 'pino';
import { createPlaces } from '../places.ts';
import { createInstance, type Instance } from './instance.ts';
import type { InstanceSettings } from './redis-config.ts';
import { homeOf, makeHome, openHomes, type RedisHome, redisFolder, removeHome } from './redis-home.ts';
import type { RedisPrograms } from './redis-programs.ts';

interface InstancesParts {
  dataDir: string;
  programs: RedisPrograms;
  log: Logger;
}

/** The Redis servers of this machine that have one database each. */
export interface Instances {
  /** Takes up those that are there, and starts them. Whether they could be is told by each. */
  start(): void;
  stop(): Promise<void>;
  find(name: string): Instance | undefined;
  readonly count: number;
  /** Makes one, unless it is there. */
  make(name: string, settings: InstanceSettings): Instance;
  remove(name: string): Promise<void>;
}

/** Servers that start at once. */
const STARTING_PER_CORE = 2;

export function createInstances({ dataDir, programs, log }: InstancesParts): Instances {
  const instances = new Map<string, Instance>();
  const root = redisFolder(dataDir);
  const inPlace = createPlaces(STARTING_PER_CORE * availableParallelism());
  let stopped = false;

  function add(home: RedisHome, name: string): Instance {
    const instance = createInstance({ home, name, programs, inPlace, log });
    instances.set(name, instance);
    return instance;
  }

  return {
    start() {
      const { names, leftovers } = openHomes(root);
      for (const name of names) {
        // What cannot be started is in the log.
        if (!instances.has(name))
          add(homeOf(root, name), name)
            .open()
            .catch(() => {});
      }
      Promise.all(leftovers.map(removeTree)).catch((error) =>
        log.warn({ err: error }, 'what a stop left could not be cleared away'),
      );
    },
    async stop() {
      stopped = true;
      await Promise.all([...instances.values()].map((instance) => instance.end()));
    },
    find: (name) => instances.get(name),
    get count() {
      return instances.size;
    },
    make(name, settings) {
      if (stopped) throw new Error('The console is stopping.');
      return instances.get(name) ?? add(makeHome(root, name, settings), name);
    },
    async remove(name) {
      const instance = instances.get(name);
      if (!instance) return;
      await instance.end();
      await removeHome(root, name);
      instances.delete(name);
    },
  };
}
