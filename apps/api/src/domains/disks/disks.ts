import type { contract } from '@nephos/contracts';
import type { Queue } from '../../platform/jobs.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DeploymentEngine } from '../deployments/engine/engine.ts';
import type { Domain } from '../domain.ts';
import { measureDisks } from './measure.ts';
import { addDisk, listDisks, removeDisk } from './service.ts';

/** What the domain was made with, and what deletes the folders of disks whose rows are gone. */
export interface DisksParts extends Pick<Platform, 'settings'> {
  engine: Pick<DeploymentEngine, 'mountsDisks' | 'whyNoDisk' | 'diskUse' | 'removeDisk'>;
  deletion: Queue<{ projectId: string; diskId: string }>;
}

/** Milliseconds between two looks at what disks hold. */
const MEASURE_MS = 60_000;

/** Folders of projects that outlive their releases. */
export function createDisks(
  { settings, db, jobs, log }: Pick<Platform, 'settings' | 'db' | 'jobs' | 'log'>,
  { engine }: Pick<DisksParts, 'engine'>,
): Domain<typeof contract.disks> {
  const deletion = jobs.queue<{ projectId: string; diskId: string }>(
    'disks.delete',
    { concurrency: 1, expireInSeconds: 600, retryLimit: 5 },
    ({ projectId, diskId }) => engine.removeDisk(projectId, diskId),
  );
  const parts: DisksParts = { settings, engine, deletion };
  let timer: NodeJS.Timeout | undefined;
  let measuring: Promise<void> | undefined;
  const measure = () => {
    measuring ??= measureDisks({ db, engine, log }).finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
  return {
    handlers: {
      list: ({ ctx, input }) => listDisks(ctx, parts, input.id),
      add: ({ ctx, input }) => addDisk(ctx, parts, input),
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
