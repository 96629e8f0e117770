import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogClose, DialogContent, type DialogContentProps, DialogFooter } from './dialog.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { tellFormSent } from './form-sent.ts';
import { Notice } from './notice.tsx';
import { useFocusKept } from './use-focus-kept.ts';

/** How much there is of what the form makes, and may be. */
export interface FormLimit {
  /** A quiet line while there is room; `tight`: it warns; `full`: nothing more can be made. */
  state: 'room' | 'tight' | 'full';
  /** In words; where there is no room, with what can be done about it. */
  line: ReactNode;
}

/** A write, as far as its form needs it. */
export interface FormAction {
  pending: boolean;
  /** The server's sentence about a refusal that no field explains. */
  refusal: string | undefined;
  /** Why it need not be tried. */
  forbidden?: string | undefined;
}

export interface FormDialogProps extends Pick<DialogContentProps, 'title' | 'description' | 'wide'> {
  /** The verb on the button that sends the form. */
  label: string;
  /** Whether what was typed can be sent. */
  ready: boolean;
  /** What is left of how much there may be. */
  limit?: FormLimit | undefined;
  /** The write. */
  action: FormAction;
  /** Called when the form can be sent and no write is under way. */
  onSubmit: () => void;
  onClose: () => void;
  /** In the place of the button that closes, for example while something can be stopped. */
  cancel?: ReactNode;
  /** Whether it opens with what was entered elsewhere, which is lost with it. */
  entered?: boolean;
  /** In the place of the form once it was sent, for example a key that is shown once. */
  result?: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/**
 * A thing's form in a dialog, to make it or to change it. Mount it while it is open, as in
 * `{creating && <NewThing onClose={…} />}`: each opening starts anew. What was typed is lost only to who says so: a
 * click beside the dialog leaves it open, and the ways to close it ask.
 */
export function FormDialog({
  title,
  description,
  wide = false,
  entered = false,
  ready,
  onSubmit,
  onClose,
  result,
  children,
  ...end
}: FormDialogProps) {
  const { pending } = end.action;
  const { form, opened, isChanged } = useContent(entered);
  const [asking, setAsking] = useState(false);
  const possible = ready && end.limit?.state !== 'full' && end.action.forbidden === undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!possible || pending) return;
    onSubmit();
    tellFormSent();
  }

  return (
    <Dialog open onOpenChange={() => (!pending && isChanged() ? setAsking(true) : onClose())}>
      <DialogContent
        title={title}
        description={description}
        wide={wide}
        onInteractOutside={(event) => {
          if (pending || result || isChanged()) event.preventDefault();
        }}
      >
        {result ?? (
          <form ref={form} onSubmit={submit} className="flex flex-col gap-4" noValidate>
            {children}
            <Opened form={form} content={opened} />
            <FormEnd ready={possible} {...end} />
          </form>
        )}
        {asking && <DiscardDialog onDiscard={onClose} onKeep={() => setAsking(false)} />}
      </DialogContent>
    </Dialog>
  );
}

/** Tells whether a form holds something else than when it opened; always where that was `entered`. */
function useContent(entered: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const opened = useRef('');
  const isChanged = () => form.current !== null && (entered || contentOf(form.current) !== opened.current);
  return { form, opened, isChanged };
}

interface OpenedProps {
  form: RefObject<HTMLFormElement | null>;
  content: RefObject<string>;
}

/** Remembers what the form holds when it opens: within it, since the dialog shows its content after its own effects. */
function Opened({ form, content }: OpenedProps) {
  useEffect(() => {
    content.current = contentOf(form.current);
  }, [form, content]);
  return null;
}

/** A form's content by its controls, so that no dialog has to tell whether it is filled. Some may come after it opens. */
function contentOf(form: HTMLFormElement | null): string {
  const controls = [...(form?.elements ?? [])];
  return JSON.stringify(controls.map(stateOf).filter((state) => state !== null));
}

function stateOf(control: Element): unknown {
  // Radix keeps native twins of its controls, and fills them later.
  if (control.getAttribute('aria-hidden') === 'true') return null;
  if (control instanceof HTMLButtonElement)
    return control.getAttribute('aria-checked') ?? (control.value || null);
  if (!(control instanceof HTMLInputElement))
    return control instanceof HTMLTextAreaElement ? control.value : null;
  return /^(?:checkbox|radio)$/.test(control.type) ? control.checked : control.value;
}

type FormEndProps = Pick<FormDialogProps, 'label' | 'ready' | 'limit' | 'action' | 'cancel'>;

/** What is left, why it was refused, and the buttons. */
function FormEnd({ label, ready, limit, action: { pending, refusal, forbidden }, cancel }: FormEndProps) {
  useFocusKept(pending);
  return (
    <>
      {limit?.state === 'room' && <p className="text-faint text-sm">{limit.line}</p>}
      {limit && limit.state !== 'room' && <Notice tone="warning" title={limit.line} />}
      {forbidden && <Notice tone="warning" title={forbidden} />}
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
