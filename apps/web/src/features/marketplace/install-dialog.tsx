import type { ItemInput, MarketplaceItem } from '@nephos/contracts';
import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAccess } from '../../lib/use-access.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { SubscriptionRequired } from './access-banner.tsx';
import { PasswordInput } from './password-input.tsx';
import { ResourceRows } from './resource-rows.tsx';
import { INSTALL_FAILURE, WITH_ATTEMPTS } from './use-installations.ts';

interface InstallDialogProps {
  item: MarketplaceItem;
  onClose: () => void;
}

/** Shows what installing an item makes and needs, and asks what it has to know. */
export function InstallDialog({ item, onClose }: InstallDialogProps) {
  const { id, name, description, inputs, needs, creates } = item;
  const utils = trpc.useUtils();
  const access = useAccess();
  // What it needs may have come or gone since.
  useEffect(() => void utils.marketplace.list.invalidate(), [utils]);
  const draft = useDraft<Record<string, string>>(
    Object.fromEntries(inputs.map((input) => [input.name, input.default])),
  );
  const install = useInstall(onClose);
  const answered = inputs.every(({ name, required }) => !required || draft.values[name]?.trim());
  const possible = access.kind !== 'none' && needs.every(({ available }) => available);

  return (
    <FormDialog
      title={`Install ${name}`}
      description={description}
      label="Install"
      ready={answered && possible}
      action={{ ...install, refusal: access.kind === 'none' ? undefined : install.refusal }}
      onSubmit={() => install.run({ id, inputs: draft.values })}
      onClose={onClose}
    >
      <ItemInputs inputs={inputs} draft={draft} errors={install.fields} />
      <ItemPlan creates={creates} needs={needs} />
      {access.kind === 'none' && <SubscriptionRequired />}
    </FormDialog>
  );
}

function useInstall(leave: () => void) {
  const utils = trpc.useUtils();
  const mutation = trpc.marketplace.install.useMutation({
    // The trial or the subscription has ended since it was last looked at.
    onError: ({ data }) => {
      if (data?.reason !== 'TRIAL_ENDED') return;
      void utils.auth.user.invalidate();
      void utils.billing.activeSubscription.invalidate();
    },
  });
  return useAction(mutation, {
    failure: INSTALL_FAILURE,
    serverSpeaks: true,
    refresh: [utils.marketplace.installations],
    onDone: (begun) => {
      // As it began: its end is announced, however soon the list tells of it.
      utils.marketplace.installations.setData(WITH_ATTEMPTS, (rows = []) => [
        begun,
        ...rows.filter(({ itemId }) => itemId !== begun.itemId),
      ]);
    },
    leave,
  });
}

interface ItemInputsProps {
  inputs: readonly ItemInput[];
  draft: Draft<Record<string, string>>;
  errors: FieldErrors;
}

/** The questions of an item. */
function ItemInputs({ inputs, draft: { values, set }, errors }: ItemInputsProps) {
  return inputs.map(({ name, label, hint, placeholder, required, secret }) => (
    <Field key={name} label={label} hint={hint} required={required} error={errors[`inputs.${name}`]}>
      {secret ? (
        <PasswordInput value={values[name] ?? ''} onValueChange={(typed) => set(name, typed)} />
      ) : (
        <Input
          value={values[name] ?? ''}
          onChange={(event) => set(name, event.target.value)}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      )}
    </Field>
  ));
}

/** What installing an item makes, and what it needs for that. */
function ItemPlan({ creates, needs }: Pick<MarketplaceItem, 'creates' | 'needs'>) {
  return (
    <>
      <section>
        <h3 className="mb-2 font-medium text-sm">What it creates</h3>
        <ResourceRows
          label="What it creates"
          rows={creates.map(({ kind, label }, index) => ({ key: String(index), kind, name: label }))}
        />
      </section>
      {needs.length > 0 && (
        <section>
          <h3 className="mb-2 font-medium text-sm">What it needs</h3>
          <ul aria-label="What it needs" className="flex flex-col gap-1.5 text-sm">
            {needs.map((need) => (
              <NeedRow key={need.label} need={need} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function NeedRow({ need: { label, available, reason } }: { need: MarketplaceItem['needs'][number] }) {
  const Icon = available ? CircleCheck : CircleX;
  return (
    <li className="flex gap-2.5">
      <Icon
        aria-hidden="true"
        className={available ? 'mt-0.5 size-4 shrink-0 text-success' : 'mt-0.5 size-4 shrink-0 text-danger'}
      />
      <span className="min-w-0">
        {label}
        <span className="sr-only">{available ? ': available' : ': not available'}</span>
        {!available && <span className="block break-words text-muted">{reason}</span>}
      </span>
    </li>
  );
}
