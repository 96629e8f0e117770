import { getRouteApi } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type BuildDraft, BuildFields, buildDraftOf, settingsOf } from './build-fields.tsx';
import { CommitStatusNotice } from './commit-status-notice.tsx';
import { DeployKeySection } from './deploy-key-section.tsx';
import { PreviewSettingsSection } from './preview-settings-section.tsx';
import { type ProjectDraft, ProjectFields } from './project-fields.tsx';
import { PushHookSection } from './push-hook-section.tsx';
import { sourceDraftOf, sourceOf } from './source-draft.ts';

const route = getRouteApi('/_console/projects/$projectId/settings');

/** How the project is built and run, where it answers, and what deploys it. */
export function SettingsPage({ domains }: { domains: ReactNode }) {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <CommitStatusNotice projectId={projectId} />
      <SettingsForm />
      {domains}
      <DeployKeySection projectId={projectId} />
      <PushHookSection projectId={projectId} />
      {project.repositoryUrl !== '' && <PreviewSettingsSection projectId={projectId} />}
    </div>
  );
}

function SettingsForm() {
  const { draft, save, submit, project } = useProjectForm();
  const { name, source, image } = draft.values;
  const ready = draft.changed && name.trim() !== '' && (source !== 'image' || image.trim() !== '');
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <ProjectFields draft={draft} errors={save.fields} project={project} />
        <Field
          label="Health path"
          error={save.fields.healthPath}
          hint="A new version goes live once this path responds without an error. Leave blank to check the home page, which may also answer 404."
        >
          <Input
            value={draft.values.healthPath}
            onChange={(event) => draft.set('healthPath', event.target.value)}
            placeholder="/healthz"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <BuildFields
          draft={draft}
          errors={save.fields}
          project={project}
          isImage={draft.values.source === 'image'}
        />
        {save.refusal && <Notice tone="danger" title={save.refusal} />}
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" disabled={!ready} {...save.button}>
            Save
          </Button>
          <Button variant="ghost" disabled={!draft.changed} onClick={draft.reset}>
            Discard
          </Button>
          <p className="text-faint text-sm">Changes take effect on the next deployment.</p>
        </div>
      </form>
    </Card>
  );
}

/** What may be changed of the project, as it is typed, and how it is saved. */
function useProjectForm() {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const utils = trpc.useUtils();
  const { name, description, healthPath } = project;
  const details = { name, description, healthPath, ...sourceDraftOf(project) };
  const draft = useDraft({ ...details, ...buildDraftOf(project) });
  const save = useAction(trpc.projects.update.useMutation(), {
    success: 'Project saved',
    failure: 'Failed to save project',
    serverSpeaks: true,
    refresh: [utils.projects.list, utils.deployKeys.get],
    onDone: (saved) => {
      utils.projects.get.setData({ id: projectId }, saved);
      draft.reset();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (draft.changed && !save.pending) save.run({ id: projectId, ...changeOf(draft.values) });
  }

  return { draft, save, submit, project };
}

type SettingsDraft = ProjectDraft & BuildDraft & { healthPath: string };

/** The project's own fields, and its settings as one part of it. */
function changeOf(values: SettingsDraft) {
  const { name, description, healthPath, rootDirectory } = values;
  const settings = { rootDirectory, ...settingsOf(values) };
  return { name, description, healthPath, ...sourceOf(values), settings };
}
