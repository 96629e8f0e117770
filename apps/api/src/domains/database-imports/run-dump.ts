import pg from 'pg';
import { DumpRefused } from './dump-refused.ts';
import type { DumpSession } from './dump-session.ts';
import { type LeftOut, leftOut, type Roles, tellLeftOut } from './left-out.ts';
import { refusalWords } from './refusal-words.ts';
import { type DumpPart, splitDump } from './split-dump.ts';

/** What was made of a dump. */
export interface RunResult {
  statements: number;
  /** A sentence for each kind of what was left out. */
  skipped: string[];
}

type Statement = Extract<DumpPart, { kind: 'statement' }>;

const UNKNOWN_SETTING = '42704';
const IS_SETTING = /^set\s+(?!transaction\b|constraints\b)/i;

/**
 * Runs a plain dump within the transaction that the session is in. Throws `DumpRefused`, with the line, for what cannot
 * be run, and what the source throws.
 */
export async function runDump(session: DumpSession, source: AsyncIterable<Uint8Array>): Promise<RunResult> {
  const roles = await readRoles(session);
  const counts = new Map<LeftOut, number>();
  let statements = 0;
  let last: Statement = { kind: 'statement', sql: '', line: 1, takesRows: false };
  const skip = (kind: LeftOut) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  try {
    for await (const part of splitDump(source)) {
      if (part.kind === 'rows') await session.rows(part.bytes);
      else if (part.kind === 'rowsEnd') await session.rowsEnd();
      else {
        last = part;
        const kind = leftOut(part.sql, part.line, roles) ?? (await runStatement(session, part));
        if (kind) skip(kind);
        else statements++;
      }
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw new DumpRefused(refusalWords(error, last));
    throw error;
  }
  return { statements, skipped: tellLeftOut(counts) };
}

async function runStatement(
  session: DumpSession,
  { sql, takesRows }: Statement,
): Promise<'setting' | undefined> {
  if (!IS_SETTING.test(sql)) {
    await session.run(sql, takesRows);
    return undefined;
  }
  // Dumps of newer servers have settings that older ones do not know, and go on without.
  await session.run('savepoint nephos_setting');
  try {
    await session.run(sql);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== UNKNOWN_SETTING) throw error;
    await session.run('rollback to savepoint nephos_setting');
    return 'setting';
  } finally {
    await session.run('release savepoint nephos_setting').catch(() => {});
  }
  return undefined;
}

async function readRoles(session: DumpSession): Promise<Roles> {
  const [own = ''] = await session.ask('select current_user');
  return { own, all: new Set(await session.ask('select rolname from pg_catalog.pg_roles')) };
}
