import { resolve } from 'node:path';
import { createPool } from '@nephos/db';
import { freePort } from '../../../tools/server-process.mjs';
import { type Console, startProgram } from './console.ts';
import { compare, type Finding } from './measure.ts';

const BARE = resolve(import.meta.dirname, 'bare-list.ts');
const TARGET_RATIO = 0.85;
const ROWS = 20;

/** Straight into the table: a plan has fewer. */
async function addProjects(databaseUrl: string): Promise<void> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  await pool.query(
    `insert into projects (owner_id, name, description, repository_url, branch, framework, slug)
     select id, 'Project ' || n, 'One of many', '', 'main', 'nodejs', 'project-' || n
     from users, generate_series(1, $1::int) n`,
    [ROWS],
  );
  await pool.end();
}

/** `GET /api/projects` with 20 rows, against a bare Fastify and `pg` handler that makes the same two queries. */
export async function measureListProjects(console: Console): Promise<Finding[]> {
  await addProjects(console.databaseUrl);
  const port = await freePort();
  const bare = await startProgram(BARE, { PORT: String(port), DATABASE_URL: console.databaseUrl });
  try {
    const { ours, baseline } = await compare(
      { url: `${console.url}/api/projects`, headers: { cookie: console.cookie } },
      { url: `http://127.0.0.1:${port}/api/projects`, headers: { cookie: console.cookie } },
    );
    const ratio = ours.requestsPerSecond / baseline.requestsPerSecond;
    return [
      {
        name: 'GET /api/projects, 20 rows, requests/s',
        detail: `${ours.requestsPerSecond.toFixed(0)} of ${baseline.requestsPerSecond.toFixed(0)} bare: ${ratio.toFixed(2)}; target ≥ ${TARGET_RATIO}`,
        met: ratio >= TARGET_RATIO,
      },
    ];
  } finally {
    await bare.stop();
  }
}
