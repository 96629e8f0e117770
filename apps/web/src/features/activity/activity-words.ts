import type { AuditRecord } from '@nephos/contracts';
import type { AuditSubject } from '@nephos/contracts/constants';

export const KIND_WORDS: Record<AuditSubject, string> = {
  person: 'Person',
  installation: 'Installation',
  project: 'Project',
  deployment: 'Deployment',
  database: 'Database',
  file: 'File',
  image: 'Container image',
  zone: 'Domain',
  'mobile-app': 'Mobile app',
  'variable-group': 'Variable group',
  app: 'Marketplace app',
  account: 'Virtual account',
  subscription: 'Subscription',
  conversation: 'Conversation',
  bucket: 'Bucket',
};

/** Those that a list is not narrowed by are in it too. */
const KINDS: Readonly<Record<string, string | undefined>> = {
  ...KIND_WORDS,
  workspaces: 'Workspace',
  alertChannels: 'Alert channel',
  alerts: 'Alerts',
};

/** What a record was about, in words: the kind of thing, and its name or the beginning of its id. */
export function thingOf({ subject: { kind, id, name } }: Pick<AuditRecord, 'subject'>) {
  return {
    kind: KINDS[kind] ?? kind,
    name: name ?? (id && id.length > 30 ? `${id.slice(0, 8)}…` : id) ?? '',
  };
}

/** Who did it, in words. */
export function whoOf({ actor, via, subject }: Pick<AuditRecord, 'actor' | 'via' | 'subject'>): string {
  if (actor) return actor.email;
  if (via === 'none') return subject.name ?? 'Somebody unknown';
  return via === 'hook' ? 'A hook' : 'The server';
}

/** By what somebody did it, in words. */
export function viaOf({ via, tokenName }: Pick<AuditRecord, 'via' | 'tokenName'>): string {
  const words = {
    session: 'Console',
    token: `Access token ${tokenName ?? ''}`,
    hook: 'Hook',
    system: 'Server',
  };
  return via === 'none' ? 'Signed out' : words[via];
}

/** A field of the thing, as it was and as it became; '' where it was not told. */
export interface ChangedField {
  id: string;
  before: string;
  after: string;
}

function fieldsOf(side: unknown, path = ''): [string, string][] {
  if (side === null || side === undefined) return [];
  if (typeof side !== 'object') return [[path, String(side)]];
  if (Array.isArray(side) && side.every((one) => typeof one !== 'object')) return [[path, side.join('\n')]];
  return Object.entries(side).flatMap(([key, value]: [string, unknown]) =>
    fieldsOf(value, path === '' ? key : `${path}.${key}`),
  );
}

/** The two sides of a change, field by field. */
export function changesOf({ before, after }: Pick<AuditRecord, 'before' | 'after'>): ChangedField[] {
  const [was, became] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...was.keys(), ...became.keys()])].map((id) => ({
    id,
    before: was.get(id) ?? '',
    after: became.get(id) ?? '',
  }));
}
