import type { Installation } from '@nephos/contracts';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ResourceRows } from './resource-rows.tsx';

interface LeavingsProps {
  receipt: Installation['receipt'];
  keepData: boolean;
  onKeepDataChange: (keepData: boolean) => void;
}

/** What an uninstallation removes, and the choice to keep what holds data. */
export function Leavings({ receipt, keepData, onKeepDataChange }: LeavingsProps) {
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
        <Field label="Keep data" hint="Keeps databases and other data in your account." className="mt-4">
          <Switch checked={keepData} onCheckedChange={onKeepDataChange} />
        </Field>
      )}
    </>
  );
}
