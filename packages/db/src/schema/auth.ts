import type { ColumnType, Generated } from 'kysely';

/** A `timestamptz(3)` that the database fills; read as an ISO string. */
export type GeneratedInstant = ColumnType<string, string | undefined, string>;

export interface UsersTable {
  id: Generated<string>;
  /** Lower case. */
  email: string;
  /** Argon2id; null for an account that only signs in through an identity provider. */
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
  /** The path of the picture in `profilePictures`. */
  profileImageUrl: string | null;
  handle: string;
  role: 'admin' | 'member';
  /** Whether a provider's group made them an admin, and takes that away again. */
  adminFromGroup: Generated<boolean>;
  /** Whether an admin made them a member who was one, so that no group makes them an admin again. */
  memberByHand: Generated<boolean>;
  trialEndDate: string | null;
  /** Since when an administrator keeps the person out. */
  disabledAt: string | null;
  disabledBy: string | null;
  /** Whether it has tokens alone: no password, no identity, no workspace of its own. */
  service: Generated<boolean>;
  /** Whether a browser of theirs was ever marked, so that one without a mark is another. */
  deviceSeen: Generated<boolean>;
  createdAt: GeneratedInstant;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's value, in hex: a copy of this table opens no session. */
  id: string;
  /** Names the session to its owner. */
  publicId: string;
  userId: string;
  /** Null: the person's own. Set to that by the database once they are no member of another. */
  workspaceId: Generated<string | null>;
  expiresAt: string;
  createdAt: GeneratedInstant;
  userAgent: string;
  ipAddress: string;
  /** When its person last proved who they are: at log-in or since. */
  provedAt: GeneratedInstant;
  /** The administrator who is signed in as the person, until `endsAt`; null: the person themself. */
  impersonatorId: string | null;
  endsAt: string | null;
}

/** Until when somebody lets administrators sign in as them. */
export interface SignInConsentsTable {
  userId: string;
  endsAt: string;
  createdAt: GeneratedInstant;
}

/** An account's authenticator app (RFC 6238). */
export interface TotpSecretsTable {
  userId: string;
  /** Sealed. */
  secret: Buffer;
  /** The newest time step whose code was accepted: none is accepted twice. */
  lastStep: Generated<number>;
  /** Null until a code has shown that the app has it. */
  confirmedAt: string | null;
}

/** Codes for who has lost every other second factor, each for one use. */
export interface RecoveryCodesTable {
  userId: string;
  /** Keyed, so that a copy of this table gives no code away. */
  hash: string;
}

/** An account's login at an identity provider. */
export interface IdentitiesTable {
  /** Names it to its owner. */
  id: Generated<string>;
  issuer: string;
  subject: string;
  userId: string;
  /** As the provider had verified it when this was connected; null where it had not. */
  email: string | null;
  /** Those with roles here that the provider named last. */
  groups: Generated<string[]>;
  createdAt: GeneratedInstant;
}

/** A login at an identity provider that an account is to be connected with once its person is in. */
export interface PendingIdentitiesTable {
  /** SHA-256 of the browser's token, in hex: a copy of this table connects nothing. */
  hash: string;
  userId: string;
  issuer: string;
  subject: string;
  email: string | null;
  groups: Generated<string[]>;
  expiresAt: string;
}

/** A link by which a new password is set once, without the former one. */
export interface PasswordResetsTable {
  /** SHA-256 of the link's token, in hex: a copy of this table changes no password. */
  hash: string;
  userId: string;
  createdAt: GeneratedInstant;
  expiresAt: string;
  /** Whether it ends what others have of the account: who asked for it came by a provider that was not let in. */
  takesOver: Generated<boolean>;
}

/** A change of an account's address: it waits for a click, or can be undone. */
export interface EmailChangesTable {
  id: Generated<string>;
  userId: string;
  formerEmail: string;
  /** In lower case. */
  email: string;
  /** SHA-256, in hex, of the token of the one link that works: to confirm it, then to undo it. */
  hash: string;
  createdAt: GeneratedInstant;
  /** When that link ends. */
  endsAt: string;
  confirmedAt: string | null;
}

/** A person's picture, as their identity provider gave it. */
export interface ProfilePicturesTable {
  userId: string;
  /** Another one for each other picture, so that an address always shows the same. */
  id: Generated<string>;
  mediaType: string;
  /** At most 1 MiB. */
  bytes: Buffer;
  /** Of the bytes, in hex. */
  sha256: string;
  storedAt: GeneratedInstant;
}

/** A person's key pair in a device or a password manager (WebAuthn). */
export interface PasskeysTable {
  id: Generated<string>;
  userId: string;
  name: string;
  /** Base64url. */
  credentialId: string;
  /** In COSE's form. */
  publicKey: Buffer;
  /** Uses as the authenticator counts them; 0 where it does not. */
  counter: number;
  /** How the device may be reached, for example `internal`. */
  transports: string[];
  /** The host that it is bound to: it works at no other. */
  rpId: string;
  createdAt: GeneratedInstant;
  lastUsedAt: string | null;
}

/** What an authenticator is to sign; a row goes with its use. */
export interface PasskeyChallengesTable {
  /** Base64url. */
  challenge: string;
  purpose: 'register' | 'prove' | 'login';
  /** Null where anybody may answer who has a passkey. */
  userId: string | null;
  expiresAt: string;
}
