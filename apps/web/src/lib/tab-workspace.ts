import type { SignedInUser } from '@nephos/contracts';

/** Holds which workspace the tab shows, so that it goes on with it after a reload, whatever other tabs show. */
const STORAGE_KEY = 'workspace';

export interface TabWorkspace {
  id: string;
  name: string;
  /** Who looked at it: somebody else may log in in the same tab. */
  userId: string;
}

/** What the tab shows; undefined in a new tab, whose workspace is the session's. */
export function tabWorkspace(): TabWorkspace | undefined {
  try {
    // Our own writing.
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers what the tab shows. */
export function keepTabWorkspace({ id: userId, workspace }: SignedInUser): void {
  try {
    if (!workspace) {
      sessionStorage.removeItem(STORAGE_KEY);
      return;
    }
    const { id, name } = workspace;
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ id, name, userId } satisfies TabWorkspace));
  } catch {
    // Storage may be closed to us; the tab then shows the session's.
  }
}

/** Names the tab's workspace in calls that go past the client. */
export function workspaceHeaders(): Record<string, string> {
  const shown = tabWorkspace();
  return shown ? { 'x-workspace': shown.id } : {};
}

/** An address of our own that the browser asks for by itself, without headers, as for a download or a picture. */
export function inWorkspace(path: string): string {
  const shown = tabWorkspace();
  return shown ? `${path}${path.includes('?') ? '&' : '?'}workspace=${shown.id}` : path;
}
