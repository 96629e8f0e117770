import type { ManagedDatabase, PreviewSettings } from '@nephos/contracts';
import {
  databaseReference,
  MAX_PREVIEW_DATABASES,
  MAX_PREVIEW_DAYS,
  MAX_PREVIEWS,
} from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useId } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Textarea } from '../../ui/textarea.tsx';

/** Which branches of a project's repository get projects of their own; of a preview, where that is set. */
export function PreviewSettingsSection({ projectId }: { projectId: string }) {
  const [{ previewOf }] = trpc.previews.settings.useSuspenseQuery({ id: projectId });
  return (
    <section aria-label="Previews">
      <Card className="max-w-2xl">
        {previewOf === null ? <PreviewForm projectId={projectId} /> : <PreviewOf projectId={previewOf} />}
      </Card>
    </section>
  );
}

function PreviewOf({ projectId }: { projectId: string }) {
  return (
    <p className="text-sm">
      This project is a preview of{' '}
      <Link
        to="/projects/$projectId"
        params={{ projectId }}
        className="rounded-sm text-accent-text underline underline-offset-4"
      >
        another project
      </Link>
      . It is deleted with its branch.
    </p>
  );
}

function PreviewForm({ projectId }: { projectId: string }) {
  const { draft, save, submit } = usePreviewForm(projectId);
  const id = useId();
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <CardHeader
        title="Previews"
        description="Other branches and pull requests get a project and a URL of their own. Needs the push hook. Forks are never deployed."
      />
      <div className="flex items-center gap-3">
        <Switch
          id={id}
          checked={draft.values.enabled}
          onCheckedChange={(enabled) => draft.set('enabled', enabled)}
        />
        <label htmlFor={id} className="text-sm">
          Deploy previews
        </label>
      </div>
      {draft.values.enabled && <PreviewFields draft={draft} errors={save.fields} />}
      {save.refusal && <Notice tone="danger" title={save.refusal} />}
      {draft.changed && (
        <Button type="submit" className="self-start" {...save.button}>
          Save previews
        </Button>
      )}
    </form>
  );
}

/** As it is typed. */
interface PreviewDraft {
  enabled: boolean;
  /** A line each. */
  branches: string;
  limit: string;
  days: string;
  groupId: string;
  databaseIds: readonly string[];
}

/** What stands for none in a list of choices. */
const NO_GROUP = 'none';

function draftOf({ enabled, branches, limit, days, groupId, databaseIds }: PreviewSettings): PreviewDraft {
  return {
    enabled,
    branches: branches.join('\n'),
    limit: String(limit),
    days: String(days),
    groupId: groupId ?? NO_GROUP,
    databaseIds,
  };
}

function usePreviewForm(projectId: string) {
  const [settings] = trpc.previews.settings.useSuspenseQuery({ id: projectId });
  const utils = trpc.useUtils();
  const draft = useDraft(draftOf(settings));
  const save = useAction(trpc.previews.update.useMutation(), {
    success: 'Previews saved',
    failure: 'Failed to save previews',
    serverSpeaks: true,
    refresh: [utils.previews.list],
    onDone: (saved) => {
      utils.previews.settings.setData({ id: projectId }, saved);
      draft.reset();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!draft.changed || save.pending) return;
    const { enabled, branches, limit, days, groupId, databaseIds } = draft.values;
    save.run({
      id: projectId,
      enabled,
      branches: branches.split('\n').filter((line) => line.trim() !== ''),
      limit: Number(limit),
      days: Number(days),
      groupId: groupId === NO_GROUP ? null : groupId,
      databaseIds: [...databaseIds],
    });
  }
  return { draft, save, submit };
}

interface PreviewFieldsProps {
  draft: Draft<PreviewDraft>;
  errors: Record<string, string>;
}

function PreviewFields({ draft: { values, set }, errors }: PreviewFieldsProps) {
  const [groups] = trpc.variableGroups.list.useSuspenseQuery();
  const fault = Object.entries(errors).find(([field]) => field.startsWith('branches'))?.[1];
  return (
    <>
      <Field
        label="Branches"
        error={fault}
        hint="One per line. A * stands for any characters, as in feature/*."
      >
        <Textarea
          value={values.branches}
          onChange={(event) => set('branches', event.target.value)}
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Previews at once" error={errors.limit} hint="Each counts as one of your projects.">
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_PREVIEWS}
            value={values.limit}
            onChange={(event) => set('limit', event.target.value)}
          />
        </Field>
        <Field label="Days without a push" error={errors.days} hint="Then a preview is deleted.">
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_PREVIEW_DAYS}
            value={values.days}
            onChange={(event) => set('days', event.target.value)}
          />
        </Field>
      </div>
      <Field
        label="Variables"
        error={errors.groupId}
        hint="New previews get this group. They never get this project's own variables, disks or domains."
      >
        <Select
          value={values.groupId}
          onValueChange={(groupId) => set('groupId', groupId)}
          options={[
            { value: NO_GROUP, label: 'No variables' },
            ...groups.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Field>
      <SourcesField
        databaseIds={values.databaseIds}
        onChange={(databaseIds) => set('databaseIds', databaseIds)}
      />
    </>
  );
}

interface SourcesFieldProps {
  databaseIds: readonly string[];
  onChange: (databaseIds: string[]) => void;
}

/** Databases that each preview gets a copy of: only one with a server of its own can be copied as of now. */
function SourcesField({ databaseIds, onChange }: SourcesFieldProps) {
  const { data: databases = [] } = trpc.databases.list.useQuery();
  const isSource = ({ type, status, activity }: ManagedDatabase) =>
    type === 'postgresql' && status === 'available' && activity !== null;
  // One that was chosen and is none any more can still be taken out.
  const sources = databases.filter((database) => isSource(database) || databaseIds.includes(database.id));
  if (sources.length === 0) return null;
  const full = databaseIds.length >= MAX_PREVIEW_DATABASES;
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium text-fg text-sm">Databases</legend>
      <p className="mt-0.5 text-faint text-sm">
        Each preview works on a copy of its own, taken when it is made and deleted with it. References such as{' '}
        <code className="font-mono">{databaseReference({ id: '', name: sources[0]?.name ?? '' })}</code> lead
        there.
      </p>
      <div className="mt-1 grid sm:grid-cols-2 sm:gap-x-4">
        {sources.map(({ id, name }) => {
          const chosen = databaseIds.includes(id);
          return (
            <label key={id} className="flex min-h-8 items-center gap-2 text-sm">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={chosen}
                disabled={full && !chosen}
                onChange={() =>
                  onChange(chosen ? databaseIds.filter((one) => one !== id) : [...databaseIds, id])
                }
              />
              <span className="min-w-0 truncate">{name}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
