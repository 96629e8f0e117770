import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';
import { TOKEN_RESOURCES } from './permissions.ts';
import { line } from './text.ts';

/** What an access token may do: `read` calls queries and pulls images, `write` calls everything and pushes too. */
export const TokenScope = z.enum(['read', 'write']);
export type TokenScope = z.output<typeof TokenScope>;

const BOUND = {
  kind: z.enum(TOKEN_RESOURCES, `Kind must be one of ${TOKEN_RESOURCES.join(', ')}.`),
  id: Id,
};

/** The one thing that a token opens. */
export const TokenResource = z.object(BOUND);
export type TokenResource = z.output<typeof TokenResource>;

export const AccessToken = z.object({
  id: Id,
  name: z.string(),
  scope: TokenScope,
  /** The workspace that it was made in, and whose things alone it opens. */
  workspaceId: Id,
  /** Null for all of the workspace. */
  resource: TokenResource.extend({
    /** What the thing is called; null once it is gone. */
    name: z.string().nullable(),
  }).nullable(),
  createdAt: z.iso.datetime(),
  /** Null for one that does not end by itself. */
  expiresAt: z.iso.datetime().nullable(),
  /** To the minute; null for one that was never used. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type AccessToken = z.output<typeof AccessToken>;

/** A token at its making: the only time that `token` itself is shown. */
export const CreatedAccessToken = AccessToken.extend({ token: z.string() });
export type CreatedAccessToken = z.output<typeof CreatedAccessToken>;

export const NewAccessToken = z.object({
  name: line(100, 'Name'),
  scope: TokenScope,
  /** Must lie in the future by the database's clock; absent or null: it does not end by itself. */
  expiresAt: z.iso
    .datetime({ offset: true, error: 'Enter a date and time like 2030-01-31T12:00:00Z.' })
    .nullish(),
  /** Absent or null: all of the workspace. It has to be a thing of the workspace. */
  resource: z.object(BOUND).nullish(),
});
export type NewAccessToken = z.input<typeof NewAccessToken>;

/** Rows of the domain `auth`. A token cannot make, see or end tokens: only someone signed in can. */
export const accessTokens = {
  tokens: query({
    summary: 'Your access tokens in all workspaces, newest first',
    route: 'GET /api/auth/tokens',
    needs: 'account',
    sessionOnly: true,
    output: z.array(AccessToken),
  }),
  createToken: mutation({
    summary: 'Create an access token for the workspace; the response shows it once',
    route: 'POST /api/auth/tokens',
    needs: 'view',
    status: 201,
    fresh: true,
    perMinute: 20,
    sessionOnly: true,
    secret: true,
    input: NewAccessToken,
    output: CreatedAccessToken,
  }),
  revokeToken: mutation({
    summary: 'Revoke one of your access tokens',
    route: 'DELETE /api/auth/tokens/{id}',
    needs: 'account',
    perMinute: 60,
    sessionOnly: true,
    input: ById,
    output: Success,
  }),
};
