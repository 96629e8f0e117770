import type { FormEvent } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';

/** What the workspace is called. */
export function NameForm() {
  const utils = trpc.useUtils();
  const { id, name, personal } = useWorkspace();
  const draft = useDraft({ name });
  const refusal = useRefusal('own');
  const save = useAction(trpc.workspaces.update.useMutation(), {
    success: 'Workspace renamed',
    failure: 'Failed to rename workspace',
    serverSpeaks: true,
    refresh: [utils.workspaces.list, utils.auth.user],
    onDone: draft.reset,
  });
  const ready = draft.changed && draft.values.name.trim() !== '' && !refusal;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !save.pending) save.run({ id, ...draft.values });
  }

  return (
    <Card>
      <CardHeader
        title="Name"
        description={
          personal
            ? 'This is your own workspace. It stays yours for as long as you have an account.'
            : 'Everyone in the workspace sees it.'
        }
      />
      <form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
        <Field label="Workspace name" error={save.fields.name} hint={refusal}>
          <Input
            value={draft.values.name}
            onChange={(event) => draft.set('name', event.target.value)}
            disabled={refusal !== undefined}
            autoComplete="off"
            className="max-w-md"
          />
        </Field>
        {save.refusal && <Notice tone="danger" title={save.refusal} />}
        {!refusal && (
          <div>
            <Button type="submit" variant="primary" disabled={!ready} pending={save.pending}>
              Save name
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
