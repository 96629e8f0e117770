import { createPool } from '@nephos/db';
import { type Console, startConsole } from './console.ts';
import { compare, type Finding, type Load } from './measure.ts';

const FEW = 1000;
const MANY = 10_000;
const PAGE = 60;
const TARGET = 1.5;

/** What is asked of each installation. */
interface Crowd {
  console: Console;
  workspaceId: string;
  /** Of somebody in the middle of the list. */
  memberId: string;
}

/**
 * So many people, each with a workspace of their own, as its trigger makes it, and all of them members of that of the one
 * there is: straight into the tables, since a password takes its time. None of them can build, so that all would have to be
 * looked at for whom the workspace's code is trusted as.
 */
async function addMembers(console: Console, count: number): Promise<Crowd> {
  const pool = createPool({ url: console.databaseUrl, max: 1 });
  await pool.query("set statement_timeout = '5min'");
  const { rows } = await pool.query<{ workspaceId: string; memberId: string }>(
    `with mine as (
       select id from workspaces
     ), people as (
       insert into users (email, handle, role, first_name)
       select 'person-' || n || '@example.com', 'person-' || n, 'member', 'Person' from generate_series(1, $1::int) n
       returning id, split_part(email, '@', 1) as name
     ), numbered as (
       select id, split_part(name, '-', 2)::int as n from people
     ), members as (
       insert into workspace_members (workspace_id, user_id, role, joined_at)
       select mine.id, numbered.id, 'viewer', now() - interval '1 minute' * n from mine, numbered
     )
     select mine.id as "workspaceId", numbered.id as "memberId" from mine, numbered where n = $1 / 2`,
    [count],
  );
  await pool.query('vacuum analyze');
  await pool.end();
  const [crowd] = rows;
  if (!crowd) throw new Error('Nobody is in the middle.');
  return { console, ...crowd };
}

const members = ({ workspaceId }: Crowd) => `/api/workspaces/${workspaceId}/members?limit=${PAGE}`;

const ASKED: Readonly<Record<string, (crowd: Crowd) => string>> = {
  'an empty list, which is all guard': () => '/api/mobile-apps',
  'the first page of members': members,
  'a page of members from the middle': (crowd) => `${members(crowd)}&cursor=${crowd.memberId}`,
  "the person's workspaces": () => '/api/workspaces',
  'the first page of Admin → Users': () => `/api/admin/users?limit=${PAGE}`,
  'a page of Admin → Users from the middle': ({ memberId }) =>
    `/api/admin/users?limit=${PAGE}&cursor=${memberId}`,
};

/** Milliseconds of a call of each crowd, by turns. */
async function measureCall(
  name: string,
  many: Crowd,
  few: Crowd,
  path: (crowd: Crowd) => string,
): Promise<Finding> {
  const loadOf = (crowd: Crowd): Load => ({
    url: crowd.console.url + path(crowd),
    headers: { cookie: crowd.console.cookie },
    ...{ connections: 1, seconds: 2 },
  });
  const { ours, baseline } = await compare(loadOf(many), loadOf(few));
  const ratio = baseline.requestsPerSecond / ours.requestsPerSecond;
  const [ofMany, ofFew] = [ours, baseline].map((speed) => (1000 / speed.requestsPerSecond).toFixed(1));
  return {
    name: `${name}, of ${MANY} people, members and workspaces`,
    detail: `${ofMany} ms, of ${FEW} ${ofFew} ms: ${ratio.toFixed(2)} times; target < ${TARGET}`,
    met: ratio < TARGET,
  };
}

/** Whether pages and the guard take as long in a large installation, and in a large workspace, as in small ones. */
export async function measureManyMembers(): Promise<Finding[]> {
  const consoles = await Promise.all([startConsole(), startConsole()]);
  try {
    const [many, few] = [await addMembers(consoles[0], MANY), await addMembers(consoles[1], FEW)];
    const findings: Finding[] = [];
    for (const [name, path] of Object.entries(ASKED)) findings.push(await measureCall(name, many, few, path));
    return findings;
  } finally {
    for (const console of consoles) await console.stop();
  }
}
