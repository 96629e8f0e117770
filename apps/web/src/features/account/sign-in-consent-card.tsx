import { CONSENT_HOURS } from '@nephos/contracts/constants';
import { formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Whether admins may sign in as the person, and how that begins and ends. */
export function SignInConsentCard() {
  const consent = trpc.auth.signInConsent.useQuery(undefined, { refetchOnMount: 'always' });
  return (
    <Card>
      <CardHeader
        title="Admin sign-in"
        description="Let an admin of this server sign in as you, for example to look into a problem. They can see and change everything in your workspaces but secrets, money, people and your account. What they deploy for you runs with your apps' secrets."
      />
      {consent.error && !consent.data && (
        <div className="mt-4">
          <LoadFailure query={consent} failure="Failed to load who may sign in as you" />
        </div>
      )}
      {consent.data && (consent.data.endsAt === null ? <Allow /> : <Allowed {...consent.data} />)}
    </Card>
  );
}

function useConsentAction() {
  const utils = trpc.useUtils();
  return [utils.auth.signInConsent];
}

function Allow() {
  const allow = useAction(trpc.auth.allowSignIn.useMutation(), {
    success: 'Admins can sign in as you',
    failure: 'Failed to allow it',
    serverSpeaks: true,
    refresh: useConsentAction(),
  });
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-3">
        {CONSENT_HOURS.map((hours) => (
          <Button key={hours} disabled={allow.pending} onClick={() => allow.run({ hours })}>
            {`Allow for ${hours} ${hours === 1 ? 'hour' : 'hours'}`}
          </Button>
        ))}
      </div>
      {allow.refusal && <Notice tone="danger" title={allow.refusal} className="mt-3" />}
    </>
  );
}

function Allowed({ endsAt, signedIn }: { endsAt: string | null; signedIn: readonly string[] }) {
  const end = useAction(trpc.auth.endSignInConsent.useMutation(), {
    success: 'Admins can no longer sign in as you',
    failure: 'Failed to end it',
    serverSpeaks: true,
    refresh: useConsentAction(),
  });
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p role="status" className="min-w-0 grow basis-60 break-words">
        Allowed until {formatInstant(endsAt ?? '')}.{' '}
        {signedIn.length === 0 ? 'Nobody is signed in as you.' : `Signed in as you: ${signedIn.join(', ')}.`}
      </p>
      <Button pending={end.pending} onClick={() => end.run()}>
        End now
      </Button>
    </div>
  );
}
