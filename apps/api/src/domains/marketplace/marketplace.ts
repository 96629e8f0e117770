import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { DeploymentsParts } from '../deployments/deployments.ts';
import type { DisksParts } from '../disks/disks.ts';
import type { DnsParts } from '../dns/dns.ts';
import type { Domain } from '../domain.ts';
import type { ProjectsParts } from '../projects/projects.ts';
import type { StorageParts } from '../storage/storage.ts';
import type { CatalogueItem } from './catalogue/item.ts';
import { followInstallations } from './changes.ts';
import { createInstallationQueue, type InstallationQueue } from './queue.ts';
import { install, listInstallations, listItems, uninstall } from './service.ts';
import { upgrade } from './upgrade.ts';

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
export interface MarketplaceParts extends Makers, Pick<Platform, 'settings' | 'notifications' | 'log'> {
  catalogue: readonly CatalogueItem[];
}

type Platformed = Pick<Platform, 'settings' | 'db' | 'jobs' | 'notifications' | 'log'>;

/** The catalogue, and what people install from it. */
export function createMarketplace(
  { settings, db, jobs, notifications, log }: Platformed,
  makers: Makers,
  catalogue: readonly CatalogueItem[],
): Domain<typeof contract.marketplace> & MarketplaceParts & { queue: InstallationQueue } {
  const parts: MarketplaceParts = { ...makers, settings, notifications, log, catalogue };
  const queue = createInstallationQueue({ ...parts, db, jobs });
  return {
    ...parts,
    queue,
    handlers: {
      list: ({ ctx }) => listItems(ctx, parts),
      installations: ({ ctx, input }) => listInstallations(ctx, parts, input),
      install: ({ ctx, input }) => install(ctx, { ...parts, queue }, input),
      uninstall: ({ ctx, input }) => uninstall(ctx, parts, input),
      upgrade: ({ ctx, input }) => upgrade(ctx, parts, input.id),
      changes: ({ ctx }) => followInstallations(ctx, parts),
    },
    sweeps: { installations: queue.sweep },
    resume: queue.sweep,
    stop: queue.stop,
  };
}
