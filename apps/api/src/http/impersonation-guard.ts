import { type Permission, type Row, writes } from '@nephos/contracts/kit';
import { forbidden } from '../core/errors.ts';
import type { Identity } from './caller.ts';

/**
 * Writes that stay the person's own: what changes an account, its money or who has access outlasts the consent; a write for
 * which to see is enough is about the person alone, as is what they have read; and what a command sees, it can show.
 */
const THEIRS: ReadonlySet<Permission> = new Set([
  'account',
  'view',
  'secrets',
  'money',
  'billing',
  'people',
  'own',
]);

/** Throws 403 where somebody is signed in as another person, and the row is that person's alone. */
export function assertNotImpersonated(row: Row, { impersonator }: Identity): void {
  if (!impersonator || row.access === 'public') return;
  const isTheirs =
    row.access === 'admin' || row.fresh || row.secret || (writes(row) && THEIRS.has(row.needs));
  if (isTheirs) throw forbidden('IMPERSONATED', "You're signed in as somebody else. Only they can do this.");
}
