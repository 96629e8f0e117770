import { z } from 'zod';
import { User } from './auth.ts';
import { PASSWORD_LINK_HOURS } from './constants.ts';
import { Email } from './credentials.ts';
import { mutation, query } from './kit.ts';
import { Id, Success } from './page.ts';
import { WorkspaceContents } from './workspaces.ts';

/** A person as admins see them. */
export const AdminUser = User.extend({
  /** Since when they are kept out; null for somebody who may log in. */
  disabledAt: z.iso.datetime().nullable(),
  /** Until when they let admins sign in as them; null where they do not. */
  consentEndsAt: z.iso.datetime().nullable(),
});
export type AdminUser = z.output<typeof AdminUser>;

/** What was ended of somebody's ways in. */
export const EndedAccess = z.object({ sessions: z.int(), tokens: z.int() });
export type EndedAccess = z.output<typeof EndedAccess>;

/** What goes along with a person, whose own workspace `obstacle` speaks of: it can be handed over nevertheless. */
export const PersonContents = WorkspaceContents.extend({
  /** Names of shared workspaces that have no other owner, and are handed over. */
  ownedAlone: z.array(z.string()),
});
export type PersonContents = z.output<typeof PersonContents>;

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
  removeSecondFactor: mutation({
    ...ON_PERSON,
    summary:
      'Remove the second factor of another user who is locked out: authenticator app, passkeys and recovery codes; they are told by mail where mail is on',
    route: 'DELETE /api/admin/users/{userId}/second-factor',
    fresh: true,
    input: ByUser,
    output: Success,
  }),
  changeEmail: mutation({
    ...ON_PERSON,
    summary: "Change a user's email address, also your own",
    route: 'PATCH /api/admin/users/{userId}/email',
    input: ByUser.extend({ email: Email }),
    output: AdminUser,
  }),
  signInAs: mutation({
    ...ON_PERSON,
    summary:
      'Begin to sign in as another user who allows it: a browser that opens the path within a minute exchanges your session for one of theirs, which ends with their consent',
    route: 'POST /api/admin/users/{userId}/sign-in-as',
    status: 200,
    input: ByUser,
    output: z.object({ path: z.string() }),
  }),
  userContents: query({
    summary: 'What goes along with a user who is deleted',
    route: 'GET /api/admin/users/{userId}/contents',
    access: 'admin',
    perMinute: 120,
    input: ByUser,
    output: PersonContents,
  }),
  removeUser: mutation({
    ...ON_PERSON,
    fresh: true,
    summary:
      'Delete another user for good; their own workspace goes along, or becomes a shared one of the user who is named',
    route: 'DELETE /api/admin/users/{userId}',
    input: ByUser.extend({
      /** Theirs, so that nobody is taken for somebody else. */
      email: z.string().max(320),
      /** What becomes of their own workspace. */
      things: z.enum(['delete', 'handOver'], 'Choose delete or handOver.'),
      /** Email of who becomes the owner of what is handed over, and of each workspace that no one else owns. */
      handOverTo: Email.optional(),
    }),
    output: Success,
  }),
};
