import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogClose, DialogContent, type DialogContentProps, DialogFooter } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { useFocusKept } from './use-focus-kept.ts';

export interface FormDialogProps extends Pick<DialogContentProps, 'title' | 'description' | 'wide'> {
  /** The verb on the button that sends the form. */
  label: string;
  /** Whether what was typed can be sent. */
  ready: boolean;
  /** The write: whether it is under way, and the server's sentence about a refusal that no field explains. */
  action: { pending: boolean; refusal: string | undefined };
  /** Called when the form can be sent and no write is under way. */
  onSubmit: () => void;
  onClose: () => void;
  /** In the place of the button that closes, for example while something can be stopped. */
  cancel?: ReactNode;
  /** In the place of the form once it was sent, for example a key that is shown once. */
  result?: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/**
 * A thing's form in a dialog, to make it or to change it. Mount it while it is open, as in
 * `{creating && <NewThing onClose={…} />}`: each opening starts anew.
 */
export function FormDialog({
  title,
  description,
  wide = false,
  ready,
  onSubmit,
  onClose,
  result,
  children,
  ...end
}: FormDialogProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !end.action.pending) onSubmit();
  }

  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={title} description={description} wide={wide}>
        {result ?? (
          <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
            {children}
            <FormEnd ready={ready} {...end} />
          </form>
        )}
      </DialogContent>
    </Dialog>
  );
}

type FormEndProps = Pick<FormDialogProps, 'label' | 'ready' | 'action' | 'cancel'>;

/** Why it was refused, and the buttons. */
function FormEnd({ label, ready, action: { pending, refusal }, cancel }: FormEndProps) {
  useFocusKept(pending);
  return (
    <>
      {refusal && <Notice tone="danger" title={refusal} />}
      <DialogFooter>
        {cancel || (
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
        )}
        <Button type="submit" variant="primary" disabled={!ready} pending={pending}>
          {label}
        </Button>
      </DialogFooter>
    </>
  );
}
