import type { Factors } from '@nephos/contracts';
import { QueryClientProvider } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { absenceOf, type CallError, fieldErrorsOf, isUnauthorized, sentenceOf } from './errors.ts';
import { LoadFailure } from './load-failure.tsx';
import { knowsPasskeys, passkeyFailure, signWithPasskey } from './passkeys.ts';
import { sendToLogin } from './send-to-login.ts';
import { createData, trpc } from './trpc.ts';

let asking: Promise<void> | undefined;

/**
 * Asks, over whatever is shown, for a proof of who the person is, once for all who ask at the same time. Rejects with an
 * AbortError where the person does not want to.
 */
export function askForProof(): Promise<void> {
  asking ??= show().finally(() => {
    asking = undefined;
  });
  return asking;
}

/** In a tree of its own: whatever asks may be under way in a dialog, or on no page at all. */
function show(): Promise<void> {
  const { client, queryClient } = createData();
  const place = document.body.appendChild(document.createElement('div'));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Whoever asks next would wait for ever for a dialog that is gone.
  const root = createRoot(place, { onUncaughtError: (error) => reject(error) });
  root.render(
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <ProveDialog
          onProven={resolve}
          onClose={() => reject(new DOMException('Not confirmed', 'AbortError'))}
        />
      </QueryClientProvider>
    </trpc.Provider>,
  );
  return promise.finally(() => {
    root.unmount();
    place.remove();
  });
}

interface ProveDialogProps {
  onProven: () => void;
  onClose: () => void;
}

function ProveDialog({ onProven, onClose }: ProveDialogProps) {
  const factors = trpc.auth.factors.useQuery();
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title="Confirm it's you" description="You won't be asked again for an hour.">
        {factors.data ? (
          <Ways factors={factors.data} onProven={onProven} />
        ) : factors.error ? (
          <LoadFailure query={factors} failure="Failed to load how you can confirm" />
        ) : (
          <SkeletonGroup label="Loading">
            <Skeleton className="h-28" />
          </SkeletonGroup>
        )}
      </DialogContent>
    </Dialog>
  );
}

interface WaysProps {
  factors: Factors;
  onProven: () => void;
}

function Ways({ factors: { passwordSet, totp, passkeys, recoveryCodesLeft }, onProven }: WaysProps) {
  const hasPasskey = knowsPasskeys && passkeys.some(({ usable }) => usable);
  const hasCode = totp || recoveryCodesLeft > 0;
  const [byPassword, setByPassword] = useState(!totp && passwordSet);
  if (!passwordSet && !hasCode && !hasPasskey) return <LogInAgain />;
  return (
    <>
      {hasPasskey && <PasskeyProof onProven={onProven} />}
      {(passwordSet || hasCode) && (
        <Typed
          byPassword={byPassword}
          onProven={onProven}
          {...(passwordSet && hasCode && { onOther: () => setByPassword(!byPassword) })}
        />
      )}
    </>
  );
}

interface TypedProps {
  byPassword: boolean;
  onProven: () => void;
  onOther?: () => void;
}

function Typed({ byPassword, ...form }: TypedProps) {
  return <ProofForm key={String(byPassword)} way={byPassword ? 'password' : 'code'} {...form} />;
}

function PasskeyProof({ onProven }: { onProven: () => void }) {
  const begin = trpc.auth.beginProof.useMutation();
  const prove = trpc.auth.prove.useMutation();
  const [failure, setFailure] = useState<string>();

  async function confirm() {
    setFailure(undefined);
    try {
      await prove.mutateAsync({ passkey: await signWithPasskey(await begin.mutateAsync()) });
      onProven();
    } catch (error) {
      setFailure(passkeyFailure(error));
    }
  }

  return (
    <div className="mb-4 flex flex-col gap-3 border-line border-b pb-5">
      <Button pending={begin.isPending || prove.isPending} onClick={() => void confirm()}>
        <Fingerprint aria-hidden="true" />
        Use a passkey
      </Button>
      {failure && <Notice tone="danger" title={failure} />}
    </div>
  );
}

const WAYS = {
  password: { label: 'Password', type: 'password', autoComplete: 'current-password', other: 'Use a code' },
  code: {
    label: 'Code',
    type: 'text',
    autoComplete: 'one-time-code',
    hint: 'From your authenticator app, or a recovery code.',
    other: 'Use your password',
  },
} as const;

interface ProofFormProps {
  way: 'password' | 'code';
  onProven: () => void;
  /** Absent where there is no other way. */
  onOther?: () => void;
}

function ProofForm({ way, onProven, onOther }: ProofFormProps) {
  const [given, setGiven] = useState('');
  const { label, other, ...control } = WAYS[way];
  // No action of the console's: it would ask for the person's role, which this tree knows nothing of.
  const prove = trpc.auth.prove.useMutation();
  const hint = 'hint' in control && control.hint;
  return (
    <form
      className="flex flex-col gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (given === '' || prove.isPending) return;
        prove.mutate(
          { [way]: given },
          { onSuccess: onProven, onError: (error) => isUnauthorized(error) && sendToLogin() },
        );
      }}
    >
      <Field label={label} required error={prove.error ? failureOf(prove.error, way) : undefined} hint={hint}>
        <Input
          type={control.type}
          autoComplete={control.autoComplete}
          value={given}
          onChange={(event) => setGiven(event.target.value)}
        />
      </Field>
      <DialogFooter>
        {onOther && (
          <Button className="mr-auto" onClick={onOther}>
            {other}
          </Button>
        )}
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={given === ''} pending={prove.isPending}>
          Confirm
        </Button>
      </DialogFooter>
    </form>
  );
}

function failureOf(error: CallError, way: ProofFormProps['way']): string {
  return fieldErrorsOf(error)[way] ?? absenceOf(error) ?? sentenceOf(error, 'Failed to confirm');
}

/** For who has neither password nor code: the identity provider says again who it is. */
function LogInAgain() {
  const found = trpc.auth.connections.useQuery();
  const { pathname, search } = window.location;
  const again = `?again=1&returnTo=${encodeURIComponent(pathname + search)}`;
  const { connections = [], providers = [] } = found.data ?? {};
  const connected = new Set(connections.map(({ providerId }) => providerId));
  return (
    <>
      <Notice tone="info" title="Log in again to confirm">
        Your account has no password and no authenticator app, so your identity provider confirms it's you.
        You come back to this page; what you typed on it is lost.
      </Notice>
      {found.error && <LoadFailure query={found} failure="Failed to load how you can confirm" />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        {providers
          .filter(({ id }) => connected.has(id))
          .map(({ id, name, path }) => (
            <Button key={id} variant="primary" onClick={() => window.location.assign(path + again)}>
              Log in again with {name}
            </Button>
          ))}
      </DialogFooter>
    </>
  );
}
