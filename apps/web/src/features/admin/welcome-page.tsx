import type { InstallationSettings } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BillingSetting, SignupsSetting } from './choice-settings.tsx';
import { MailSettings } from './mail-settings.tsx';
import { PublicAddress } from './public-address.tsx';

type StepProps = InstallationSettings & { onSaved: () => void };

/** What the owner of a new installation decides, in the order in which one depends on the other. */
const STEPS: readonly { title: string; about: string; Setting: (props: StepProps) => ReactNode }[] = [
  {
    title: 'Address',
    about: 'Links in mail and the names of images begin with it.',
    Setting: PublicAddress,
  },
  { title: 'Sign-ups', about: 'You can invite people in each case but the last.', Setting: SignupsSetting },
  {
    title: 'Billing',
    about: 'For your own people, turn it off: then there are no prices and no limits of plans.',
    Setting: BillingSetting,
  },
  {
    title: 'Mail',
    about: 'With a mail server people set forgotten passwords themselves, and hear of failures.',
    Setting: MailSettings,
  },
];

/** The first steps of a new installation, each of which can be skipped; all of it is a tab of the Admin Dashboard as well. */
export function WelcomePage() {
  const settings = trpc.admin.settings.useQuery();
  if (settings.data) return <Steps {...settings.data} />;
  return (
    <>
      <PageHeader {...HEADINGS.welcome} />
      {settings.error ? (
        <LoadFailure query={settings} failure="Failed to load the settings" />
      ) : (
        <Skeleton className="h-64 max-w-2xl" />
      )}
    </>
  );
}

function Steps(settings: InstallationSettings) {
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const [at, setAt] = useState(0);
  const [saved, setSaved] = useState(false);
  const finish = useAction(trpc.admin.changeSettings.useMutation(), {
    failure: 'Failed to save the settings',
    refresh: [utils.admin.settings],
    leave: () => void navigate({ to: '/' }),
  });
  const isLast = at === STEPS.length - 1;

  function next() {
    if (isLast) return finish.run({ setUp: true });
    setSaved(false);
    setAt(at + 1);
  }

  return (
    <>
      <PageHeader
        {...HEADINGS.welcome}
        action={
          <Button disabled={finish.pending} onClick={() => finish.run({ setUp: true })}>
            Skip all
          </Button>
        }
      />
      <ol aria-label="First steps" className="grid max-w-2xl gap-3">
        {STEPS.map(({ title, about, Setting }, index) => (
          <li key={title} aria-current={index === at ? 'step' : undefined}>
            <Card>
              <h2 className={index === at ? 'font-semibold' : 'text-muted'}>{`${index + 1}. ${title}`}</h2>
              {index === at && (
                <div className="mt-1 space-y-4">
                  <p className="text-muted text-sm">{about}</p>
                  <Setting {...settings} onSaved={() => setSaved(true)} />
                  {finish.refusal && <Notice tone="danger" title={finish.refusal} />}
                  <div className="flex flex-wrap gap-3">
                    <Button variant={saved ? 'primary' : undefined} pending={finish.pending} onClick={next}>
                      {saved ? (isLast ? 'Finish' : 'Continue') : 'Skip'}
                    </Button>
                    {at > 0 && <Button onClick={() => setAt(at - 1)}>Back</Button>}
                  </div>
                </div>
              )}
            </Card>
          </li>
        ))}
      </ol>
    </>
  );
}
