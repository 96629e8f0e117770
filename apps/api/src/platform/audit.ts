import type { AuditSubject } from '@nephos/contracts';
import type { Row } from '@nephos/contracts/kit';
import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Noted, Subject } from '../core/call-audit.ts';
import { storable, toldOf } from './audit-values.ts';

/** The chain of what is the installation's own, and nobody's. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';

type AuditRow = Selectable<Database['auditRecords']>;

/** By whom something is done, and from where. */
export interface Doer {
  actor: { id: string; email: string } | null;
  via: AuditRow['via'];
  tokenName?: string | null;
  asWhom?: string | null;
  ip?: string | null;
  requestId?: string | null;
}

/** A record before it is written. */
export interface NewRecord extends Noted, Doer {
  /** Whose it is; null for the installation's own. */
  ownerId: string | null;
  /** `domain.name`. */
  procedure: string;
  subject: Subject;
  result?: AuditRow['result'];
  /** Whether it tells what the rows themselves noted in its transaction: `before` and `after` are added to by that. */
  takesNoted?: boolean;
}

/** The head of an insert of records, which get their columns, and indexes, with their seals. */
const INTO_RECORDS = sql`insert into unsealed_records (chain, record)`;

const insert = prepare(
  (db, parameter: Parameter<{ chain: string; record: string }>) =>
    sql`${INTO_RECORDS} values (${parameter('chain')}, ${parameter('record')}::jsonb)`.compile(db),
  { unread: true },
);

const insertWithNoted = prepare(
  (db, parameter: Parameter<{ chain: string; record: string }>) =>
    sql`${INTO_RECORDS} values (${parameter('chain')}, with_noted_changes(${parameter('record')}::jsonb))`.compile(
      db,
    ),
  { unread: true },
);

/** Writes records of which `select` gives the JSON that `recordJson` made, as `of`. */
export function insertRecords(select: RawBuilder<unknown>) {
  return sql`${INTO_RECORDS} select (of ->> 'chain')::uuid, of from (${select}) records`;
}

function chainOf(ownerId: string | null): string {
  return ownerId ?? INSTALLATION;
}

/** A record as JSON, for `insertRecords`. */
export function recordJson(record: NewRecord): string {
  const { ownerId, actor, via, tokenName, asWhom, ip, requestId, procedure, subject, result } = record;
  const side = (value: object | undefined) => {
    const told = toldOf(value);
    return told === null ? null : (JSON.parse(told) as unknown);
  };
  return JSON.stringify({
    ...{ chain: chainOf(ownerId), actor_id: actor?.id ?? null, actor_email: actor?.email ?? '', via },
    ...{
      token_name: tokenName && storable(tokenName),
      as_whom: asWhom,
      ip,
      request_id: requestId,
      procedure,
    },
    ...{ subject_kind: subject.kind, subject_id: subject.id && storable(subject.id, 300) },
    subject_name: subject.name && storable(subject.name),
    ...{ before: side(record.before), after: side(record.after), result: result ?? 'done' },
  });
}

/**
 * Writes a record in the transaction that `db` is: undone with it, and undoing it where it cannot be written, which the
 * commit says.
 */
export async function record(db: Kysely<Database>, one: NewRecord): Promise<void> {
  const values = { chain: chainOf(one.ownerId), record: recordJson(one) };
  await (one.takesNoted ? insertWithNoted : insert)(db, values);
}

/** Writes what the server did by itself, or since somebody else told it to, with its cause. */
export function recordOwnWork(
  db: Kysely<Database>,
  work: Omit<NewRecord, 'actor' | 'via'> & { via?: 'hook' | 'system' },
): Promise<void> {
  return record(db, { via: 'system', ...work, actor: null });
}

/** What kind of thing the rows of a domain are about, where neither their address nor their output says so. */
const KINDS: Readonly<Record<string, AuditSubject>> = {
  ...{ auth: 'person', admin: 'installation', billing: 'subscription', paymentGateway: 'account' },
  ...{ storageUploads: 'file', storageTrash: 'file', storageVersions: 'file' },
  ...{
    storage: 'file',
    ...{ buckets: 'bucket', bucketSites: 'bucket' },
    containers: 'image',
    databases: 'database',
    dns: 'zone',
    mobileApps: 'mobile-app',
  },
  ...{
    variableGroups: 'variable-group',
    deployments: 'deployment',
    marketplace: 'app',
    assistant: 'conversation',
  },
};

function textIn(value: unknown, ...fields: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const field of fields) {
    const found: unknown = Reflect.get(value, field);
    if (typeof found === 'string' && found !== '') return found;
  }
  return null;
}

const NAMES = [
  'name',
  'fileName',
  'title',
  'appName',
  'accountName',
  'repository',
  'domain',
  'email',
  'planTier',
];

/** What a call is about, by its address, its input and its answer. */
export function subjectOf(row: Pick<Row, 'route'>, path: string, input: unknown, output: unknown): Subject {
  const [domain = ''] = path.split('.');
  const { route = '' } = row;
  const name = textIn(output, ...NAMES) ?? null;
  const projectId = textIn(output, 'projectId') ?? textIn(input, 'projectId');
  if (/ \/api\/projects\/\{id\}/.test(route) || path === 'projects.create') {
    const own = domain === 'projects';
    return { kind: 'project', id: textIn(input, 'id') ?? textIn(output, 'id'), name: own ? name : null };
  }
  if (projectId !== null && domain !== 'dns') return { kind: 'project', id: projectId, name: null };
  const zone = domain === 'dns' ? (textIn(output, 'domain') ?? textIn(input, 'domain')) : null;
  if (zone !== null) return { kind: 'zone', id: zone, name: zone };
  const accountId = domain === 'paymentGateway' ? textIn(input, 'virtualAccountId') : null;
  if (accountId !== null) return { kind: 'account', id: accountId, name: null };
  const kind = KINDS[domain] ?? domain;
  return { kind, id: textIn(input, 'id', 'userId') ?? textIn(output, 'id'), name };
}
