import { z } from 'zod';
import { User } from './auth.ts';
import { PASSWORD_LINK_HOURS } from './constants.ts';
import { Email } from './credentials.ts';
import { mutation } from './kit.ts';
import { Id } from './page.ts';

/** A person as admins see them. */
export const AdminUser = User.extend({
  /** Since when they are kept out; null for somebody who may log in. */
  disabledAt: z.iso.datetime().nullable(),
});
export type AdminUser = z.output<typeof AdminUser>;

/** What was ended of somebody's ways in. */
export const EndedAccess = z.object({ sessions: z.int(), tokens: z.int() });
export type EndedAccess = z.output<typeof EndedAccess>;

const ByUser = z.object({ userId: Id });

/** What the rows that act on somebody else have in common. */
const ON_PERSON = { access: 'admin', sessionOnly: true, fresh: true, perMinute: 30 } as const;

/** Rows of the domain `admin` that act on one person, never on whoever calls, where the summary does not say so. */
export const people = {
  disable: mutation({
    ...ON_PERSON,
    summary:
      'Keep another user out: sessions and access tokens end at once, and logging in is refused; their apps keep running',
    route: 'POST /api/admin/users/{userId}/disable',
    input: ByUser,
    output: AdminUser,
  }),
  enable: mutation({
    ...ON_PERSON,
    summary: 'Let a disabled user log in again',
    route: 'POST /api/admin/users/{userId}/enable',
    input: ByUser,
    output: AdminUser,
  }),
  endAccess: mutation({
    ...ON_PERSON,
    summary: 'End all sessions and access tokens of another user at once',
    route: 'POST /api/admin/users/{userId}/end-access',
    input: ByUser,
    output: EndedAccess,
  }),
  passwordLink: mutation({
    ...ON_PERSON,
    summary: `Create a link by which another user sets a new password once, valid for ${PASSWORD_LINK_HOURS} hours; the response shows it once`,
    route: 'POST /api/admin/users/{userId}/password-link',
    status: 201,
    secret: true,
    input: ByUser,
    output: z.object({ link: z.url(), hours: z.int() }),
  }),
  changeEmail: mutation({
    ...ON_PERSON,
    summary: "Change a user's email address, also your own",
    route: 'PATCH /api/admin/users/{userId}/email',
    input: ByUser.extend({ email: Email }),
    output: AdminUser,
  }),
};
