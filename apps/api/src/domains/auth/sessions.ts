import type { User } from '@nephos/contracts';

/** Sessions in cookies. The only thing the rest of the API knows of them. */
export interface Sessions {
  /** Begins a session; the result is a `Set-Cookie` value. */
  create(userId: string, from: { ip: string; userAgent: string }): Promise<string>;
  /** The live session that a `Cookie` header carries, with its user as the database has them now. */
  read(
    cookieHeader: string | undefined,
  ): Promise<{ user: User; sessionId: string; setCookie?: string } | null>;
  /** Ends the session that a `Cookie` header carries; the result is a `Set-Cookie` value that clears it. */
  end(cookieHeader: string | undefined): Promise<string>;
}
