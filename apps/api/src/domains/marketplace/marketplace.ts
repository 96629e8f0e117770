import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { DeploymentsParts } from '../deployments/deployments.ts';
import type { DisksParts } from '../disks/disks.ts';
import type { DnsParts } from '../dns/dns.ts';
import type { Domain } from '../domain.ts';
import type { ProjectsParts } from '../projects/projects.ts';
import type { StorageParts } from '../storage/storage.ts';
import { followInstallations } from './changes.ts';
import { createInstallationQueue, type InstallationQueue } from './queue.ts';
import { install, listInstallations, listItems, uninstall } from './service.ts';

/** The domains that make what is installed. */
export interface Makers {
  projects: ProjectsParts;
  databases: DatabasesParts;
  dns: DnsParts;
  storage: StorageParts;
  disks: DisksParts;
  deployments: DeploymentsParts;
}

/** What the domain was made with. */
export interface MarketplaceParts extends Makers, Pick<Platform, 'settings' | 'notifications' | 'log'> {}

type Platformed = Pick<Platform, 'settings' | 'db' | 'jobs' | 'notifications' | 'log'>;

/** The catalogue, and what people install from it. */
export function createMarketplace(
  { settings, db, jobs, notifications, log }: Platformed,
  makers: Makers,
): Domain<typeof contract.marketplace> & MarketplaceParts & { queue: InstallationQueue } {
  const parts: MarketplaceParts = { ...makers, settings, notifications, log };
  const queue = createInstallationQueue({ ...parts, db, jobs });
  return {
    ...parts,
    queue,
    handlers: {
      list: ({ ctx }) => listItems(ctx, parts),
      installations: ({ ctx, input }) => listInstallations(ctx, input),
      install: ({ ctx, input }) => install(ctx, { ...parts, queue }, input),
      uninstall: ({ ctx, input }) => uninstall(ctx, parts, input),
      changes: ({ ctx }) => followInstallations(ctx, notifications),
    },
    sweeps: { installations: queue.sweep },
    resume: queue.sweep,
    stop: queue.stop,
  };
}
