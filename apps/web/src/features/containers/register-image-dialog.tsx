import { DEFAULT_IMAGE_TAG } from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useUser } from '../../shell/use-user.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';

const DEFAULTS = { name: '', tag: DEFAULT_IMAGE_TAG, isPublic: false };

export interface RegisterImageDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RegisterImageDialog({ open, onOpenChange }: RegisterImageDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Register Image"
        description="Its name and tag are kept for you until you push it."
      >
        <RegisterImageForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the dialog, so that each opening starts from the defaults. */
function RegisterImageForm({ onDone }: { onDone: () => void }) {
  const utils = trpc.useUtils();
  const { handle } = useUser();
  const { values, set, reset } = useDraft(DEFAULTS);
  const register = useAction(trpc.containers.create.useMutation(), {
    success: 'Container image registered successfully',
    failure: 'Failed to register container image',
    // The visibility holds for all tags of a name, so the other images' pages are old as well.
    refresh: [utils.containers.list, utils.containers.get],
    onDone: () => {
      reset();
      onDone();
    },
  });
  const named = values.name.trim() !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (named && !register.pending) register.run({ ...values, tag: values.tag.trim() || DEFAULT_IMAGE_TAG });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field
        label="Name"
        required
        error={register.fields.name}
        hint={
          <>
            It goes by <code>{`${handle}/${values.name.trim() || 'name'}`}</code>, below your own namespace.
          </>
        }
      >
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="my-app"
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Tag" error={register.fields.tag}>
        <Input
          value={values.tag}
          onChange={(event) => set('tag', event.target.value)}
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Public" hint="Anyone can pull a public image, with all of its tags, without logging in.">
        <Switch checked={values.isPublic} onCheckedChange={(isPublic) => set('isPublic', isPublic)} />
      </Field>
      {register.refusal && <Notice tone="danger" title={register.refusal} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={!named} pending={register.pending}>
          Register
        </Button>
      </DialogFooter>
    </form>
  );
}
