import type { PlanTier } from '@nephos/contracts/constants';
import { lazy, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { LatePart } from '../../../shell/late-part.tsx';
import { toast } from '../../../ui/toast.ts';
import { CardFormSkeleton, priceOf, type StartedPayment } from './payment-form.tsx';
import { PROCESSED, useSubscribe } from './payment-outcome.ts';
import { NotBegun, NotRecorded } from './payment-stopped.tsx';
import { SandboxPayment } from './sandbox-payment.tsx';
import { SavedCard } from './saved-card.tsx';

/** Apart from the page, since few visits come to pay. */
const StripePayment = lazy(() =>
  import('./stripe-payment.tsx').then(({ StripePayment }) => ({ default: StripePayment })),
);

export interface PaymentStepProps {
  tier: PlanTier;
  /** Undefined until it was begun. */
  payment: StartedPayment | undefined;
  /** Whether it is another plan than the present one. */
  changes: boolean;
  /** Why it could not be begun. */
  refusal: string | undefined;
  onRetry: () => void;
  onBusy: (busy: boolean) => void;
  onClose: () => void;
}

/** What is charged, and the card that pays it. */
export function PaymentStep({ changes, ...payment }: PaymentStepProps) {
  // The plans may have been scrolled through; what follows them begins at its top.
  const top = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    void top.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <>
      <p ref={top} className="mb-4 scroll-mt-4 text-muted">
        <strong className="font-semibold text-fg">{priceOf(payment.tier)}</strong> is charged now, then every
        month to the same card until you cancel.
        {changes && ' It replaces your current plan and starts a new month.'}
      </p>
      <CardPayment {...payment} />
    </>
  );
}

/** The card, at whoever takes card payments here; then the subscription is recorded. */
function CardPayment(props: Omit<PaymentStepProps, 'changes'>): ReactNode {
  const { tier, payment, refusal, onRetry, onBusy, onClose } = props;
  const provider = trpc.billing.provider.useQuery();
  // Whether a card is kept. Where that is not known, one is entered.
  const summary = trpc.billing.summary.useQuery();
  const [another, setAnother] = useState(false);
  const { unrecorded, ...progress } = useSettlement({ tier, onBusy, onDone: onClose });
  if (refusal && !payment) return <NotBegun refusal={refusal} onRetry={onRetry} onClose={onClose} />;
  if (provider.error) return <LoadFailure query={provider} failure="Failed to load the card form" />;
  if (!payment || !provider.data) return <CardFormSkeleton />;
  if (unrecorded)
    return <NotRecorded refusal={unrecorded.refusal} onRetry={unrecorded.retry} onClose={onClose} />;
  const { publishableKey, testMode, testCards } = provider.data;
  const form = { tier, payment, ...progress };
  if (summary.isPending) return <CardFormSkeleton />;
  const card = summary.data?.paymentMethod;
  if (card && !another) {
    return (
      <SavedCard
        {...form}
        card={card}
        publishableKey={publishableKey}
        testMode={testMode}
        onUseAnother={() => setAnother(true)}
      />
    );
  }
  if (publishableKey === null) return <SandboxPayment {...form} testCards={testCards} />;
  return (
    <LatePart wanted fallback={<CardFormSkeleton />}>
      <StripePayment {...form} publishableKey={publishableKey} testMode={testMode} />
    </LatePart>
  );
}

interface SettlementOptions {
  tier: PlanTier;
  onBusy: (busy: boolean) => void;
  onDone: () => void;
}

/** What follows the card: the payment while it is under way, then the subscription that it pays for. */
function useSettlement({ tier, onBusy, onDone }: SettlementOptions) {
  const [paying, setPaying] = useState(false);
  // The payment that succeeded: it is not made again, whatever becomes of what follows.
  const [paid, setPaid] = useState<string>();
  const { run, pending, refusal } = useSubscribe({ onDone });
  const busy = paying || pending;
  useEffect(() => {
    onBusy(busy);
    return () => onBusy(false);
  }, [busy, onBusy]);

  function record(paymentIntentId: string) {
    setPaid(paymentIntentId);
    run({ planTier: tier, paymentIntentId });
  }

  return {
    busy,
    onPaying: setPaying,
    onPaid: record,
    onUndecided() {
      toast(PROCESSED);
      onDone();
    },
    /** Set where the payment succeeded and the subscription could not be recorded. */
    unrecorded:
      paid !== undefined && refusal !== undefined ? { refusal, retry: () => record(paid) } : undefined,
  };
}
