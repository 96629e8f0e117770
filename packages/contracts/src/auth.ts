import { z } from 'zod';
import { accessTokens } from './access-tokens.ts';
import { connections } from './connections.ts';
import { DATABASE_TYPES, picturePath, WELCOME_PATH } from './constants.ts';
import { Email, Password } from './credentials.ts';
import { emailChange } from './email-change.ts';
import { bytes, mutation, ofAccount, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { WORKSPACE_ROLES } from './permissions.ts';
import { secondFactors } from './second-factors.ts';
import { signInConsent } from './sign-in-consent.ts';
import { optionalLine } from './text.ts';

export const Role = z.enum(['admin', 'member']);
export type Role = z.output<typeof Role>;

/** The workspace that a call is made in, and what its caller is there. */
export const WorkspaceOfCall = z.object({
  id: Id,
  name: z.string(),
  personal: z.boolean(),
  role: z.enum(WORKSPACE_ROLES),
});
export type WorkspaceOfCall = z.output<typeof WorkspaceOfCall>;

/** Body of `POST /api/login`. Any password is let through to the check, so that its rules are no oracle. */
export const Login = z.object({
  email: Email,
  password: z.string('Enter your password.').min(1, 'Enter your password.').max(1024),
});

/** Body of `POST /api/signup`. */
export const Signup = z.object({
  email: Email,
  password: Password,
  firstName: optionalLine(100, 'First name').default(''),
  lastName: optionalLine(100, 'Last name').default(''),
  /** Token of an invitation's link, for a server that is invite-only. */
  invite: z.string().max(100).default(''),
});

/** Body of `POST /api/login/forgot`. */
export const PasswordForgotten = z.object({ email: Email });

/** Body of `POST /api/login/email` and of `POST /api/login/email/undo`. */
export const EmailToken = z.object({
  /** That of the link. */
  token: z.string().max(100),
});

/** Body of `POST /api/login/reset`. */
export const PasswordReset = z.object({
  /** That of the link. */
  token: z.string().max(100),
  password: Password,
});

/** What this server has, so that nobody is promised what it has not. */
export const Welcome = z.object({
  /** Whether anyone can make an account. */
  signups: z.boolean(),
  /** Whether an invitation lets somebody make one. */
  invitations: z.boolean(),
  /** Whether plans are sold, and a new account begins with a trial. */
  billing: z.boolean(),
  /** Whether members may deploy, not administrators alone. */
  membersDeploy: z.boolean(),
  /** Types of database that can be made. */
  databases: z.array(z.enum(DATABASE_TYPES)),
  /** Whether its name server answers. */
  dns: z.boolean(),
});
export type Welcome = z.output<typeof Welcome>;

/** The signed-in person. */
export const User = z.object({
  id: Id,
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  /** Path of a picture that this server keeps; null without one. */
  profileImageUrl: z.string().nullable(),
  /** Namespace of the person's container images; unique, derived from the email at sign-up. */
  handle: z.string(),
  role: Role,
  /** By the database's clock. */
  trialActive: z.boolean(),
  trialEndDate: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type User = z.output<typeof User>;

/** Whoever calls, and in which workspace: null where they are no member of the one that they name. */
export const SignedInUser = User.extend({
  workspace: WorkspaceOfCall.nullable(),
  /** The admin who is signed in as the person, and until when; null for the person themself. */
  impersonator: z.object({ email: z.string(), until: z.iso.datetime() }).nullable(),
});
export type SignedInUser = z.output<typeof SignedInUser>;

export const Session = z.object({
  /** Names the session without being able to use it. */
  id: Id,
  /** Whether it is the one that asks. */
  current: z.boolean(),
  userAgent: z.string(),
  /** What people call what is behind it, for example `Firefox on Linux`. */
  device: z.string(),
  ipAddress: z.string(),
  /** Where that address is, for example `Germany` or `Local network`; null where it is not known. */
  place: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Session = z.output<typeof Session>;

export const Profile = z.object({
  firstName: optionalLine(100, 'First name'),
  lastName: optionalLine(100, 'Last name'),
});

export const PasswordChange = z.object({
  /** Absent for an account that has no password yet, made through an identity provider. */
  currentPassword: z.string().max(1024).optional(),
  newPassword: Password,
});

const account = ofAccount({
  welcome: query({
    summary: 'What this server offers, for anyone',
    route: `GET ${WELCOME_PATH}`,
    access: 'public',
    output: Welcome,
  }),
  user: query({
    summary: 'The signed-in user',
    route: 'GET /api/auth/user',
    output: SignedInUser,
    forAssistant: true,
  }),
  updateProfile: mutation({
    summary: 'Change your name',
    route: 'PATCH /api/auth/user',
    perMinute: 30,
    input: Profile,
    output: User,
  }),
  picture: bytes({
    summary: "Your profile picture, or anybody's for an admin",
    route: `GET ${picturePath('{id}')}`,
    input: ById,
    gives: { type: 'image/*', what: 'The picture, with `ETag`', ranges: true },
  }),
  changePassword: mutation({
    summary: 'Change your password; ends all other sessions and access tokens',
    route: 'POST /api/auth/password',
    keepsKeys: true,
    sessionOnly: true,
    fresh: true,
    perMinute: 5,
    input: PasswordChange,
    output: Success,
  }),
  sessions: query({
    summary: 'Your active sessions, newest first',
    route: 'GET /api/auth/sessions',
    sessionOnly: true,
    output: z.array(Session),
  }),
  revokeSession: mutation({
    summary: 'Revoke one of your sessions',
    route: 'DELETE /api/auth/sessions/{id}',
    sessionOnly: true,
    perMinute: 30,
    input: z.object({ id: Id }),
    output: Success,
  }),
  endOtherSessions: mutation({
    summary: 'Log out all of your other sessions',
    route: 'DELETE /api/auth/sessions',
    sessionOnly: true,
    perMinute: 30,
    output: Success,
  }),
  ...connections,
  ...emailChange,
  ...signInConsent,
  ...secondFactors,
});

export const auth = { ...account, ...accessTokens };
