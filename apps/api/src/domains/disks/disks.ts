import type { contract } from '@nephos/contracts';
import type { Queue } from '../../platform/jobs.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DeploymentEngine } from '../deployments/engine/engine.ts';
import type { Domain } from '../domain.ts';
import { measureDisks } from './measure.ts';
import { addDisk, growDisk, listDisks, removeDisk } from './service.ts';

interface DiskJob {
  projectId: string;
  diskId: string;
}

/** What the domain was made with, and what brings disks to what their rows say: larger, or gone. */
export interface DisksParts extends Pick<Platform, 'settings'> {
  engine: Pick<
    DeploymentEngine,
    'diskSupport' | 'sharesDisks' | 'whyNoDisk' | 'diskUse' | 'growDisk' | 'removeDisk' | 'cluster'
  >;
  growth: Queue<DiskJob & { size: number }>;
  deletion: Queue<DiskJob>;
}

const QUEUE = { concurrency: 1, expireInSeconds: 600, retryLimit: 5 };
/** Milliseconds between two looks at what disks hold. */
const MEASURE_MS = 60_000;

/** Folders of projects that outlive their releases. */
export function createDisks(
  { settings, db, jobs, log }: Pick<Platform, 'settings' | 'db' | 'jobs' | 'log'>,
  { engine }: Pick<DisksParts, 'engine'>,
): Domain<typeof contract.disks> & DisksParts {
  const deletion = jobs.queue<DiskJob>('disks.delete', QUEUE, ({ projectId, diskId }) =>
    engine.removeDisk(projectId, diskId),
  );
  const growth = jobs.queue<DiskJob & { size: number }>('disks.grow', QUEUE, ({ projectId, diskId, size }) =>
    engine.growDisk(projectId, { id: diskId, size }),
  );
  const parts: DisksParts = { settings, engine, growth, deletion };
  let timer: NodeJS.Timeout | undefined;
  let measuring: Promise<void> | undefined;
  const measure = () => {
    measuring ??= measureDisks({ db, engine, log }).finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
  return {
    ...parts,
    handlers: {
      list: ({ ctx, input }) => listDisks(ctx, parts, input.id),
      add: ({ ctx, input }) => addDisk(ctx, parts, input),
      grow: ({ ctx, input }) => growDisk(ctx, parts, input),
      remove: ({ ctx, input }) => removeDisk(ctx, parts, input),
    },
    async resume() {
      timer = setInterval(() => void measure(), MEASURE_MS).unref();
    },
    catchUp: measure,
    async stop() {
      clearInterval(timer);
      await measuring;
    },
  };
}
