import { z } from 'zod';
import { mutation, ofAccount, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';

/** A login at an identity provider that opens an account. */
export const Connection = z.object({
  id: Id,
  /** The provider's id; null where this server has it no more, so that it lets nobody in. */
  providerId: z.string().nullable(),
  /** What people call the provider. */
  name: z.string(),
  /** The address that the person had there when it was connected; null where the provider had not verified it. */
  email: z.string().nullable(),
  connectedAt: z.iso.datetime(),
});
export type Connection = z.output<typeof Connection>;

/** What an account is connected with, and with what it can be. */
export const Connections = z.object({
  /** Oldest first. */
  connections: z.array(Connection),
  /** Every provider of this server. */
  providers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** The path where a log-in with it begins. */
      path: z.string(),
    }),
  ),
});
export type Connections = z.output<typeof Connections>;

const PER_MINUTE = 30;

/** Rows of the domain `auth`: logins at identity providers. */
export const connections = ofAccount({
  connections: query({
    summary: 'The login providers that your account is connected with, and those that it can be',
    route: 'GET /api/auth/connections',
    sessionOnly: true,
    output: Connections,
  }),
  beginConnection: mutation({
    summary: 'Begin to connect your account with a login provider',
    route: 'POST /api/auth/connections',
    sessionOnly: true,
    fresh: true,
    changesNothing: true,
    perMinute: PER_MINUTE,
    input: z.object({ providerId: z.string().max(60) }),
    /** The path to open next, in this session and within ten minutes. */
    output: z.object({ path: z.string() }),
  }),
  disconnect: mutation({
    summary: 'Disconnect your account from a login provider',
    route: 'DELETE /api/auth/connections/{id}',
    sessionOnly: true,
    fresh: true,
    perMinute: PER_MINUTE,
    input: ById,
    output: Success,
  }),
});
