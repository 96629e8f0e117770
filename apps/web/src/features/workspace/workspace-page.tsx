import { may } from '@nephos/contracts/constants';
import { lazy } from 'react';
import { useUser } from '../../lib/use-user.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DangerZone } from './danger-zone.tsx';
import { InvitationList } from './invitation-list.tsx';
import { MemberList } from './member-list.tsx';
import { NameForm } from './name-form.tsx';
import { RoleTable } from './role-table.tsx';

const LimitsForm = lazy(() =>
  import('../../lib/limits-form.tsx').then(({ LimitsForm }) => ({ default: LimitsForm })),
);

const FactorDemandCard = lazy(() =>
  import('./factor-demand-card.tsx').then((part) => ({ default: part.FactorDemandCard })),
);

/** The workspace that the console shows: its name, its people, what each may do, what is demanded of them, its limits, and its end. */
export function WorkspacePage() {
  const { id, role, personal } = useWorkspace();
  const isAdmin = useUser().role === 'admin';
  return (
    <>
      <PageHeader {...HEADINGS.workspace} />
      <div className="grid max-w-4xl gap-6 *:min-w-0">
        <NameForm />
        <MemberList />
        {may(role, 'people') && <InvitationList />}
        <RoleTable />
        {may(role, 'own') && (
          <LatePart wanted fallback={<Skeleton className="h-40" />}>
            <FactorDemandCard />
          </LatePart>
        )}
        {isAdmin && (
          <LatePart wanted fallback={<Skeleton className="h-64" />}>
            <Card>
              <LimitsForm ownerId={id} title="Limits" personal={personal} />
            </Card>
          </LatePart>
        )}
        {!personal && <DangerZone />}
      </div>
    </>
  );
}
