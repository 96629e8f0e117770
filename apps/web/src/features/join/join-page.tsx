import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { statusOf } from '../../lib/errors.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useLogoutPath } from '../../lib/use-logout-path.ts';
import { useUser } from '../../lib/use-user.ts';
import { useEnterWorkspace } from '../../lib/use-workspace.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { InvitationView } from './invitation-view.tsx';

/** A workspace's invitation, for somebody who is signed in. */
export function JoinPage({ token }: { token: string }) {
  const { email } = useUser();
  const logoutPath = useLogoutPath();
  const invitation = trpc.workspaces.invitation.useQuery({ token }, { staleTime: 0 });
  const isNone = invitation.error !== null && [400, 404].includes(statusOf(invitation.error) ?? 0);
  if (invitation.isPending) return <Skeleton className="h-64" />;
  if (invitation.error && !isNone) {
    return <LoadFailure query={invitation} failure="Failed to load the invitation" />;
  }
  return (
    <InvitationView
      invitation={invitation.data ?? null}
      email={email}
      away={
        <>
          <Link to="/" className={buttonStyles({})}>
            Go to the home page
          </Link>
          <a href={logoutPath} className={buttonStyles({})}>
            Log out
          </a>
        </>
      }
    >
      <Join token={token} />
    </InvitationView>
  );
}

function Join({ token }: { token: string }) {
  const enter = useEnterWorkspace('/');
  const [joined, setJoined] = useState<string>();
  const accept = useAction(trpc.workspaces.accept.useMutation(), {
    success: 'You joined the workspace',
    failure: 'Failed to join the workspace',
    serverSpeaks: true,
    onDone: ({ id }) => {
      setJoined(id);
      enter.run({ id });
    },
  });
  return (
    <div className="flex flex-col items-center gap-4">
      {accept.refusal && <Notice tone="danger" title={accept.refusal} />}
      <Button
        variant="primary"
        pending={accept.pending || enter.pending}
        onClick={() => (joined === undefined ? accept.run({ token }) : enter.run({ id: joined }))}
      >
        {joined === undefined ? 'Join workspace' : 'Open the workspace'}
      </Button>
    </div>
  );
}
