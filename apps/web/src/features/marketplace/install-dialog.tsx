import type { MarketplaceItem } from '@nephos/contracts';
import { type FormEvent, useEffect } from 'react';
import { useAccess } from '../../lib/use-access.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { SubscriptionRequired } from './access-banner.tsx';
import { INSTALL_FAILURE } from './install-failure.ts';
import { ItemInputs } from './item-inputs.tsx';
import { ItemPlan } from './item-plan.tsx';

export interface InstallDialogProps {
  /** Undefined: closed. */
  item: MarketplaceItem | undefined;
  onClose: () => void;
}

/** Shows what installing an item makes and needs, and asks what it has to know. */
export function InstallDialog({ item, onClose }: InstallDialogProps) {
  return (
    <Dialog open={item !== undefined} onOpenChange={(open) => !open && onClose()}>
      {item && (
        <DialogContent title={`Install ${item.name}`} description={item.description}>
          <InstallForm key={item.id} item={item} onDone={onClose} />
        </DialogContent>
      )}
    </Dialog>
  );
}

interface InstallFormProps {
  item: MarketplaceItem;
  onDone: () => void;
}

/** Mounted with the dialog, so that each opening starts from the defaults. */
function InstallForm({ item: { id, inputs, needs, creates }, onDone }: InstallFormProps) {
  const utils = trpc.useUtils();
  const access = useAccess();
  // What it needs may have come or gone since.
  useEffect(() => void utils.marketplace.list.invalidate(), [utils]);
  const draft = useDraft<Record<string, string>>(
    Object.fromEntries(inputs.map((input) => [input.name, input.default])),
  );
  const mutation = trpc.marketplace.install.useMutation({
    // The trial or the subscription has ended since it was last looked at.
    onError: ({ data }) => {
      if (data?.reason !== 'TRIAL_ENDED') return;
      void utils.auth.user.invalidate();
      void utils.billing.activeSubscription.invalidate();
    },
  });
  const install = useAction(mutation, {
    failure: INSTALL_FAILURE,
    serverSpeaks: true,
    refresh: [utils.marketplace.installations],
    onDone: (begun) => {
      // As it began: its end is announced, however soon the list tells of it.
      utils.marketplace.installations.setData(undefined, (rows = []) => [
        begun,
        ...rows.filter(({ itemId }) => itemId !== begun.itemId),
      ]);
      onDone();
    },
  });
  const answered = inputs.every(({ name, required }) => !required || draft.values[name]?.trim());
  const possible = access.kind !== 'none' && needs.every(({ available }) => available);
  const ready = answered && possible;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !install.pending) install.run({ id, inputs: draft.values });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5" noValidate>
      <ItemInputs inputs={inputs} draft={draft} errors={install.fields} />
      <ItemPlan creates={creates} needs={needs} />
      {access.kind === 'none' && <SubscriptionRequired />}
      <FormEnd
        label="Install"
        disabled={!ready}
        pending={install.pending}
        refusal={access.kind === 'none' ? undefined : install.refusal}
      />
    </form>
  );
}
