import type { SignedInUser } from '@nephos/contracts';
import { fetchAgain } from '../lib/fetch-again.ts';
import { keepTabWorkspace, tabWorkspace } from '../lib/tab-workspace.ts';
import { sayWorkspaceGone } from './workspace-gone.ts';

/** Stands in this browser's storage while somebody is signed in here: no secret and no proof, but known without the server. */
const SIGNED_IN_HERE = 'signed-in';

export type Session =
  | { status: 'loading' }
  | { status: 'signed-in'; user: SignedInUser }
  | { status: 'signed-out' }
  /** The server could not say who we are. */
  | { status: 'unavailable' };

/** Asks who is signed in, and in which workspace. No client, because it runs before anything of the console is loaded. */
export async function fetchSession(): Promise<Session> {
  const named = namedWorkspace();
  const shown = tabWorkspace();
  const asked = named ?? shown?.id;
  try {
    const response = await fetchAgain('/api/auth/user', {
      credentials: 'include',
      ...(asked && { headers: { 'x-workspace': asked } }),
    });
    // Read in any case: a body left unread holds its connection.
    const body = await response.text();
    if (response.status === 401) {
      remember(false);
      return { status: 'signed-out' };
    }
    if (!response.ok) return { status: 'unavailable' };
    // Our own server's contracted answer; the schema itself would cost every visitor the validator.
    const user: SignedInUser = JSON.parse(body);
    remember(true);
    keepTabWorkspace(user);
    if (named) forgetNamedWorkspace();
    if (asked && !user.workspace) {
      const session = await fetchSession();
      if (session.status === 'signed-in' && shown?.id === asked && shown.userId === user.id)
        sayWorkspaceGone(shown, { personal: session.user.workspace?.personal ?? false });
      return session;
    }
    return { status: 'signed-in', user };
  } catch {
    return { status: 'unavailable' };
  }
}

const NAMED = 'workspace';

/** The workspace that the page's address names, as links in mails do; undefined where it names none. */
function namedWorkspace(): string | undefined {
  const named = new URLSearchParams(window.location.search).get(NAMED);
  return named !== null && /^[\da-f-]{36}$/i.test(named) ? named : undefined;
}

/** From then on the tab knows it, and may show another at this address. */
function forgetNamedWorkspace() {
  const address = new URL(window.location.href);
  address.searchParams.delete(NAMED);
  window.history.replaceState(window.history.state, '', address);
}

function remember(signedIn: boolean) {
  try {
    if (signedIn) localStorage.setItem(SIGNED_IN_HERE, 'yes');
    else localStorage.removeItem(SIGNED_IN_HERE);
  } catch {
    // Storage may be closed to us; nothing is remembered then.
  }
}

/** Whether somebody was signed in when the server last said. */
export function wasSignedInHere(): boolean {
  try {
    return localStorage.getItem(SIGNED_IN_HERE) !== null;
  } catch {
    return false;
  }
}
