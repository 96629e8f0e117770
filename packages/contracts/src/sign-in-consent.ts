import { z } from 'zod';
import { CONSENT_HOURS } from './constants.ts';
import { mutation, query } from './kit.ts';

/** Whether administrators may sign in in somebody's name. */
export const SignInConsent = z.object({
  /** Until when; null where they may not. */
  endsAt: z.iso.datetime().nullable(),
  /** Emails of the administrators who are signed in so now. */
  signedIn: z.array(z.string()),
});
export type SignInConsent = z.output<typeof SignInConsent>;

const PATH = '/api/auth/sign-in-consent';
const CHANGE = { sessionOnly: true, perMinute: 30, output: SignInConsent } as const;

/** Rows of the domain `auth`. */
export const signInConsent = {
  signInConsent: query({
    summary: 'Whether admins may sign in as you, until when, and who is',
    route: `GET ${PATH}`,
    sessionOnly: true,
    output: SignInConsent,
  }),
  allowSignIn: mutation({
    ...CHANGE,
    summary: 'Let admins sign in as you for some hours',
    route: `PUT ${PATH}`,
    fresh: true,
    input: z.object({ hours: z.literal(CONSENT_HOURS, 'Choose 1 or 24 hours.') }),
  }),
  endSignInConsent: mutation({
    ...CHANGE,
    summary: 'Let no admin sign in as you, and end the sessions of those who are, at once',
    route: `DELETE ${PATH}`,
  }),
};
