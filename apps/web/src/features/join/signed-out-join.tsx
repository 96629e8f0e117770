import type { WorkspaceInvitationState } from '@nephos/contracts';
import { useEffect, useState } from 'react';
import { LOGIN_PATH } from '../../lib/account-paths.ts';
import { fetchAgain } from '../../lib/fetch-again.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Notice } from '../../ui/notice.tsx';
import { InvitationView } from './invitation-view.tsx';

/** A workspace's invitation, for somebody who has to log in or sign up first, and comes back to it then. */
export function SignedOutJoin({ path }: { path: string }) {
  const token = path.split('/')[2] ?? '';
  const { answer, ask } = useInvitation(token);
  if (answer === undefined) return null;
  const back = new URLSearchParams({ returnTo: path });
  return (
    <main className="flex min-h-dvh flex-col">
      {answer === 'failed' ? (
        <div className="m-auto p-6">
          <Notice
            tone="danger"
            title="The invitation could not be loaded"
            action={
              <Button size="sm" onClick={ask}>
                Try again
              </Button>
            }
          />
        </div>
      ) : (
        <InvitationView
          invitation={answer}
          away={
            <a href="/" className={buttonStyles({})}>
              Go to the home page
            </a>
          }
        >
          <a href={`${LOGIN_PATH}?${back}`} className={buttonStyles({ variant: 'primary' })}>
            Log in to join
          </a>
          <a href={`${LOGIN_PATH}?mode=signup&${back}&invite=${token}`} className={buttonStyles({})}>
            Create an account
          </a>
        </InvitationView>
      )}
    </main>
  );
}

type Answer = WorkspaceInvitationState | null | 'failed';

function useInvitation(token: string) {
  const [attempt, setAttempt] = useState(0);
  const [got, setGot] = useState<{ attempt: number; answer: Answer }>();

  useEffect(() => {
    let over = false;
    void read(token).then((answer) => over || setGot({ attempt, answer }));
    return () => {
      over = true;
    };
  }, [token, attempt]);

  return {
    answer: got?.attempt === attempt ? got.answer : undefined,
    ask: () => setAttempt(attempt + 1),
  };
}

/** Without the client, which would load the console for somebody who may never see it. */
async function read(token: string): Promise<Answer> {
  try {
    const response = await fetchAgain(`/api/workspace-invitations/${token}`);
    if (response.status === 404 || response.status === 400) return null;
    // Our own server's contracted answer.
    return response.ok ? await response.json() : 'failed';
  } catch {
    return 'failed';
  }
}
