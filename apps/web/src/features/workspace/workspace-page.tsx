import { may } from '@nephos/contracts/constants';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { DangerZone } from './danger-zone.tsx';
import { InvitationList } from './invitation-list.tsx';
import { MemberList } from './member-list.tsx';
import { NameForm } from './name-form.tsx';
import { RoleTable } from './role-table.tsx';

/** The workspace that the console shows: its name, its people, what each may do, and its end. */
export function WorkspacePage() {
  const { role, personal } = useWorkspace();
  return (
    <>
      <PageHeader {...HEADINGS.workspace} />
      <div className="grid max-w-4xl gap-6 *:min-w-0">
        <NameForm />
        <MemberList />
        {may(role, 'people') && <InvitationList />}
        <RoleTable />
        {!personal && <DangerZone />}
      </div>
    </>
  );
}
