import * as Radix from 'radix-ui/alert-dialog';
import { type FormEvent, type ReactNode, useState } from 'react';
import { AlertDialog } from './alert-dialog.tsx';
import { Button } from './button.tsx';
import { DialogFooter } from './dialog.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';
import { Notice } from './notice.tsx';
import { useFocusKept } from './use-focus-kept.ts';
import { useShown } from './use-shown.ts';
import { withReason } from './with-reason.ts';

interface ConfirmationProps {
  title: string;
  /** What is lost. */
  description: ReactNode;
  /** The thing's name, which has to be typed. */
  name: string;
  /** The verb on the button, for example 'Delete project'. */
  label: string;
  /** The way out, where 'Cancel' could be taken for the action itself. */
  keepLabel?: string;
  /** The write: whether it is under way, why it was refused, and why it need not be tried. */
  action: { pending: boolean; refusal: string | undefined; forbidden?: string | undefined };
  /** Begins the write, which calls `close` once it is done. */
  onConfirm: (close: () => void) => void;
  /** More than a sentence about it, for example a list of what goes or a choice. */
  children?: ReactNode;
}

export interface DeleteDialogProps extends ConfirmationProps {
  /** Renders the button, which calls `open`. Absent, the dialog is open for as long as it is mounted. */
  trigger?: (open: () => void) => ReactNode;
  onClose?: () => void;
}

/** A dialog that deletes a thing once its name is typed, and the button that opens the dialog. */
export function DeleteDialog({ trigger, onClose, onConfirm, ...confirmation }: DeleteDialogProps) {
  const [asking, setAsking] = useState(trigger === undefined);
  const shown = useShown();

  function change(open: boolean) {
    setAsking(open);
    if (!open) onClose?.();
  }

  return (
    <>
      {withReason(
        trigger?.(() => change(true)),
        confirmation.action.forbidden,
      )}
      <AlertDialog open={asking} onOpenChange={change}>
        <Confirmation {...confirmation} onConfirm={() => onConfirm(() => shown.current && change(false))} />
      </AlertDialog>
    </>
  );
}

/** A component of its own so that each opening starts with an empty field. */
function Confirmation({
  title,
  description,
  name,
  label,
  keepLabel = 'Cancel',
  action: { pending, refusal, forbidden },
  onConfirm,
  children,
}: Omit<ConfirmationProps, 'onConfirm'> & { onConfirm: () => void }) {
  const [typed, setTyped] = useState('');
  // A refusal from before this opening says nothing any more.
  const [tried, setTried] = useState(false);
  const matches = typed.trim() === name && forbidden === undefined;
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
      <NameField name={name} typed={typed} onType={setTyped} />
      {forbidden && <Notice tone="warning" title={forbidden} className="mt-4" />}
      {tried && refusal && <Notice tone="danger" title={refusal} className="mt-4" />}
      <DialogFooter>
        <Radix.Cancel asChild>
          <Button variant="secondary">{keepLabel}</Button>
        </Radix.Cancel>
        <Button type="submit" variant="danger" disabled={!matches} pending={pending}>
          {label}
        </Button>
      </DialogFooter>
    </form>
  );
}

interface NameFieldProps {
  name: string;
  typed: string;
  onType: (typed: string) => void;
}

function NameField({ name, typed, onType }: NameFieldProps) {
  return (
    <Field
      label={
        <>
          Type <strong className="break-all font-mono text-fg">{name}</strong> to confirm
        </>
      }
    >
      <Input
        value={typed}
        onChange={(event) => onType(event.target.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </Field>
  );
}
