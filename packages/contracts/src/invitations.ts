import { z } from 'zod';
import { Email } from './credentials.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';

/** A one-time link by which an account can be made, also where not everybody can. */
export const Invitation = z.object({
  id: Id,
  /** The only address that it makes an account for; null for any. */
  email: z.string().nullable(),
  /** Email of the admin who made it; null once that account is deleted. */
  invitedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** By the database's clock. */
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.output<typeof Invitation>;

/** An invitation at its making: the only time that `link` is shown. */
export const CreatedInvitation = Invitation.extend({
  link: z.url(),
  /** Whether it is mailed to `email` as well. */
  mailed: z.boolean(),
});
export type CreatedInvitation = z.output<typeof CreatedInvitation>;

export const NewInvitation = z.object({
  /** Absent or '': for whoever has the link. */
  email: z.literal('').or(Email).optional(),
});

const PER_MINUTE = 30;

/** Rows of the domain `admin`. */
export const invitations = {
  invitations: query({
    summary: 'Open invitations, newest first',
    route: 'GET /api/admin/invitations',
    access: 'admin',
    perMinute: 120,
    output: z.array(Invitation),
  }),
  createInvitation: mutation({
    summary: 'Create an invitation link for one account, valid for 7 days; the response shows it once',
    route: 'POST /api/admin/invitations',
    access: 'admin',
    status: 201,
    fresh: true,
    sessionOnly: true,
    secret: true,
    perMinute: PER_MINUTE,
    input: NewInvitation,
    output: CreatedInvitation,
  }),
  revokeInvitation: mutation({
    summary: 'Revoke an unused invitation',
    route: 'DELETE /api/admin/invitations/{id}',
    access: 'admin',
    sessionOnly: true,
    perMinute: PER_MINUTE,
    input: ById,
    output: Success,
  }),
};
