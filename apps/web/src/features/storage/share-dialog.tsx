import type { StoredFile } from '@nephos/contracts';
import { useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DialogClose, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Select } from '../../ui/select.tsx';

const HOUR = 3600;
const SPANS = [
  { value: String(HOUR), label: '1 hour' },
  { value: String(24 * HOUR), label: '1 day' },
  { value: String(7 * 24 * HOUR), label: '7 days' },
  { value: String(30 * 24 * HOUR), label: '30 days' },
];

/** Makes a link with which anyone can download a file until it ends. */
export function ShareDialog({ file: { id, fileName }, onClose }: { file: StoredFile; onClose: () => void }) {
  const [seconds, setSeconds] = useState(String(24 * HOUR));
  const [made, setMade] = useState<{ link: string; until: string }>();
  // The cache of mutations would keep the link.
  const share = useAction(trpc.storage.share.useMutation({ gcTime: 0 }), {
    failure: 'Failed to share the file',
    serverSpeaks: true,
    onDone: setMade,
  });
  return (
    <FormDialog
      title={`Share ${fileName}`}
      description="Whoever has the link can download the file until it ends, without an account."
      label="Make link"
      ready
      action={share}
      onSubmit={() => share.run({ id, seconds: Number(seconds) })}
      onClose={onClose}
      result={made && <Made {...made} />}
    >
      <Field label="Ends after" error={share.fields.seconds}>
        <Select value={seconds} onValueChange={setSeconds} options={SPANS} />
      </Field>
      <EndLinks id={id} />
    </FormDialog>
  );
}

function Made({ link, until }: { link: string; until: string }) {
  return (
    <>
      <CodeBlock code={link} label="Link" wrap />
      <p className="mt-3 text-muted text-sm">Good until {formatInstant(until)}.</p>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}

function EndLinks({ id }: { id: string }) {
  const end = useAction(trpc.storage.unshare.useMutation(), {
    success: 'Links ended',
    failure: 'Failed to end the links',
    serverSpeaks: true,
  });
  return (
    <ConfirmDialog
      title="End all links of this file?"
      description="Links that were made before stop working at once. New ones can be made."
      label="End links"
      action={end}
      onConfirm={(close) => end.run({ id }, close)}
      trigger={(open) => (
        <Button size="sm" className="self-start" onClick={open}>
          End all links
        </Button>
      )}
    />
  );
}
