import { randomUUID } from 'node:crypto';
import type { User } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { Lucia, TimeSpan } from 'lucia';
import type { CallerWorkspace, Impersonator } from '../../core/context.ts';
import type { FactorDemander } from '../../platform/factor-demands.ts';
import { cookieName, readCookie } from './cookies.ts';
import { recordPassage } from './record-entrance.ts';
import { createFindLive, type FindLive, findIn, sessionStore } from './session-store.ts';

/** Sessions in cookies. The only thing the rest of the API knows of them. */
export interface Sessions {
  /**
   * Begins a session, in the transaction `db` where given, of the person or of an administrator in their name; the
   * result is a `Set-Cookie` value.
   */
  create(
    userId: string,
    client: SessionClient,
    db?: Kysely<Database>,
    impersonator?: Impersonator,
  ): Promise<string>;
  /** Ends the session that a `Cookie` header carries, for the record; the result is a `Set-Cookie` value that clears it. */
  end(cookieHeader: string | undefined, client: SessionClient): Promise<string>;
  /**
   * The live session that a `Cookie` header carries, with its user as the database has them now, in the workspace
   * `asked` for, or else the session's own.
   */
  read(cookieHeader: string | undefined, asked?: string): Promise<LiveSession | null>;
  /** Deletes the rows of sessions that are over; call it hourly. */
  sweep(): Promise<void>;
}

/** Where a session was begun. */
export interface SessionClient {
  ip: string;
  userAgent: string;
  /** The `Cookie` header. */
  cookies: string | undefined;
}

export interface LiveSession {
  user: User;
  /** Public id. */
  sessionId: string;
  /** Null where they are no member of the one that was asked for. */
  workspace: CallerWorkspace | null;
  /** Whether its person proved within the last hour who they are. */
  isProven: boolean;
  /** Who demands a second factor that they lack; null for nobody. */
  factorDemandedBy: FactorDemander | null;
  /** The administrator who is signed in as the person. */
  impersonator: Impersonator | null;
  /** Present when the session was prolonged: the answer must carry it. */
  setCookie?: string;
}

/** A session ends after this long without use. */
const IDLE = new TimeSpan(10, 'd');
const USER_AGENT_MAX = 400;

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof luciaOver>;
    DatabaseUserAttributes: {
      user: User;
      workspace: CallerWorkspace | null;
      factorDemandedBy: FactorDemander | null;
    };
    DatabaseSessionAttributes: {
      publicId: string;
      userAgent: string;
      ipAddress: string;
      isProven: boolean;
      impersonator: Impersonator | null;
    };
  }
}

function luciaOver(
  db: Kysely<Database>,
  cookie: { name: string; secure: boolean },
  findLive: FindLive = findIn(db),
) {
  return new Lucia(sessionStore(db, findLive), {
    sessionExpiresIn: IDLE,
    sessionCookie: { name: cookie.name, attributes: { secure: cookie.secure, sameSite: 'lax', path: '/' } },
    getSessionAttributes: ({ publicId, isProven, impersonator }) => ({ publicId, isProven, impersonator }),
    getUserAttributes: (attributes) => attributes,
  });
}

/**
 * Sessions of 25 random bytes that end 10 days after their last use (renewed once half of that has passed) and 30 days
 * after their beginning. `secure`: the console is reached over https.
 */
export function createSessions({ db, secure }: { db: Kysely<Database>; secure: boolean }): Sessions {
  const cookie = { name: cookieName('session', secure), secure };
  const findLive = createFindLive(db);
  const lucia = luciaOver(db, cookie, findLive(undefined));
  const luciaFor = (asked: string | undefined) =>
    asked === undefined ? lucia : luciaOver(db, cookie, findLive(asked));
  // Lucia's own reader throws on any malformed cookie beside ours.
  const idIn = (header: string | undefined) => readCookie(header, cookie.name);

  return {
    async create(userId, { ip, userAgent }, within = db, impersonator) {
      const session = await luciaOver(within, cookie).createSession(userId, {
        publicId: randomUUID(),
        userAgent: userAgent.slice(0, USER_AGENT_MAX),
        ipAddress: ip,
        isProven: true,
        impersonator: impersonator ?? null,
      });
      return lucia.createSessionCookie(session.id).serialize();
    },

    async read(cookieHeader, asked) {
      const id = idIn(cookieHeader);
      if (!id) return null;
      const { session, user } = await luciaFor(asked).validateSession(id);
      if (!session) return null;
      const live = {
        ...{ user: user.user, workspace: user.workspace, factorDemandedBy: user.factorDemandedBy },
        ...{ sessionId: session.publicId, isProven: session.isProven },
        impersonator: session.impersonator,
      };
      return session.fresh ? { ...live, setCookie: lucia.createSessionCookie(id).serialize() } : live;
    },

    async end(cookieHeader, client) {
      const id = idIn(cookieHeader);
      if (id) {
        await atomically(db, async (trx) => {
          const store = luciaOver(trx, cookie);
          const { user, session } = await store.validateSession(id);
          await store.invalidateSession(id);
          const impersonator = session?.impersonator ?? null;
          if (user) {
            await recordPassage(trx, { user: user.user, procedure: 'auth.logOut', client, impersonator });
          }
        });
      }
      return lucia.createBlankSessionCookie().serialize();
    },

    sweep: () => lucia.deleteExpiredSessions(),
  };
}
