import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { Success } from './page.ts';

/** A code of an authenticator app, or a recovery code; spaces and dashes do not matter. */
export const Code = z.string('Enter a code.').trim().min(1, 'Enter a code.').max(64, 'Enter a code.');

/** By what a person can prove who they are. */
export const Factors = z.object({
  /** Whether there is a password: an account that was made through an identity provider has none at first. */
  passwordSet: z.boolean(),
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  /** How many recovery codes are left. */
  recoveryCodesLeft: z.int(),
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
  })
  .refine((given) => Object.values(given).filter((one) => one !== undefined).length === 1, {
    error: 'Send either a password or a code.',
  });

const PER_MINUTE = 30;

/** Rows of the domain `auth`: what an account has besides its password, and proofs of who somebody is. */
export const secondFactors = {
  factors: query({
    summary: 'What you can prove with that it is you: password, authenticator app, recovery codes',
    route: 'GET /api/auth/factors',
    sessionOnly: true,
    output: Factors,
  }),
  prove: mutation({
    summary:
      'Prove by your password or a code that it is you; what asks for a recent proof is open for an hour then',
    route: 'POST /api/auth/proof',
    sessionOnly: true,
    perMinute: PER_MINUTE,
    input: Proof,
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
};
