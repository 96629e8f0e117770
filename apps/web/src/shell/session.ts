import type { User } from '@nephos/contracts';

export type Session =
  | { status: 'loading' }
  | { status: 'signed-in'; user: User }
  | { status: 'signed-out' }
  /** The server could not say who we are. */
  | { status: 'unavailable' };

/** Asks who is signed in. Plain `fetch`, because it runs before anything of the console is loaded. */
export async function fetchSession(): Promise<Session> {
  try {
    const response = await fetch('/api/auth/user', { credentials: 'include' });
    // Read in any case: a body left unread holds its connection.
    const body = await response.text();
    if (response.status === 401) return { status: 'signed-out' };
    if (!response.ok) return { status: 'unavailable' };
    // Our own server's contracted answer (`User`); the schema itself would cost every visitor the validator.
    const user: User = JSON.parse(body);
    return { status: 'signed-in', user };
  } catch {
    return { status: 'unavailable' };
  }
}
