import { z } from 'zod';
import { mutation, ofAccount, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { line } from './text.ts';

/** A code of an authenticator app, or a recovery code; spaces and dashes do not matter. */
export const Code = z.string('Enter a code.').trim().min(1, 'Enter a code.').max(64, 'Enter a code.');

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** Whether it works here: a passkey is bound to the console's host, and of no use once that has changed. */
  usable: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Null for one that was never used. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type Passkey = z.output<typeof Passkey>;

/** What a browser is to make or to use a passkey with (WebAuthn §5.4 and §5.5, as JSON). */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.output<typeof PasskeyOptions>;

/** What a browser gives back of a passkey (WebAuthn §5.1, as JSON). */
export const PasskeyResponse = z.looseObject({
  id: z.string().max(1400),
  rawId: z.string().max(1400),
  type: z.string().max(100),
  response: z.looseObject({ clientDataJSON: z.string().max(8000) }),
});
export type PasskeyResponse = z.output<typeof PasskeyResponse>;

export const NewPasskey = z.object({ name: line(100, 'Name'), response: PasskeyResponse });

/** Body of `POST /api/login/passkey`. */
export const PasskeyLogin = z.object({ response: PasskeyResponse });

/** By what a person can prove who they are. */
export const Factors = z.object({
  /** Whether there is a password: an account that was made through an identity provider has none at first. */
  passwordSet: z.boolean(),
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  /** How many recovery codes are left. */
  recoveryCodesLeft: z.int(),
  /** Newest first. */
  passkeys: z.array(Passkey),
  /** Who demands a second factor of them. */
  demandedBy: z.object({
    /** Whether one is demanded of everyone on this server. */
    installation: z.boolean(),
    /** Names of the caller's workspaces that demand one of their members. */
    workspaces: z.array(z.string()),
  }),
});
export type Factors = z.output<typeof Factors>;

/** What an authenticator app is given, which nobody is shown again. */
export const TotpSetup = z.object({
  /** In base32, to be typed. */
  secret: z.string(),
  /** The same with the account's name, as `otpauth://totp/…` for a QR code. */
  address: z.string(),
});
export type TotpSetup = z.output<typeof TotpSetup>;

/** Recovery codes at their making: the only time that they are shown. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

/** Body of `POST /api/login/second-factor`. */
export const SecondFactor = z.object({ code: Code });

/** One of them. */
export const Proof = z
  .object({
    password: z.string().min(1).max(1024).optional(),
    code: Code.optional(),
    passkey: PasskeyResponse.optional(),
  })
  .refine((given) => Object.values(given).filter((one) => one !== undefined).length === 1, {
    error: 'Send a password, a code or a passkey.',
  });

const PER_MINUTE = 30;

/** Rows of the domain `auth`: what an account has besides its password, and proofs of who somebody is. */
export const secondFactors = ofAccount({
  factors: query({
    summary: 'What you can prove with that it is you: password, authenticator app, recovery codes, passkeys',
    route: 'GET /api/auth/factors',
    sessionOnly: true,
    output: Factors,
  }),
  prove: mutation({
    summary:
      'Prove by your password, a code or a passkey that it is you; what asks for a recent proof is open for an hour then',
    route: 'POST /api/auth/proof',
    keepsKeys: true,
    sessionOnly: true,
    perMinute: PER_MINUTE,
    input: Proof,
    output: Success,
  }),
  beginProof: mutation({
    summary: 'What a passkey is to sign to prove that it is you',
    route: 'POST /api/auth/proof/options',
    sessionOnly: true,
    changesNothing: true,
    perMinute: PER_MINUTE,
    output: PasskeyOptions,
  }),
  beginPasskey: mutation({
    summary: 'Begin to add a passkey',
    route: 'POST /api/auth/passkeys/options',
    sessionOnly: true,
    changesNothing: true,
    fresh: true,
    perMinute: PER_MINUTE,
    output: PasskeyOptions,
  }),
  addPasskey: mutation({
    summary: 'Add a passkey; with the first second factor, the response shows the recovery codes once',
    route: 'POST /api/auth/passkeys',
    status: 201,
    sessionOnly: true,
    fresh: true,
    secret: true,
    perMinute: PER_MINUTE,
    input: NewPasskey,
    output: RecoveryCodes,
  }),
  removePasskey: mutation({
    summary: 'Remove one of your passkeys',
    route: 'DELETE /api/auth/passkeys/{id}',
    sessionOnly: true,
    fresh: true,
    perMinute: PER_MINUTE,
    input: ById,
    output: Success,
  }),
  beginTotp: mutation({
    summary: 'Begin to set up an authenticator app; the response shows its secret once',
    route: 'POST /api/auth/totp',
    status: 201,
    sessionOnly: true,
    fresh: true,
    secret: true,
    perMinute: PER_MINUTE,
    output: TotpSetup,
  }),
  confirmTotp: mutation({
    summary:
      'Turn the authenticator app on by a code that it shows; the response shows the recovery codes once',
    route: 'POST /api/auth/totp/confirm',
    keepsKeys: true,
    sessionOnly: true,
    fresh: true,
    secret: true,
    perMinute: PER_MINUTE,
    input: SecondFactor,
    output: RecoveryCodes,
  }),
  removeTotp: mutation({
    summary: 'Remove the authenticator app',
    route: 'DELETE /api/auth/totp',
    sessionOnly: true,
    fresh: true,
    perMinute: PER_MINUTE,
    output: Success,
  }),
  renewRecoveryCodes: mutation({
    summary: 'Make new recovery codes in the place of those there are; the response shows them once',
    route: 'POST /api/auth/recovery-codes',
    sessionOnly: true,
    fresh: true,
    secret: true,
    perMinute: PER_MINUTE,
    output: RecoveryCodes,
  }),
});
