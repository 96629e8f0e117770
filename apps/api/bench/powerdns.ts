import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../tools/server-process.mjs';
import { type OtherNameServer, startNameServer } from './name-server-process.ts';

const SCHEMA = '/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql';
const DATABASE = 'powerdns';

/** Whether Debian's pdns-backend-pgsql is on this machine; a benchmark's baseline is no tool of the tests. */
export function hasPowerDns(): boolean {
  return existsSync(SCHEMA) && existsSync('/usr/sbin/pdns_server');
}

/** Copies the zones of our database into one as PowerDNS keeps them, on the same server. */
export async function fillPowerDns(databaseUrl: string): Promise<string> {
  const ours = new pg.Client(databaseUrl);
  await ours.connect();
  await ours.query(`create database ${DATABASE}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${DATABASE}`;
  const theirs = new pg.Client(url.href);
  await theirs.connect();
  await theirs.query(await readFile(SCHEMA, 'utf8'));
  const { rows } = await ours.query<{ records: unknown }>(
    `select json_agg(json_build_object('domain', z.domain, 'type', r.record_type, 'content', r.value, 'ttl', r.ttl,
       'name', case r.name when '@' then z.domain else r.name || '.' || z.domain end)) as records
     from dns_records r join dns_zones z on z.id = r.zone_id`,
  );
  const records = JSON.stringify(rows[0]?.records);
  await theirs.query(
    `insert into domains (name, type) select distinct domain, 'NATIVE'
     from json_to_recordset($1) as r(domain text)`,
    [records],
  );
  await theirs.query(
    `insert into records (domain_id, name, type, content, ttl, auth)
     select d.id, r.name, r.type, r.content, r.ttl, true
     from json_to_recordset($1) as r(domain text, name text, type text, content text, ttl int)
     join domains d on d.name = r.domain
     union all
     select id, name, 'SOA', 'ns1.nephos.example hostmaster.' || name || ' 1 7200 3600 1209600 300', 3600, true from domains`,
    [records],
  );
  await theirs.query('analyze');
  await Promise.all([ours.end(), theirs.end()]);
  return url.href;
}

/** PowerDNS on loopback; `cacheSeconds` is for answers and for what the database said, 0 asks it each time. */
export async function startPowerDns(
  databaseUrl: string,
  cacheSeconds: number,
  home: string,
  known: string,
): Promise<OtherNameServer> {
  const port = await freePort();
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl);
  const folder = join(home, `powerdns-${cacheSeconds}`);
  await mkdir(folder);
  const options = {
    'config-dir': folder,
    'socket-dir': folder,
    daemon: 'no',
    guardian: 'no',
    loglevel: '0',
    'local-address': '127.0.0.1',
    'local-port': port,
    launch: 'gpgsql',
    'gpgsql-host': hostname,
    'gpgsql-port': databasePort,
    'gpgsql-dbname': DATABASE,
    'gpgsql-user': username,
    'gpgsql-password': decodeURIComponent(password),
    'cache-ttl': cacheSeconds,
    'query-cache-ttl': cacheSeconds,
    'negquery-cache-ttl': cacheSeconds,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return startNameServer('/usr/sbin/pdns_server', args, { port, known });
}
