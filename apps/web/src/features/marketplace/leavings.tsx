import type { Installation } from '@nephos/contracts';
import { useEffect } from 'react';
import { LeadingRecords, useLeadingRecords } from '../../lib/leading-records.tsx';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ResourceRows } from './resource-rows.tsx';

interface LeavingsProps {
  receipt: Installation['receipt'];
  keepData: boolean;
  onKeepDataChange: (keepData: boolean) => void;
  onDeleteRecordsChange: (deleteRecords: boolean) => void;
}

const KEEPS = 'Keeps databases and other data in your account.';
const NO_UPGRADES =
  'The app stays as a project in its present version: it runs on, but upgrades only come to a new installation, with a disk of its own.';

/** What an uninstallation removes, and the choice to keep what holds data. */
export function Leavings({ receipt, keepData, onKeepDataChange, onDeleteRecordsChange }: LeavingsProps) {
  const project = receipt.find(({ kind, holdsData }) => kind === 'project' && !(keepData && holdsData));
  const { deleteRecords, isLooking: _, ...leading } = useLeadingRecords({ id: project?.id });
  useEffect(() => onDeleteRecordsChange(deleteRecords), [deleteRecords, onDeleteRecordsChange]);
  const keepsApp = receipt.some(({ kind, holdsData }) => kind === 'project' && holdsData);
  return (
    <>
      <ResourceRows
        label="What is removed"
        rows={receipt.map(({ kind, id, name, holdsData }) => ({
          key: `${kind} ${id}`,
          kind,
          name,
          note:
            keepData && holdsData ? (
              <span className="font-medium text-success">Kept</span>
            ) : (
              <span className="font-medium text-danger">Deleted</span>
            ),
        }))}
      />
      {receipt.some(({ holdsData }) => holdsData) && (
        <Field label="Keep data" hint={keepsApp ? `${KEEPS} ${NO_UPGRADES}` : KEEPS} className="mt-4">
          <Switch checked={keepData} onCheckedChange={onKeepDataChange} />
        </Field>
      )}
      {project && (
        <div className="mt-4 empty:hidden">
          <LeadingRecords {...leading} />
        </div>
      )}
    </>
  );
}
