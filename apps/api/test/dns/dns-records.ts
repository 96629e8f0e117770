import type { DnsRecord, Inputs } from '@nephos/contracts';
import { sql } from 'kysely';
import { type Answer, createWorld, type Person, type World, type WorldOptions } from '../world.ts';

export type NewRecord = Partial<Inputs['dns']['create']>;

/** A world with two accounts. */
export async function createRecordsWorld(options: WorldOptions = {}) {
  const world = await createWorld(options);
  return { world, ada: await world.as('Ada'), bob: await world.as('Bob') };
}

/** Adds a record, by default an address of example.test itself. */
export function add(person: Pick<Person, 'rpc'>, record: NewRecord = {}): Promise<DnsRecord> {
  return person.rpc.dns.create.mutate({ domain: 'example.test', value: '192.0.2.1', ...record });
}

/** A record in short: type, name, value and, where it is not the default, TTL. */
export type Short = readonly [DnsRecord['recordType'], string, string, number?];

export function recordOf([recordType, name, value, ttl = 3600]: Short) {
  return { recordType, name, value, ttl };
}

export async function addAll(
  person: Person,
  records: readonly Short[],
  domain = 'example.test',
): Promise<DnsRecord[]> {
  const added: DnsRecord[] = [];
  for (const record of records) added.push(await add(person, { domain, ...recordOf(record) }));
  return added;
}

/** As `add`, with whatever comes of it. */
export function tryAdd(person: Person, record: object = {}): Promise<Answer> {
  return person.rest('POST /api/dns', { body: { domain: 'example.test', value: '192.0.2.1', ...record } });
}

/**
 * Answers calls that take the domain for the first time at once: each has seen that nobody has it before the first of
 * them makes it.
 */
export async function atOnce<T>(
  { deps: { db } }: World,
  domain: string,
  calls: readonly (() => Promise<T>)[],
) {
  const key = sql`hashtextextended(${`dns-tree|${domain}`}, 0)`;
  const answers = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${key})`.execute(trx);
    const begun = calls.map((call) => call());
    for (let waiting = 0; waiting < calls.length; ) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(trx);
      waiting = rows[0]?.count ?? 0;
    }
    return begun;
  });
  return Promise.all(answers);
}

/** Everything that the database holds of DNS. */
export async function everything({ deps: { db } }: World) {
  return {
    zones: await db.selectFrom('dnsZones').selectAll().orderBy('id').execute(),
    records: await db.selectFrom('dnsRecords').selectAll().orderBy('id').execute(),
  };
}
