import type { Invitation } from '@nephos/contracts';

/** Whom an invitation is for, in words. */
export function invitedOf({ email }: Pick<Invitation, 'email'>): string {
  return email ?? 'Anyone with the link';
}
