import type { AlertPreferences } from '@nephos/contracts';
import type { FormEvent } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { KindsField } from './kinds-field.tsx';
import { ProjectField } from './project-field.tsx';
import { QuietFields } from './quiet-fields.tsx';

/** Which alerts are mailed to the person, and when. */
export function PreferencesSection() {
  const preferences = trpc.alertChannels.preferences.useQuery();
  return (
    <Card>
      <CardHeader title="Mail to you" description="Alerts of this workspace, to your own address." />
      <div className="mt-4">
        {preferences.data ? (
          <PreferencesForm saved={preferences.data} />
        ) : preferences.error ? (
          <LoadFailure query={preferences} failure="Your preferences couldn't be loaded." />
        ) : (
          <Skeleton className="h-16 w-full" />
        )}
      </div>
    </Card>
  );
}

function PreferencesForm({ saved }: { saved: AlertPreferences }) {
  const utils = trpc.useUtils();
  const { mailAvailable, ...defaults } = saved;
  const draft = useDraft(defaults);
  const { mail, kinds, projectId, quietHours } = draft.values;
  const save = useAction(trpc.alertChannels.setPreferences.useMutation(), {
    success: 'Preferences saved',
    failure: 'Failed to save your preferences',
    serverSpeaks: true,
    onDone: (stored) => {
      utils.alertChannels.preferences.setData(undefined, stored);
      draft.reset();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!save.pending) save.run(draft.values);
  }
  if (!mailAvailable) {
    return (
      <Notice title="This server sends no mail">An administrator can set SMTP_URL to change that.</Notice>
    );
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Mail alerts to me">
        <Switch checked={mail} onCheckedChange={(on) => draft.set('mail', on)} />
      </Field>
      {mail && (
        <>
          <ProjectField
            projectId={projectId}
            onChange={(chosen) => draft.set('projectId', chosen)}
            error={save.fields.projectId}
          />
          <KindsField legend="Which alerts" kinds={kinds} onChange={(chosen) => draft.set('kinds', chosen)} />
          <QuietFields
            quietHours={quietHours}
            onChange={(quiet) => draft.set('quietHours', quiet)}
            fields={save.fields}
          />
        </>
      )}
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        disabled={!draft.changed}
        pending={save.pending}
      >
        Save
      </Button>
    </form>
  );
}
