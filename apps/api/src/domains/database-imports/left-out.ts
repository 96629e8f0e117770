import { DumpRefused } from './dump-refused.ts';

/** What is left out of a dump, since it is of another server, and ours is right without it. */
export type LeftOut = 'owner' | 'privilege' | 'session' | 'extension' | 'transaction' | 'setting';

/** The roles of the server, and the one of them whose database it is. */
export interface Roles {
  own: string;
  all: ReadonlySet<string>;
}

const ROLE = String.raw`(?:"(?:[^"]|"")+"|[\w$\u0080-\uffff]+)`;
const OWNER = new RegExp(String.raw`^alter\s.*\sowner\s+to\s+(${ROLE})\s*;$`, 'is');
const DEFAULTS_OF = new RegExp(
  String.raw`^alter\s+default\s+privileges\s+for\s+(?:role|user)\s+(${ROLE})\s`,
  'i',
);
const IS_PRIVILEGE = /^(grant|revoke|alter\s+default\s+privileges)\s/i;
const GRANTEES = new RegExp(
  String.raw`\s(?:to|from)\s+((?:group\s+)?${ROLE}(?:\s*,\s*${ROLE})*)(?:\s+with\s+grant\s+option)?(?:\s+granted\s+by\s+${ROLE})?(?:\s+(?:cascade|restrict))?\s*;$`,
  'i',
);
const BECOMES = new RegExp(
  String.raw`^set\s+(?:session\s+|local\s+)?(?:session\s+authorization|role)\s+(?:to\s+|=\s*)?('[^']*'|${ROLE})\s*;$`,
  'i',
);
const ENCODING = /^set\s+client_encoding\s*(?:=|to)\s*'?([\w-]+)'?\s*;$/i;
const STRINGS = /^set\s+standard_conforming_strings\s*(?:=|to)\s*'?(?:off|false|no|0)/i;
const ANYBODY = new Set(['public', 'current_user', 'session_user', 'current_role', 'default', 'none']);

/**
 * Why a statement of a dump is left out; undefined: it is run. Throws `DumpRefused` for what would end the transaction
 * of the import, or have it misread.
 */
export function leftOut(sql: string, line: number, roles: Roles): LeftOut | undefined {
  assertReadable(sql, line);
  if (/^(begin|start\s+transaction|commit|end)\b(?!\s+prepared)/i.test(sql)) return 'transaction';
  if (/^comment\s+on\s+extension\s/i.test(sql)) return 'extension';
  const owner = OWNER.exec(sql)?.[1];
  if (owner !== undefined) return isOwn(owner, roles) ? undefined : 'owner';
  const becomes = BECOMES.exec(sql)?.[1];
  if (becomes !== undefined) return isOwn(becomes, roles) ? undefined : 'session';
  return IS_PRIVILEGE.test(sql) && !isGrantable(sql, roles) ? 'privilege' : undefined;
}

function assertReadable(sql: string, line: number): void {
  if (/^(abort|rollback(?!.*\bto\b)|prepare\s+transaction)\b/is.test(sql)) {
    throw new DumpRefused(`Line ${line} ends the transaction in which a dump is imported. Take it out.`);
  }
  const encoding = ENCODING.exec(sql)?.[1];
  if (encoding && !/^utf-?8$/i.test(encoding)) {
    throw new DumpRefused(
      `Line ${line} says that the dump is in ${encoding}. Make it with pg_dump --encoding=UTF8.`,
    );
  }
  if (STRINGS.test(sql)) {
    throw new DumpRefused(
      `Line ${line} turns standard_conforming_strings off. Make the dump where that is on.`,
    );
  }
}

function nameOf(role: string): string {
  const quoted = /^(["'])(.*)\1$/s.exec(role);
  return quoted ? (quoted[2] ?? '').replaceAll('""', '"') : role.toLowerCase();
}

function isOwn(role: string, { own }: Roles): boolean {
  const name = nameOf(role);
  return name === own || (name !== 'public' && ANYBODY.has(name));
}

function isGrantable(sql: string, roles: Roles): boolean {
  const of = DEFAULTS_OF.exec(sql)?.[1];
  if (of !== undefined && !isOwn(of, roles)) return false;
  const grantees = GRANTEES.exec(sql)?.[1]?.replace(/^group\s+/i, '');
  const names = [...(grantees?.matchAll(new RegExp(ROLE, 'g')) ?? [])].map(([role]) => nameOf(role));
  return names.every((name) => ANYBODY.has(name) || roles.all.has(name));
}

const SENTENCES: Record<LeftOut, (count: number) => string> = {
  owner: (count) => `${of(count)} who owns what were left out: the database's own user owns all of it.`,
  privilege: (count) => `${of(count)} rights of users who are not here were left out.`,
  session: (count) => `${of(count)} as which user to go on were left out.`,
  extension: (count) => `${of(count)} what extensions are for were left out.`,
  transaction: (count) => `${of(count)} where transactions begin and end were left out: all was one.`,
  setting: (count) => `${of(count)} settings that this version does not know were left out.`,
};

const of = (count: number) => `${count} ${count === 1 ? 'statement' : 'statements'} about`;

/** For people. */
export function tellLeftOut(counts: ReadonlyMap<LeftOut, number>): string[] {
  return [...counts].map(([kind, count]) => SENTENCES[kind](count));
}
