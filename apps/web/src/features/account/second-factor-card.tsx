import type { Factors, RecoveryCodes, TotpSetup } from '@nephos/contracts';
import { Plus, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { TWO_STEP } from '../../lib/lead-to-factors.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { demandersOf, lossOf } from './demanders.ts';
import { PasskeyList } from './passkey-list.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { TotpDialog } from './totp-dialog.tsx';

/** Whoever was led to this card sees it, however far down it is. */
function showIfLedTo(card: HTMLElement | null) {
  if (window.location.hash === `#${TWO_STEP}`) card?.scrollIntoView();
}

/** What is asked for besides the password. */
export function SecondFactorCard() {
  const factors = trpc.auth.factors.useQuery();
  return (
    <Card id={TWO_STEP} ref={showIfLedTo}>
      <CardHeader
        title="Two-step login"
        description="A second proof besides your password, so that the password alone opens nothing."
      />
      <div className="mt-4">
        {factors.data ? (
          <Ways factors={factors.data} />
        ) : factors.error ? (
          <LoadFailure query={factors} failure="Failed to load two-step login" />
        ) : (
          <SkeletonGroup label="Loading two-step login">
            <Skeleton className="h-16" />
          </SkeletonGroup>
        )}
      </div>
    </Card>
  );
}

function Ways({ factors }: { factors: Factors }) {
  const { passkeys, totp } = factors;
  const isOn = totp || passkeys.length > 0;
  const demanders = demandersOf(factors.demandedBy);
  const loss = lossOf(factors);
  return (
    <>
      {!isOn && demanders !== '' && (
        <Notice className="mb-4" tone="warning" title={`${demanders} two-step login`}>
          Set up an authenticator app or a passkey here to go on. Until then, you and your access tokens are
          kept out.
        </Notice>
      )}
      <AuthenticatorApp totp={totp} loss={loss} />
      <PasskeyList passkeys={passkeys} loss={loss} />
      {isOn && (
        <p className="mt-4 flex flex-wrap items-center justify-between gap-2 border-line border-t pt-4 text-muted text-sm">
          {factors.recoveryCodesLeft} {factors.recoveryCodesLeft === 1 ? 'recovery code' : 'recovery codes'}{' '}
          left
          <NewCodes />
        </p>
      )}
    </>
  );
}

interface AuthenticatorAppProps extends Pick<Factors, 'totp'> {
  /** What more follows when it is removed. */
  loss: string;
}

function AuthenticatorApp({ totp, loss }: AuthenticatorAppProps) {
  if (!totp) return <SetUp />;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t pt-4">
      <ShieldCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
      <div className="min-w-0 grow basis-40">
        <p className="font-medium">Authenticator app</p>
        <p className="mt-0.5 text-faint text-sm">A code of six digits from your phone</p>
      </div>
      <RemoveApp loss={loss} />
    </div>
  );
}

function SetUp() {
  const utils = trpc.useUtils();
  const [setup, setSetup] = useState<TotpSetup>();
  const begin = useAction(trpc.auth.beginTotp.useMutation(), {
    failure: 'Failed to set up the authenticator app',
    serverSpeaks: true,
    leave: setSetup,
  });
  return (
    <>
      <Button pending={begin.pending} onClick={() => begin.run()}>
        <Plus aria-hidden="true" />
        Set up authenticator app
      </Button>
      {setup && (
        <TotpDialog
          setup={setup}
          onClose={() => {
            setSetup(undefined);
            // Whoever was kept out without it is let in now.
            void utils.invalidate();
          }}
        />
      )}
    </>
  );
}

function NewCodes() {
  const utils = trpc.useUtils();
  const [made, setMade] = useState<RecoveryCodes>();
  const renew = useAction(trpc.auth.renewRecoveryCodes.useMutation(), {
    failure: 'Failed to make recovery codes',
    serverSpeaks: true,
    refresh: [utils.auth.factors],
    onDone: setMade,
  });
  return (
    <>
      <ConfirmDialog
        title="Make new recovery codes?"
        description="The codes that you have stop working."
        label="Make new codes"
        action={renew}
        onConfirm={(close) => renew.run(undefined, close)}
        trigger={(open) => (
          <Button size="sm" onClick={open}>
            New recovery codes
          </Button>
        )}
      />
      {made && <RecoveryCodesDialog {...made} onClose={() => setMade(undefined)} />}
    </>
  );
}

function RemoveApp({ loss }: Pick<AuthenticatorAppProps, 'loss'>) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.auth.removeTotp.useMutation(), {
    success: 'Authenticator app removed',
    failure: 'Failed to remove the authenticator app',
    serverSpeaks: true,
    refresh: [utils.auth.factors],
  });
  return (
    <ConfirmDialog
      title="Remove authenticator app?"
      description={`Without another second factor, your password alone logs you in, and recovery codes stop working.${loss}`}
      label="Remove app"
      action={remove}
      onConfirm={(close) => remove.run(undefined, close)}
      trigger={(open) => (
        <Button size="sm" aria-label="Remove authenticator app" onClick={open}>
          Remove
        </Button>
      )}
    />
  );
}
