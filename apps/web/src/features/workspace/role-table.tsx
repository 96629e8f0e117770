import { may, PERMISSIONS, WORKSPACE_ROLE_NAMES, WORKSPACE_ROLES } from '@nephos/contracts/constants';
import { Check, Minus } from 'lucide-react';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { PERMISSION_WORDS } from './role-words.ts';

/** What each role may do: the very table that the server goes by. */
export function RoleTable() {
  const rows = PERMISSIONS.owner.flatMap((permission) => {
    const words = PERMISSION_WORDS[permission];
    return words === null ? [] : [{ permission, words }];
  });
  return (
    <Card>
      <CardHeader title="Roles" description="What each member may do in this workspace." />
      <div className="mt-4">
        <Table label="What each role may do">
          <TableHead>
            <TableHeading>Permission</TableHeading>
            {WORKSPACE_ROLES.map((role) => (
              <TableHeading key={role}>{WORKSPACE_ROLE_NAMES[role]}</TableHeading>
            ))}
          </TableHead>
          <TableBody>
            {rows.map(({ permission, words }) => (
              <TableRow key={permission}>
                <TableCell className="min-w-56">{words}</TableCell>
                {WORKSPACE_ROLES.map((role) => (
                  <TableCell key={role}>
                    <Mark yes={may(role, permission)} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </Card>
  );
}

function Mark({ yes }: { yes: boolean }) {
  const Icon = yes ? Check : Minus;
  return (
    <>
      <Icon aria-hidden="true" className={yes ? 'size-4 text-success' : 'size-4 text-faint'} />
      <span className="sr-only">{yes ? 'Yes' : 'No'}</span>
    </>
  );
}
