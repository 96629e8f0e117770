import * as Radix from 'radix-ui/alert-dialog';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { DIALOG_STYLES, DialogFooter, SCRIM_STYLES } from './dialog.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';
import { Notice } from './notice.tsx';
import { useFocusKept } from './use-focus-kept.ts';
import { useFocusReturn } from './use-focus-return.ts';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What is lost. */
  description: ReactNode;
  /** The thing's name, which has to be typed. */
  name: string;
  /** The verb on the button, for example 'Delete project'. */
  confirmLabel: string;
  /** The way out, where 'Cancel' could be taken for the action itself. */
  keepLabel?: string;
  onConfirm: () => void;
  pending?: boolean;
  /** Why the last try was refused. */
  refusal?: string | undefined;
  /** More than a sentence about it, for example a list of what goes or a choice. */
  children?: ReactNode;
}

/** Asks for a destructive action to be confirmed by typing the name of the thing. */
export function ConfirmDialog({ open, onOpenChange, ...rest }: ConfirmDialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM_STYLES} />
        <Radix.Content {...useFocusReturn()} className={classNames(DIALOG_STYLES, 'max-w-lg')}>
          <Confirmation {...rest} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A component of its own so that each opening starts with an empty field. */
function Confirmation({
  title,
  description,
  name,
  confirmLabel,
  keepLabel = 'Cancel',
  onConfirm,
  pending = false,
  refusal,
  children,
}: Omit<ConfirmDialogProps, 'open' | 'onOpenChange'>) {
  const [typed, setTyped] = useState('');
  // A refusal from before this opening says nothing any more.
  const [tried, setTried] = useState(false);
  const matches = typed.trim() === name;
  useFocusKept(pending);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!matches || pending) return;
    setTried(true);
    onConfirm();
  }

  return (
    <form onSubmit={submit} className="overflow-y-auto p-6">
      <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
      <Radix.Description className="mt-1 mb-4 text-muted text-sm">{description}</Radix.Description>
      {children && <div className="mb-5">{children}</div>}
      <Field
        label={
          <>
            Type <strong className="break-all font-mono text-fg">{name}</strong> to confirm
          </>
        }
      >
        <Input
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      {tried && refusal && <Notice tone="danger" title={refusal} className="mt-4" />}
      <DialogFooter>
        <Radix.Cancel asChild>
          <Button variant="secondary">{keepLabel}</Button>
        </Radix.Cancel>
        <Button type="submit" variant="danger" disabled={!matches} pending={pending}>
          {confirmLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}
