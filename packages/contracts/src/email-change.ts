import { z } from 'zod';
import { Email } from './credentials.ts';
import { mutation, query } from './kit.ts';
import { Success } from './page.ts';

/** Whether an account's address can be changed, and to which one it is being changed. */
export const EmailChange = z.object({
  /** Whether this server sends mail, without which nobody proves an address. */
  mail: z.boolean(),
  /** The change that waits for a click on the link in its mail; null without one. */
  pending: z.object({ email: z.string(), expiresAt: z.iso.datetime() }).nullable(),
});
export type EmailChange = z.output<typeof EmailChange>;

export const NewEmail = z.object({
  email: Email,
  /** The account's own. */
  password: z.string('Enter your password.').min(1, 'Enter your password.').max(1024),
});

/** Rows of the domain `auth`. */
export const emailChange = {
  emailChange: query({
    summary: 'Whether your address can be changed, and the change that is under way',
    route: 'GET /api/auth/email-change',
    sessionOnly: true,
    output: EmailChange,
  }),
  changeEmail: mutation({
    summary:
      'Have a link sent to a new address, which becomes yours when you open it; the former one is told',
    route: 'POST /api/auth/email-change',
    keepsKeys: true,
    sessionOnly: true,
    perMinute: 5,
    status: 200,
    input: NewEmail,
    output: EmailChange,
  }),
  cancelEmailChange: mutation({
    summary: 'Withdraw the change of your address that is under way',
    route: 'DELETE /api/auth/email-change',
    sessionOnly: true,
    perMinute: 30,
    output: Success,
  }),
};
