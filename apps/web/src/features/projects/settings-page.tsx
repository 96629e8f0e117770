import { getRouteApi } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { FrameworkField } from './framework-field.tsx';

const route = getRouteApi('/_console/projects/$projectId/settings');

export function SettingsPage() {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const utils = trpc.useUtils();
  const { name, description, repositoryUrl, branch, framework, healthPath } = project;
  const { values, set, reset, changed } = useDraft({
    name,
    description,
    repositoryUrl,
    branch,
    framework,
    healthPath,
  });
  const save = useAction(trpc.projects.update.useMutation(), {
    success: 'Project saved',
    failure: 'Failed to save project',
    serverSpeaks: true,
    refresh: [utils.projects.list],
    onDone: (saved) => {
      utils.projects.get.setData({ id: projectId }, saved);
      reset();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (changed && !save.pending) save.run({ id: projectId, ...values });
  }

  return (
    <Card className="max-w-2xl">
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <Field label="Name" required error={save.fields.name}>
          <Input
            value={values.name}
            onChange={(event) => set('name', event.target.value)}
            autoComplete="off"
          />
        </Field>
        <Field label="Description" error={save.fields.description}>
          <Textarea value={values.description} onChange={(event) => set('description', event.target.value)} />
        </Field>
        <Field
          label="Repository URL"
          error={save.fields.repositoryUrl}
          hint="An https address that Git can clone without a password."
        >
          <Input
            type="url"
            value={values.repositoryUrl}
            onChange={(event) => set('repositoryUrl', event.target.value)}
            placeholder="https://github.com/you/app.git"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Branch" error={save.fields.branch}>
            <Input
              value={values.branch}
              onChange={(event) => set('branch', event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
          <FrameworkField
            value={values.framework}
            onChange={(choice) => set('framework', choice)}
            error={save.fields.framework}
          />
        </div>
        <Field
          label="Health path"
          error={save.fields.healthPath}
          hint="A new version takes over once this path answers. Empty: once its port is open."
        >
          <Input
            value={values.healthPath}
            onChange={(event) => set('healthPath', event.target.value)}
            placeholder="/healthz"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        {save.refusal && <Notice tone="danger" title={save.refusal} />}
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            variant="primary"
            disabled={!changed || !values.name.trim()}
            pending={save.pending}
          >
            Save
          </Button>
          <Button variant="ghost" disabled={!changed} onClick={reset}>
            Discard
          </Button>
          <p className="text-faint text-sm">Takes effect at the next deployment.</p>
        </div>
      </form>
    </Card>
  );
}
