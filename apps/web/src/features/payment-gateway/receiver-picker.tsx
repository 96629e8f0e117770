import type { VirtualAccount } from '@nephos/contracts';
import { Command } from 'cmdk';
import { Check, ChevronDown } from 'lucide-react';
import * as Popover from 'radix-ui/popover';
import { useMemo, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { classNames } from '../../ui/class-names.ts';
import { CONTROL_STYLES } from '../../ui/control-styles.ts';
import { Field, useFieldControl } from '../../ui/field.tsx';
import { OVERLAY_STYLES } from '../../ui/overlay-styles.ts';
import type { Party } from './payment-draft.ts';

export interface ReceiverPickerProps {
  accounts: readonly VirtualAccount[];
  /** Id of the account that the money leaves. */
  from: string;
  /** What the form holds. */
  receiver: Party;
  onPick: (receiver: Party) => void;
}

/** Somebody to choose. */
interface Choice extends Party {
  id: string;
  note: string;
}

function isSame(one: Party, other: Party): boolean {
  return (
    one.accountNumber === other.accountNumber &&
    one.accountName === other.accountName &&
    one.bankName === other.bankName
  );
}

/** Fills in the receiver from a beneficiary or another account of one's own; nothing where there are none. */
export function ReceiverPicker({ accounts, from, receiver, onPick }: ReceiverPickerProps) {
  // A help only: without it, everything can still be typed.
  const { data: beneficiaries } = trpc.paymentGateway.beneficiaries.useQuery();
  const choices = useMemo<Choice[]>(
    () => [
      ...accounts.filter(({ id }) => id !== from).map((account) => ({ ...account, note: 'Your account' })),
      ...(beneficiaries ?? []).map((beneficiary) => ({ ...beneficiary, note: beneficiary.bankName })),
    ],
    [accounts, from, beneficiaries],
  );
  if (choices.length === 0) return null;
  return (
    <Field label="Beneficiary">
      <Picker choices={choices} chosen={choices.find((choice) => isSame(choice, receiver))} onPick={onPick} />
    </Field>
  );
}

interface PickerProps extends Pick<ReceiverPickerProps, 'onPick'> {
  choices: readonly Choice[];
  chosen: Choice | undefined;
}

const CHOOSE = 'Choose a beneficiary';

function Picker({ choices, chosen, onPick }: PickerProps) {
  const { required: _, ...field } = useFieldControl();
  const [open, setOpen] = useState(false);
  return (
    // Modal, since it stands in a dialog that keeps the wheel from everything outside of itself.
    <Popover.Root modal open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        {...field}
        role="combobox"
        className={classNames(CONTROL_STYLES, 'flex h-9 items-center justify-between gap-2 text-left')}
      >
        <span className={classNames('truncate', !chosen && 'text-faint')}>
          {chosen ? `${chosen.accountName} · ${chosen.note}` : CHOOSE}
        </span>
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-faint" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={CHOOSE}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={classNames(
            OVERLAY_STYLES,
            'z-50 w-(--radix-popover-trigger-width) min-w-64 max-w-(--radix-popover-content-available-width) animate-pop-in',
          )}
        >
          <Choices
            choices={choices}
            chosen={chosen}
            onPick={(choice) => {
              setOpen(false);
              onPick(choice);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The most that are drawn at once: a list of a thousand takes a second to open. */
const SHOWN = 50;

/** A search, and what it finds. */
function Choices({ choices, chosen, onPick }: PickerProps) {
  const [text, setText] = useState('');
  const found = useMemo(() => search(choices, text), [choices, text]);
  return (
    <Command shouldFilter={false} loop>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Search by name, number or bank"
        className="h-10 w-full border-line border-b bg-transparent px-3 text-base text-fg outline-none placeholder:text-faint max-md:text-lg"
      />
      <Command.List
        label="Beneficiaries"
        className="max-h-[min(20rem,var(--radix-popover-content-available-height)-5rem)] overflow-y-auto overscroll-contain p-1"
      >
        <Command.Empty className="px-3 py-6 text-center text-muted">No beneficiaries found</Command.Empty>
        {found.slice(0, SHOWN).map((choice) => (
          <Command.Item
            key={choice.id}
            value={choice.id}
            onSelect={() => onPick(choice)}
            className="flex min-h-8 cursor-default select-none items-center justify-between gap-3 rounded-sm px-2 py-1 text-base data-[selected=true]:bg-hover"
          >
            <span className="min-w-0 break-words">{`${choice.accountName} · ${choice.note}`}</span>
            {choice === chosen && <Check aria-hidden="true" className="size-4 shrink-0 text-accent-text" />}
          </Command.Item>
        ))}
      </Command.List>
      {found.length > SHOWN && (
        <p className="border-line border-t px-3 py-2 text-faint text-sm">
          {`${SHOWN} of ${found.length.toLocaleString('en-US')} shown. Search to find the others.`}
        </p>
      )}
    </Command>
  );
}

/** Those that have every word somewhere in their name, number or bank. */
function search(choices: readonly Choice[], text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  return choices.filter(({ accountName, accountNumber, bankName, note }) => {
    const about = `${accountName} ${accountNumber} ${bankName} ${note}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
}
