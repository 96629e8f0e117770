import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { ask } from '../src/domains/dns/server/ask.ts';

/**
 * Writes `zones` zones of each prefix, `<prefix>1.example` and on, with `records` addresses each, in one transaction, all
 * of the console's one account.
 */
export async function writeZones(
  databaseUrl: string,
  { prefixes, zones, records }: { prefixes: readonly string[]; zones: number; records: number },
): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    `with zones as (
       insert into dns_zones (owner_id, domain, serial, verified_at)
       select (select id from users limit 1), prefix || z || '.example', 1, now()
       from generate_series(1, $1::int) z, unnest($2::text[]) prefix
       returning id, owner_id)
     insert into dns_records (owner_id, zone_id, name, record_type, value, ttl)
     select owner_id, id, 'host' || r, 'A', '192.0.2.' || r, 3600 from zones, generate_series(1, $3::int) r`,
    [zones, prefixes, records],
  );
  await client.end();
}

/** Waits until our server answers for a name; throws after `patience` ms. */
export async function untilServed(port: number, name: string, patience: number): Promise<void> {
  for (const deadline = Date.now() + patience; ; await wait(20)) {
    const { answers } = await ask({ host: '127.0.0.1', port }, name, 'A');
    if (answers.length > 0) return;
    if (Date.now() > deadline) throw new Error('the zones are not served');
  }
}

/** Every name once, in an order of chance, as `dnsperf` reads them. */
export async function writeQueries(file: string, names: readonly string[]): Promise<string> {
  const shuffled = names.map((name) => ({ name, at: Math.random() })).toSorted((a, b) => a.at - b.at);
  await writeFile(file, shuffled.map(({ name }) => `${name} A\n`).join(''));
  return file;
}
