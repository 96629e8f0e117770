import type { LogFilter, LogLine, LogLines, Outputs, observability } from '@nephos/contracts';
import type { BytesAnswer } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { assertProject } from '../projects/read.ts';
import { createMatcher } from './log-matches.ts';

/** Blocks read and looked through at a time. */
const READ_BLOCKS = 8;
/** Milliseconds after which a search answers with what it has found, and says how far it looked. */
const SEARCH_MS = 800;

/** Where a reader goes: to lines before the number `from`, or after it. */
interface Way {
  back: boolean;
  from: number;
}

interface BlockRow {
  firstLine: number;
  lastLine: number;
  firstAt: string;
  lastAt: string;
  packed: Buffer;
}

/** What came of some blocks, and how far they reach. */
interface Found {
  /** In the order of the way. */
  lines: LogLine[];
  /** The line that was looked at last. */
  reached: number;
  /** When it was written. */
  at: string;
}

/** A page of a project's log. Throws 404. */
export async function readLogs(
  { db, ownerId }: UserContext,
  { id, before, after, limit, ...filter }: z.output<typeof observability.logs.input>,
): Promise<LogLines> {
  await assertProject(db, ownerId, id);
  const newest = await newestLine(db, id);
  const way: Way =
    after === undefined ? { back: true, from: before ?? newest + 1 } : { back: false, from: after };
  const deadline = Date.now() + SEARCH_MS;
  const lines: LogLine[] = [];
  let reached: number | undefined;
  let stoppedAt: string | null = null;
  let isWhole = true;
  for await (const found of findLines(db, { projectId: id, way, filter })) {
    lines.push(...found.lines);
    reached = found.reached;
    const isFull = lines.length >= limit;
    if (!isFull && Date.now() < deadline) continue;
    isWhole = false;
    stoppedAt = isFull ? null : found.at;
    break;
  }
  const page = lines.slice(0, limit);
  // What was looked at beyond a full page is looked at again with the next one.
  const edge = lines.length > limit ? page.at(-1)?.line : reached;
  if (way.back) page.reverse();
  const oldest = way.back ? edge : page[0]?.line;
  return {
    lines: page,
    older: way.back ? (isWhole ? null : (oldest ?? null)) : way.from + 1,
    newer: way.back ? (before === undefined ? newest : before - 1) : (edge ?? Math.max(way.from, newest)),
    stoppedAt,
  };
}

/** The lines that a filter asks for, block by block; the next ones are read while these are looked through. */
export async function* findLines(
  db: Kysely<Database>,
  { projectId, way, filter }: { projectId: string; way: Way; filter: Partial<LogFilter> },
): AsyncGenerator<Found> {
  const matchesOf = createMatcher(filter);
  const order = <T>(list: T[]) => (way.back ? list.reverse() : list);
  let { from } = way;
  let next = readBlocks(db, { projectId, way, filter });
  for (;;) {
    const blocks = await next;
    const edge = blocks.at(-1);
    if (blocks.length === READ_BLOCKS && edge) {
      next = readBlocks(db, {
        projectId,
        way: { ...way, from: way.back ? edge.firstLine : edge.lastLine },
        filter,
      });
      // Whoever has enough asks for no more.
      next.catch(() => {});
    }
    const found = await Promise.all(blocks.map(matchesOf));
    for (const [index, block] of blocks.entries()) {
      const isAhead = ({ line }: LogLine) => (way.back ? line < from : line > from);
      const lines = order((found[index] ?? []).filter(isAhead));
      from = way.back ? block.firstLine : block.lastLine;
      yield { lines, reached: from, at: way.back ? block.firstAt : block.lastAt };
    }
    if (blocks.length < READ_BLOCKS) return;
  }
}

/** The next blocks of a way that can have what the filter asks for. */
async function readBlocks(
  db: Kysely<Database>,
  { projectId, way, filter }: { projectId: string; way: Way; filter: Partial<LogFilter> },
): Promise<BlockRow[]> {
  const { process = null, instance = null, stream = null, since, until } = filter;
  const isAhead = way.back
    ? sql<boolean>`first_line < ${way.from}`
    : sql<boolean>`first_line >= (
        select coalesce(max(first_line), 0) from project_log_blocks
        where project_id = ${projectId} and first_line <= ${way.from}) and last_line > ${way.from}`;
  const hasSource = sql<boolean>`exists (
    select from unnest(sources) as source
    where (${process}::text is null or split_part(source, E'\\t', 1) = ${process})
      and (${instance}::text is null or split_part(source, E'\\t', 2) = ${instance}::text)
      and (${stream}::text is null or split_part(source, E'\\t', 3) = ${stream}))`;
  return db
    .selectFrom('projectLogBlocks')
    .select(['firstLine', 'lastLine', 'firstAt', 'lastAt', 'packed'])
    .where('projectId', '=', projectId)
    .where(isAhead)
    .where(hasSource)
    .$if(since !== undefined, (all) => all.where('lastAt', '>=', since ?? ''))
    .$if(until !== undefined, (all) => all.where('firstAt', '<=', until ?? ''))
    .orderBy('firstLine', way.back ? 'desc' : 'asc')
    .limit(READ_BLOCKS)
    .execute();
}

/** The number of the line that was stored last; 0 where there is none. */
export async function newestLine(db: Kysely<Database>, projectId: string): Promise<number> {
  const head = await db
    .selectFrom('projectLogs')
    .select('lastLine')
    .where('projectId', '=', projectId)
    .executeTakeFirst();
  return head?.lastLine ?? 0;
}

/** Processes that the log has lines of, with their instances. Throws 404. */
export async function listLogSources(
  { db, ownerId }: UserContext,
  id: string,
): Promise<Outputs['observability']['logSources']> {
  await assertProject(db, ownerId, id);
  const { rows } = await sql<{ process: string; instances: number[] }>`
    select process, array_agg(distinct instance order by instance) as instances from (
      select split_part(source, E'\\t', 1) as process, split_part(source, E'\\t', 2)::integer as instance
      from project_log_blocks, unnest(sources) as source
      where project_id = ${id} and source not like E'\\t%'
    ) as found
    group by process order by process <> 'web', process`.execute(db);
  return rows;
}

/** The whole log, or what of it a filter asks for, as a file. Throws 404. */
export async function readLogFile(
  { db, ownerId }: UserContext,
  { id, ...filter }: z.output<typeof observability.logFile.input>,
): Promise<BytesAnswer> {
  await assertProject(db, ownerId, id);
  return {
    type: 'text/plain; charset=utf-8',
    fileName: `project-${id}.log`,
    async *body() {
      for await (const { lines } of findLines(db, { projectId: id, way: { back: false, from: 0 }, filter })) {
        if (lines.length > 0) yield lines.map(asText).join('');
      }
    },
  };
}

function asText({ at, process, instance, stream, text }: LogLine): string {
  const source = process === null ? 'system' : `${process}.${instance ?? 1}`;
  return `${at} ${source} ${stream} ${text}\n`;
}
