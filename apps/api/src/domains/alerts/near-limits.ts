import { STORAGE_REMEDY } from '@nephos/contracts/constants';
import { byteSize } from '../../platform/byte-size.ts';
import { isNear, type LimitedUse, type Nearness, type ToldLimit } from '../plans/near-limits.ts';
import type { Condition } from './conditions.ts';

/** Shares of storage at which it is told, and of what is counted. */
const OF_STORAGE = [0.8, 0.95, 1];
const OF_COUNTED = [0.9, 1];
/** What is in databases is never left without its backups. */
const FULL = 'Nothing more can be stored but backups of databases, which go on. ';
/** Where it is not over: with few things as well, one that comes and goes is told once. */
export const NOT_OVER: Nearness = { share: 0.75, room: 2 };

type Counted = Exclude<ToldLimit, 'storage'>;

/** What each is called, and the console's page of it. */
const THINGS: Readonly<Record<Counted, { name: string; path: string }>> = {
  projects: { name: 'projects', path: '/deployments' },
  databases: { name: 'databases', path: '/databases' },
  dnsZones: { name: 'DNS zones', path: '/dns' },
  virtualAccounts: { name: 'virtual accounts', path: '/payment-gateway' },
};

/** Storage that is nearly full. */
export function storageNearlyFull(uses: readonly LimitedUse[]): Condition[] {
  return conditionsOf(uses, OF_STORAGE, ({ ownerId, of, used, limit, setByAdmin }) => {
    if (of !== 'storage') return undefined;
    const whose = setByAdmin ? 'the storage that an admin allows you' : "your plan's storage";
    const more = setByAdmin ? 'ask an admin for more' : 'change the plan';
    return {
      ownerId,
      subject: { kind: 'storage', id: ownerId, name: 'Storage' },
      text: `${byteSize(used)} of ${byteSize(limit)} of ${whose} are in use. ${used < limit ? '' : FULL}${STORAGE_REMEDY}, or ${more}.`,
      path: '/storage',
    };
  });
}

/** Things of which there may be few more, or none. */
export function limitsNearlyReached(uses: readonly LimitedUse[]): Condition[] {
  return conditionsOf(uses, OF_COUNTED, ({ ownerId, of, used, limit, setByAdmin }) => {
    if (of === 'storage') return undefined;
    const { name, path } = THINGS[of];
    const more = of === 'projects' && !setByAdmin ? 'change the plan' : 'ask an admin for more';
    const end = used < limit ? 'At the limit, no more can be made.' : 'No more can be made.';
    return {
      ownerId,
      subject: { kind: 'limit', id: of, name: name.replace(/^./, (letter) => letter.toUpperCase()) },
      text: `This workspace has ${used} of at most ${limit} ${name}. ${end} Delete what is not needed, or ${more}.`,
      path,
    };
  });
}

function conditionsOf(
  uses: readonly LimitedUse[],
  told: readonly number[],
  describe: (use: LimitedUse) => Omit<Condition, 'level'> | undefined,
): Condition[] {
  return uses.flatMap((use) => {
    const share = use.used / use.limit;
    const described = describe(use);
    if (!described || !isNear(use, NOT_OVER)) return [];
    return [{ ...described, level: told.filter((threshold) => share >= threshold).length || null }];
  });
}
