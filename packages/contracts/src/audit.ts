import { z } from 'zod';
import { AUDIT_SEARCHED, AUDIT_SUBJECTS } from './constants.ts';
import { bytes, query } from './kit.ts';
import { Id, Page, Search } from './page.ts';
import { optionalLine } from './text.ts';

/** Who did what: one change, sign-in, or thing that the server did by itself. */
export const AuditRecord = z.object({
  id: Id,
  /** By the database's clock. */
  at: z.iso.datetime(),
  /** The workspace that it belongs to; null for the installation's own. */
  workspaceId: Id.nullable(),
  /** Who did it, with the email of then; null where nobody is known. */
  actor: z.object({ id: Id, email: z.string() }).nullable(),
  /** By what: a session, an access token, a hook of another service, the server by itself, or nothing at all. */
  via: z.enum(['session', 'token', 'hook', 'system', 'none']),
  /** What the access token was called. */
  tokenName: z.string().nullable(),
  /** In whose name the actor was signed in, where that is another person. */
  asWhom: Id.nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  /** `domain.name`, of this API where it is one of its procedures. */
  procedure: z.string(),
  /** The same in words, for example `Delete a record`. */
  action: z.string(),
  /** What it was about: the kind of thing, its id, and its name where that is known. */
  subject: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
  /** What is known of it before and after, without secrets. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  result: z.enum(['done', 'refused']),
  /** Its place in its chain, and its hash in hex; null until it is sealed, which takes a second. */
  position: z.int().nullable(),
  hash: z.string().nullable(),
});
export type AuditRecord = z.output<typeof AuditRecord>;

/** Which records are wanted; all of those given have to hold. */
const AuditFilter = Page.extend({
  search: Search,
  actorId: Id.optional().describe('Who did it'),
  kind: z
    .enum(AUDIT_SUBJECTS, 'Choose a kind of thing.')
    .optional()
    .describe('What kind of thing it was about'),
  subjectId: optionalLine(300, 'Subject').optional().describe('The id of what it was about'),
  from: z.iso.datetime().optional().describe('The first moment'),
  to: z.iso.datetime().optional().describe('The moment before which'),
});

/** How far a chain is sealed. */
export const AuditChain = z.object({
  /** Place of the newest sealed record; 0 where there is none. */
  position: z.int(),
  /** Its hash in hex, by which an exported file is known to be whole. */
  hash: z.string(),
  /** Place of the newest record that was deleted for its age; 0 where there is none. */
  sweptPosition: z.int(),
});
export type AuditChain = z.output<typeof AuditChain>;

const AuditExport = z
  .object({ format: z.enum(['jsonl', 'csv'], 'Format must be jsonl or csv.').default('jsonl') })
  .prefault({});

const PER_MINUTE = 120;

export const audit = {
  list: query({
    summary: `Who did what in your workspace, newest first; searched among the newest ${AUDIT_SEARCHED.toLocaleString('en')} that fit`,
    route: 'GET /api/audit',
    perMinute: PER_MINUTE,
    input: AuditFilter.optional(),
    output: z.array(AuditRecord),
  }),
  chain: query({
    summary: "How far your workspace's records are sealed",
    route: 'GET /api/audit/chain',
    perMinute: PER_MINUTE,
    output: AuditChain,
  }),
  export: bytes({
    summary: "All sealed records of your workspace, oldest first: JSON lines with each record's hash, or CSV",
    route: 'GET /api/audit/export',
    perMinute: 10,
    input: AuditExport,
    gives: { type: 'application/x-ndjson', what: 'The file' },
  }),
  installation: query({
    summary: 'Who did what to the installation, or with `everyone` in it, newest first',
    route: 'GET /api/admin/audit',
    access: 'admin',
    perMinute: PER_MINUTE,
    input: AuditFilter.extend({ everyone: z.boolean().optional() }).optional(),
    output: z.array(AuditRecord),
  }),
  installationChain: query({
    summary: "How far the installation's own records are sealed",
    route: 'GET /api/admin/audit/chain',
    access: 'admin',
    perMinute: PER_MINUTE,
    output: AuditChain,
  }),
  installationExport: bytes({
    summary: "All sealed records of the installation's own, as the export of a workspace",
    route: 'GET /api/admin/audit/export',
    access: 'admin',
    perMinute: 10,
    input: AuditExport,
    gives: { type: 'application/x-ndjson', what: 'The file' },
  }),
};
