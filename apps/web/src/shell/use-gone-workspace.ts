import { useEffect, useEffectEvent } from 'react';
import { onServerBack } from '../lib/server-presence.ts';
import { tabWorkspace } from '../lib/tab-workspace.ts';
import { useUser } from '../lib/use-user.ts';
import { useEnterWorkspace } from '../lib/use-workspace.ts';
import { sayWorkspaceGone } from './workspace-gone.ts';

/** Leads out of a workspace that the person is no member of any more, to their own. */
export function useGoneWorkspace(): void {
  const { id, workspace } = useUser();
  const { run } = useEnterWorkspace();
  const isGone = workspace === null;
  const leave = useEffectEvent(() => {
    const gone = tabWorkspace() ?? { id: '', name: 'that workspace' };
    run({ id }, () => sayWorkspaceGone(gone, { personal: true }));
  });
  useEffect(() => {
    if (!isGone) return;
    leave();
    // The way out may be lost on the way.
    return onServerBack(() => leave());
  }, [isGone]);
}
