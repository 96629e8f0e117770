import { DEFAULT_LOG_AGE } from '@nephos/contracts/constants';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { type NewLine, openBlock, packLines, sourcesOf } from './log-block.ts';

/** Bytes of lines that a block is to have. */
export const BLOCK_BYTES = 256 * 1024;

/** What is kept of a block beside its lines. */
interface LooseBlock {
  firstLine: number;
  lastLine: number;
  bytes: number;
  firstAt: string;
  lastAt: string;
  packed: Buffer;
}

/** Joins small blocks that lie beside each other, so that an app of few words has few blocks nevertheless. */
export async function joinLooseBlocks(db: Kysely<Database>, projectId: string): Promise<void> {
  await atomically(db, async (trx) => {
    await trx.selectFrom('projects').select('id').where('id', '=', projectId).forKeyShare().execute();
    // Whoever appends or lets go of blocks has this lock as well, and the project's before it.
    await trx
      .selectFrom('projectLogs')
      .select('lastLine')
      .where('projectId', '=', projectId)
      .forUpdate()
      .execute();
    const blocks = await trx
      .selectFrom('projectLogBlocks')
      .select(['firstLine', 'lastLine', 'bytes', 'firstAt', 'lastAt', 'packed'])
      .where('projectId', '=', projectId)
      .where('loose', '=', true)
      .orderBy('firstLine')
      .execute();
    for (const group of groupsOf(blocks)) await joinGroup(trx, projectId, group);
  });
}

/** Neighbours whose lines together are at most a block's. */
function groupsOf(blocks: readonly LooseBlock[]): LooseBlock[][] {
  const groups: LooseBlock[][] = [];
  let bytes = 0;
  for (const block of blocks) {
    const group = groups.at(-1);
    const isNext = group?.at(-1)?.lastLine === block.firstLine - 1;
    if (group && isNext && bytes + block.bytes <= BLOCK_BYTES) {
      group.push(block);
      bytes += block.bytes;
    } else {
      groups.push([block]);
      bytes = block.bytes;
    }
  }
  return groups.filter((group) => group.length > 1);
}

async function joinGroup(
  trx: Kysely<Database>,
  projectId: string,
  group: readonly LooseBlock[],
): Promise<void> {
  const first = group[0];
  const last = group.at(-1);
  if (!first || !last) return;
  const lines: NewLine[] = [];
  for (const { packed } of group) lines.push(...(await openBlock(packed)).lines());
  const bytes = group.reduce((sum, block) => sum + block.bytes, 0);
  await trx
    .deleteFrom('projectLogBlocks')
    .where('projectId', '=', projectId)
    .where('firstLine', '>=', first.firstLine)
    .where('firstLine', '<=', last.firstLine)
    .execute();
  await trx
    .insertInto('projectLogBlocks')
    .values({
      projectId,
      firstLine: first.firstLine,
      lastLine: last.lastLine,
      bytes,
      firstAt: first.firstAt,
      lastAt: last.lastAt,
      sources: sourcesOf(lines),
      loose: bytes < BLOCK_BYTES / 2,
      packed: await packLines(lines),
    })
    .execute();
}

/** Deletes what is older than its project keeps. */
export async function sweepLogs(db: Kysely<Database>): Promise<void> {
  const oldest = sql`now() - make_interval(days => coalesce((p.run_settings->>'logAge')::integer, ${DEFAULT_LOG_AGE}))`;
  // The heads are locked before the blocks, as by whoever appends.
  await sql`
    with heads as (
      select l.project_id, ${oldest} as oldest from project_logs l join projects p on p.id = l.project_id
      where exists (select from project_log_blocks b where b.project_id = l.project_id and b.last_at < ${oldest})
      order by l.project_id for update of l
    ), gone as (
      delete from project_log_blocks b using heads
      where b.project_id = heads.project_id and b.last_at < heads.oldest
      returning b.project_id, b.bytes
    )
    update project_logs set bytes = project_logs.bytes - freed.bytes
    from (select project_id, sum(bytes) as bytes from gone group by project_id) as freed
    where project_logs.project_id = freed.project_id`.execute(db);
}
