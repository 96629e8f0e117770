import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { AUDIT_SEARCHED } from '@nephos/contracts';
import { createPool } from '@nephos/db';
import { type Console, signUp, startConsole } from './console.ts';
import { compare, type Finding, type Load, type Speed } from './measure.ts';

const FEW = 1000;
const MANY = 1_000_000;
const PAGE = 60;
const MOST_RATIO = 1.5;
/** Part of its speed that a write keeps with its record. */
const LEAST_KEPT = 1 / 1.1;
/** Of two people, one has done one thing in ten. */
const RARELY = 10;

const UNRECORDED = resolve(import.meta.dirname, 'unrecorded-main.ts');

/** Sealed records straight into the tables, of `$1` an e-mail, `$2` how many and `$3` the person who rarely did one. */
const RECORDS = `
  with made as (
    insert into audit_records (
      at, chain, actor_id, actor_email, via, ip, request_id, procedure, subject_kind, subject_id, subject_name, before,
      after, result, position, hash
    )
    select now() - make_interval(secs => $2::int - n), id,
      case when n % ${RARELY} = 0 then $3::uuid else id end,
      case when n % ${RARELY} = 0 then 'rarely@example.com' else email end, 'session', '192.0.2.' || n % 250,
      md5(n::text), (array['projects.update', 'storage.create', 'dns.create', 'deployments.create'])[1 + n % 4],
      (array['project', 'file', 'zone', 'deployment'])[1 + n % 4], md5(n::text), 'thing-' || n,
      '{"name": "before"}', '{"name": "after", "description": "One of many records"}', 'done', n, sha256(n::text::bytea)
    from users, generate_series(1, $2::int) n where email = $1 order by n
    returning chain, position, hash
  )
  insert into audit_chains (chain, position, hash)
  select chain, position, hash from made where position = $2`;

/** Somebody with so many records. */
async function fill({ url, databaseUrl }: Console, email: string, count: number) {
  const cookie = await signUp(url, email);
  const pool = createPool({ url: databaseUrl, max: 1 });
  await pool.query('set statement_timeout = 0');
  await pool.query('begin');
  // What signing up left would stand in the way of the places, and of what seals it: that waits for this lock.
  await pool.query('select pg_advisory_xact_lock(7303841)');
  await pool.query('alter table audit_records disable trigger guard_record');
  for (const table of ['audit_records', 'audit_chains'])
    await pool.query(`delete from ${table} where chain = (select id from users where email = $1)`, [email]);
  await pool.query('alter table audit_records enable trigger guard_record');
  const rarely = randomUUID();
  await pool.query(RECORDS, [email, count, rarely]);
  await pool.query('commit');
  await pool.query('vacuum analyze audit_records');
  await pool.end();
  return { cookie, rarely };
}

type Filled = Awaited<ReturnType<typeof fill>>;

const millisecondsOf = ({ requestsPerSecond }: Speed) => 1000 / requestsPerSecond;

/** Pages of a million records against the same of a thousand. */
export async function measureAuditPages(console: Console): Promise<Finding[]> {
  const few = await fill(console, 'audit-few@example.com', FEW);
  const many = await fill(console, 'audit-many@example.com', MANY);
  const pageOf = ({ cookie, rarely }: Filled, query: string): Load => ({
    url: `${console.url}/api/audit?limit=${PAGE}${query.replace('RARELY', rarely)}`,
    headers: { cookie },
    connections: 1,
    seconds: 2,
  });
  const findings: Finding[] = [];
  const pages = {
    newest: '',
    'by person': '&actorId=RARELY',
    'by kind': '&kind=zone',
    'by word': '&search=storage',
  };
  for (const [name, query] of Object.entries(pages))
    findings.push(await measurePage(name, pageOf(many, query), { fewer: pageOf(few, query), count: FEW }));
  // It looks through all that is searched, which a chain of any length has no more of.
  const searched = await fill(console, 'audit-searched@example.com', AUDIT_SEARCHED);
  const nowhere = '&search=no-such-word';
  const fewer = pageOf(searched, nowhere);
  findings.push(
    await measurePage('by a word that is nowhere', pageOf(many, nowhere), { fewer, count: AUDIT_SEARCHED }),
  );
  return findings;
}

async function measurePage(
  name: string,
  page: Load,
  { fewer, count }: { fewer: Load; count: number },
): Promise<Finding> {
  const { ours, baseline } = await compare(page, fewer);
  const [ms, fewerMs] = [millisecondsOf(ours), millisecondsOf(baseline)];
  return {
    name: `page of ${PAGE} records of ${MANY}, ${name}`,
    detail: `${ms.toFixed(1)} ms, of ${count} ${fewerMs.toFixed(1)} ms: ${(ms / fewerMs).toFixed(2)} times; target < ${MOST_RATIO}`,
    met: ms / fewerMs < MOST_RATIO,
  };
}

/** A write with its record against the same write of a console that leaves none, one after the other. */
export async function measureAuditedWrites(console: Console): Promise<Finding[]> {
  const unrecorded = await startConsole({}, UNRECORDED);
  try {
    const writeOf = async ({ call, url, cookie }: Console): Promise<Load> => {
      const { id } = (await call('POST', '/api/projects', { name: 'Recorded' })) as { id: string };
      return {
        url: `${url}/api/projects/${id}`,
        method: 'PATCH',
        headers: { cookie, 'content-type': 'application/json' },
        body: '{"description":"Changed"}',
        connections: 1,
        // Short turns: what else the machine does in a second falls on both.
        seconds: 1,
      };
    };
    const { ours, baseline } = await compare(await writeOf(console), await writeOf(unrecorded), 21);
    const kept = ours.requestsPerSecond / baseline.requestsPerSecond;
    return [
      {
        name: 'PATCH /api/projects/{id} with its record, requests/s',
        detail: `${ours.requestsPerSecond.toFixed(0)} of ${baseline.requestsPerSecond.toFixed(0)} without: ${kept.toFixed(2)}; target ≥ ${LEAST_KEPT.toFixed(2)}`,
        met: kept >= LEAST_KEPT,
      },
    ];
  } finally {
    await unrecorded.stop();
  }
}
