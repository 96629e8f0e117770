import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_LOG_SIZE } from '@nephos/contracts/constants';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { byteSize } from '../../platform/byte-size.ts';
import { type NewLine, packLines, sourcesOf } from './log-block.ts';
import { BLOCK_BYTES, joinLooseBlocks } from './log-blocks.ts';

const BATCH_MS = 100;
const RETRY_MS = 1000;
/** How long `close` waits for a database that is away. */
const CLOSE_MS = 30_000;
/** UTF-16 units that wait to be stored, at most. What comes on top of that is counted, said, and dropped. */
const WAITING_LENGTH = 8 * 1024 * 1024;
/** Where lines were dropped, so many wait at most before others are taken: not each line of a flood needs a notice. */
const DRAINED_LENGTH = WAITING_LENGTH / 2;
/** Blocks after which small ones are joined. */
const LOOSE_BLOCKS = 64;
/** What a line costs beside its text. */
const LINE_COST = 32;
const MB = 1024 ** 2;

/** "<project id>": its log has grown. */
export const PROJECT_LOG = 'project_log';

export interface ProjectLogParts {
  db: Kysely<Database>;
  log: Logger;
}

/** Lines that are not kept, and the UTF-16 units of their texts. */
export interface Dropped {
  lines: number;
  length: number;
}

/** Writes one app's lines to its project's log. No call throws, and none waits for the app. */
export interface ProjectLog {
  add(line: NewLine): void;
  /** Counts what was dropped before it came here, so that the log says it. */
  lost(what: Dropped): void;
  /** Resolves when everything that was added is stored. */
  stored(): Promise<void>;
  /** The same; what is added later is dropped, and a database that is away is not waited for longer than half a minute. */
  close(): Promise<void>;
}

/** A writer to a project's log. Several can write to one log at a time, from several servers as well. */
export function createProjectLog({ db, log }: ProjectLogParts, projectId: string): ProjectLog {
  let waiting: NewLine[] = [];
  let length = 0;
  let dropped: Dropped = { lines: 0, length: 0 };
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> | undefined;
  let closeBy: number | undefined;
  let isGone = false;
  let loose = 0;

  function add(line: NewLine): void {
    if (closeBy !== undefined || isGone) return;
    if (length > (dropped.lines > 0 ? DRAINED_LENGTH : WAITING_LENGTH)) {
      drop({ lines: 1, length: line.text.length });
      return;
    }
    if (dropped.lines > 0) take(sayDropped(line));
    take(line);
  }

  function drop(what: Dropped): void {
    dropped = { lines: dropped.lines + what.lines, length: dropped.length + what.length };
  }

  function take(line: NewLine): void {
    waiting.push(line);
    length += line.text.length + LINE_COST;
    if (length >= BLOCK_BYTES) flush();
    else timer ??= setTimeout(flush, BATCH_MS);
  }

  /** In the place of the lines that are missing between the last one and `line`. */
  function sayDropped(line: NewLine): NewLine {
    const notice = droppedNotice(dropped);
    dropped = { lines: 0, length: 0 };
    return { ...line, stream: 'system', text: notice };
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    work ??= storeAll().finally(() => {
      work = undefined;
    });
  }

  async function storeAll(): Promise<void> {
    while (waiting.length > 0 && !isGone) {
      const lines = takeBlock();
      let excess = 0;
      await stubbornly(async () => {
        const head = await appendBlock(db, projectId, lines);
        isGone = head === undefined;
        excess = head?.excess ?? 0;
      });
      if (excess > 0) await stubbornly(() => dropOldest(db, projectId, excess));
      loose += 1;
      if (loose < LOOSE_BLOCKS || isGone) continue;
      loose = 0;
      await stubbornly(() => joinLooseBlocks(db, projectId));
    }
    // Else whoever waits for these lines to be stored would wait for ever, without leaving a turn to anybody.
    if (isGone) waiting = [];
  }

  /** As many of the lines that wait as a block holds, and what was dropped meanwhile. */
  function takeBlock(): NewLine[] {
    let size = 0;
    let count = 0;
    for (const { text } of waiting) {
      if (count > 0 && size + text.length > BLOCK_BYTES) break;
      size += text.length + LINE_COST;
      count += 1;
    }
    const lines = count === waiting.length ? waiting : waiting.slice(0, count);
    waiting = count === waiting.length ? [] : waiting.slice(count);
    length -= size;
    const last = lines.at(-1);
    if (waiting.length === 0 && dropped.lines > 0 && last) lines.push(sayDropped(last));
    return lines;
  }

  /** Goes on trying until it succeeds, or until `close` has waited long enough. */
  async function stubbornly(attempt: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        log.warn({ err: error, projectId }, 'the log of an app could not be stored yet');
        if (closeBy !== undefined && Date.now() > closeBy) return;
      }
      await sleep(RETRY_MS);
    }
  }

  async function stored(): Promise<void> {
    while (waiting.length > 0 || work) {
      flush();
      await work;
    }
  }

  return {
    add,
    lost: drop,
    stored,
    close() {
      closeBy ??= Date.now() + CLOSE_MS;
      return stored();
    },
  };
}

function droppedNotice({ lines, length }: Dropped): string {
  const count = lines === 1 ? '1 line' : `${lines.toLocaleString('en-US')} lines`;
  return `[${count} (${byteSize(length)}) dropped: the app writes faster than its log can be stored]`;
}

/** Appends a block, and tells how much the log has above what the project keeps. Nothing when the project is gone. */
async function appendBlock(
  db: Kysely<Database>,
  projectId: string,
  lines: readonly NewLine[],
): Promise<{ excess: number } | undefined> {
  const packed = await packLines(lines);
  const bytes = lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
  // The project is locked first, as by whoever deletes it.
  const { rows } = await sql<{ bytes: number; logSize: number | null }>`
    with project as (
      select id, (run_settings->>'logSize')::bigint as log_size from projects where id = ${projectId} for key share
    ), head as (
      insert into project_logs as known (project_id, last_line, bytes)
      select id, ${lines.length}::bigint, ${bytes}::bigint from project
      on conflict (project_id) do update
        set last_line = known.last_line + excluded.last_line, bytes = known.bytes + excluded.bytes
      returning *
    ), stored as (
      insert into project_log_blocks
        (project_id, first_line, last_line, bytes, first_at, last_at, sources, loose, packed)
      select project_id, last_line - ${lines.length}::bigint + 1, last_line, ${bytes}::integer,
        ${instant(lines[0])}::timestamptz, ${instant(lines.at(-1))}::timestamptz,
        ${sourcesOf(lines)}::text[], ${bytes < BLOCK_BYTES / 2}, ${packed}
      from head
    )
    select head.bytes, project.log_size as "logSize", pg_notify(${PROJECT_LOG}, head.project_id::text)
    from head, project`.execute(db);
  const [head] = rows;
  return head && { excess: head.bytes - (head.logSize ?? DEFAULT_LOG_SIZE) * MB };
}

function instant(line: NewLine | undefined): string {
  return new Date(line?.at ?? 0).toISOString();
}

/** Deletes the oldest blocks until so many bytes are gone, and never the newest one. */
async function dropOldest(db: Kysely<Database>, projectId: string, excess: number): Promise<void> {
  await sql`
    with head as (
      select project_id, last_line from project_logs where project_id = ${projectId} for update
    ), oldest as (
      select first_line, sum(b.bytes) over (order by first_line) - b.bytes as before
      from project_log_blocks b join head using (project_id)
      where b.last_line < head.last_line
    ), gone as (
      delete from project_log_blocks b using oldest
      where b.project_id = ${projectId} and b.first_line = oldest.first_line and oldest.before < ${excess}
      returning b.bytes
    )
    update project_logs set bytes = bytes - (select coalesce(sum(bytes), 0) from gone)
    where project_id = ${projectId}`.execute(db);
}
