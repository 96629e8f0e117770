import type { SignedInUser, WorkspaceOfCall } from '@nephos/contracts';
import { useRouter } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { keepTabWorkspace } from './tab-workspace.ts';
import { trpc } from './trpc.ts';
import { type Action, useAction } from './use-action.ts';
import { useUser } from './use-user.ts';

/** For the moment until the tab has left a workspace that is gone. */
const GONE: WorkspaceOfCall = { id: '', name: '', personal: false, role: 'viewer' };

/** The workspace that the console shows. */
export function useWorkspace(): WorkspaceOfCall {
  return useUser().workspace ?? GONE;
}

/** Draws the whole console anew, for somebody in another workspace: nothing of the former is left in it. */
export const ShowConsole = createContext<(user: SignedInUser) => void>(() => window.location.reload());

/** Pages within one, such as a project's, are of one workspace alone. */
const SHARED_PAGE = /^\/(?!join\/)[^/]*\/?$/;

/**
 * Shows another workspace: on the same page where both have it, else on `/`; or at `path`. Other tabs go on with theirs.
 */
export function useEnterWorkspace(path?: string): Action<{ id: string }> {
  const show = use(ShowConsole);
  const router = useRouter();
  const user = useUser();
  return useAction(trpc.workspaces.enter.useMutation(), {
    failure: 'Failed to open the workspace',
    serverSpeaks: true,
    onDone({ id, name, personal, role }) {
      const entered = { ...user, workspace: { id, name, personal, role } };
      const { pathname } = router.latestLocation;
      keepTabWorkspace(entered);
      // The former console's router would go there by itself.
      router.history.destroy();
      window.history.pushState(null, '', path ?? (SHARED_PAGE.test(pathname) ? pathname : '/'));
      show(entered);
    },
  });
}
