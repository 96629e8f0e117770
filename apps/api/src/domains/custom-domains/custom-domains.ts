import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import {
  type BoundLookUp,
  boundLookUps,
  createPublicDns,
  type PublicDns,
} from '../../platform/public-dns.ts';
import type { CertificateOrders } from '../certificates/orders.ts';
import type { Domain } from '../domain.ts';
import type { AppRecords } from '../projects/projects.ts';
import { findAppRecords } from './app-records/find-app-records.ts';
import { followApps } from './app-records/follow-apps.ts';
import { pointName } from './app-records/point-name.ts';
import { removeAppRecords } from './app-records/remove-app-records.ts';
import { createFollowersRemoval, type RemoveFollowers } from './app-records/remove-followers.ts';
import { issueCertificate, removeCertificate, setCertificate, updateCertificate } from './certificates.ts';
import { checkDue } from './check.ts';
import { createHostTable, type HostTable } from './host-table.ts';
import { type Claim, lookAt, type Seen } from './look.ts';
import { addDomain, checkDomain, listDomains, removeDomain, updateDomain } from './service.ts';

/** What the domain was made with, and what knows where requests for own domains go. */
export interface CustomDomainsParts extends Pick<Platform, 'settings' | 'secrets'> {
  hosts: HostTable;
  /** Undefined where no authority is set up. */
  orders: CertificateOrders | undefined;
  look: BoundLookUp<Claim, Seen>;
}

const projectOf = <Input extends { id: string }>(input: Input) => ({ kind: 'project' as const, ...input });

const EVERY_FIVE_MINUTES = '*/5 * * * *';

type Platformed = Pick<Platform, 'settings' | 'db' | 'notifications' | 'secrets' | 'jobs' | 'log'>;

/** Host names of people's own at which their apps answer. They are known before the server listens. */
export async function createCustomDomains(
  platform: Platformed,
  { orders }: Pick<CustomDomainsParts, 'orders'>,
  { publicDns = createPublicDns() }: { publicDns?: PublicDns | undefined } = {},
): Promise<
  Domain<typeof contract.customDomains> &
    CustomDomainsParts & { appRecords: AppRecords; removeFollowers: RemoveFollowers }
> {
  const { settings, secrets, jobs } = platform;
  const hosts = createHostTable(platform);
  await hosts.load();
  const checks = { ...platform, publicDns, orders };
  const parts: CustomDomainsParts = {
    ...{ settings, secrets, hosts, orders },
    look: boundLookUps((claim) => lookAt(checks, claim)),
  };
  jobs.schedule('domains.check', EVERY_FIVE_MINUTES, () => checkDue(checks));
  jobs.schedule('domains.follow', EVERY_FIVE_MINUTES, () => followApps(checks));
  return {
    ...parts,
    removeFollowers: createFollowersRemoval(platform),
    appRecords: { remove: (ctx, id) => removeAppRecords(ctx, parts, projectOf({ id })) },
    handlers: {
      list: ({ ctx, input }) => listDomains(ctx, parts, projectOf(input)),
      point: ({ ctx, input, once }) => pointName(ctx, parts, projectOf(input), once),
      records: ({ ctx, input }) => findAppRecords(ctx, parts, projectOf(input)),
      add: ({ ctx, input, once }) => addDomain(ctx, parts, projectOf(input), once),
      update: ({ ctx, input }) => updateDomain(ctx, parts, projectOf(input)),
      check: ({ ctx, input, once }) => checkDomain(ctx, parts, projectOf(input), once),
      setCertificate: ({ ctx, input }) => setCertificate(ctx, parts, projectOf(input)),
      updateCertificate: ({ ctx, input }) => updateCertificate(ctx, parts, projectOf(input)),
      removeCertificate: ({ ctx, input }) => removeCertificate(ctx, parts, projectOf(input)),
      issueCertificate: ({ ctx, input }) => issueCertificate(ctx, parts, projectOf(input)),
      remove: ({ ctx, input }) => removeDomain(ctx, parts, projectOf(input)),
    },
    // The settings may name another address than before.
    catchUp: () =>
      followApps(checks).catch((error: unknown) =>
        checks.log.error({ err: error }, 'records could not follow apps'),
      ),
    start: hosts.start,
    stop: hosts.stop,
  };
}
