import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { pageOfDomain } from '../../platform/domain-page.ts';
import { type NameSettings, readOwnNames } from '../certificates/own-names.ts';
import type { Condition } from './conditions.ts';

/** Days before a certificate's end at which that is told: of one that nobody renews but its owner, earlier. */
const DAYS_LEFT = [15, 7, 1] as const;
const DAYS_LEFT_OF_GIVEN = [21, 7, 1] as const;
const DAY = 24 * 3600 * 1000;

const until = (days: number) => sql<boolean>`ends_at < now() + make_interval(days => ${days})`;

/** Certificates that end soon: of own domains to their owner, and of the server's own names to each admin. */
export async function certificatesEnding(db: Kysely<Database>, settings: NameSettings): Promise<Condition[]> {
  return [...(await ofDomains(db)), ...(await ofServer(db, settings))];
}

/** Takes what admins were told of the server from those who are none any more: for them, nothing is over. */
export async function forgetFormerAdmins(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('alerts')
    .where('kind', 'in', [
      'certificate-ending',
      'bytes-damaged',
      'server-backup-failed',
      'upgrade-rolled-back',
    ])
    .where('subjectKind', '=', 'server')
    .where('recoveredAt', 'is', null)
    .where('ownerId', 'not in', (admins) =>
      admins.selectFrom('users').select('id').where('role', '=', 'admin').where('disabledAt', 'is', null),
    )
    .execute();
}

async function ofDomains(db: Kysely<Database>): Promise<Condition[]> {
  const rows = await db
    .selectFrom('domainCertificates')
    .innerJoin('customDomains', 'customDomains.id', 'domainId')
    .select(['domainCertificates.ownerId', 'domainId', 'domain', 'endsAt', 'managed'])
    .select(['projectId', 'bucketId'])
    .select(sql<string>`now()`.as('now'))
    .where(({ eb, or, and }) =>
      or([
        and([eb('managed', '=', true), until(DAYS_LEFT[0])]),
        and([eb('managed', '=', false), until(DAYS_LEFT_OF_GIVEN[0])]),
      ]),
    )
    .execute();
  return rows.map(({ ownerId, domainId, domain, projectId, bucketId, managed, ...times }) => ({
    ownerId,
    subject: { kind: 'domain', id: domainId, name: domain },
    text: `${ends(domain, times)} Browsers warn visitors after that.${managed ? '' : ' Upload a new one.'}`,
    path: pageOfDomain({ projectId, bucketId }),
    level: levelOf(times, managed ? DAYS_LEFT : DAYS_LEFT_OF_GIVEN),
  }));
}

/** Of a name that was the server's once, the certificate is still there: nobody renews it. */
async function ofServer(db: Kysely<Database>, settings: NameSettings): Promise<Condition[]> {
  const { console, apps } = await readOwnNames(db, settings);
  const names = [console, apps].filter((name) => name !== undefined);
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('ownCertificates')
    .innerJoin('users', (join) => join.on('role', '=', 'admin').on('disabledAt', 'is', null))
    .select(['users.id as ownerId', 'ownCertificates.name', 'endsAt', sql<string>`now()`.as('now')])
    .where('ownCertificates.name', 'in', names)
    .where(until(DAYS_LEFT[0]))
    .execute();
  return rows.map(({ ownerId, name, ...times }) => ({
    ownerId,
    subject: { kind: 'server', id: name, name },
    text: `${ends(name, times)} It is one of this server's own, and was not renewed: look under Admin.`,
    path: '/admin?tab=engines',
    level: levelOf(times, DAYS_LEFT),
  }));
}

interface Times {
  endsAt: string;
  now: string;
}

function daysLeft({ endsAt, now }: Times): number {
  return (Date.parse(endsAt) - Date.parse(now)) / DAY;
}

function levelOf(times: Times, told: readonly number[]): number {
  return told.filter((most) => daysLeft(times) <= most).length;
}

function ends(name: string, times: Times): string {
  const day = times.endsAt.slice(0, 10);
  return `The certificate of ${name} ${daysLeft(times) < 0 ? 'has expired' : `expires on ${day}`}.`;
}
