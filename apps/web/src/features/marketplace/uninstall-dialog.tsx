import type { Installation, MarketplaceItem } from '@nephos/contracts';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ResourceRows } from './resource-rows.tsx';
import { useRefreshResources } from './use-refresh-resources.ts';

export interface UninstallDialogProps {
  item: MarketplaceItem;
  receipt: Installation['receipt'];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Shows what goes, lets what holds data stay, and asks for the item's name. */
export function UninstallDialog({ item: { id, name }, receipt, open, onOpenChange }: UninstallDialogProps) {
  const [keepData, setKeepData] = useState(false);
  const utils = trpc.useUtils();
  const refreshResources = useRefreshResources();
  const uninstall = useAction(trpc.marketplace.uninstall.useMutation(), {
    success: 'Item uninstalled successfully',
    failure: 'Failed to uninstall item',
    refresh: [utils.marketplace.installations, utils.marketplace.list],
    onDone: () => {
      refreshResources();
      changeOpen(false);
    },
  });

  function changeOpen(opened: boolean) {
    onOpenChange(opened);
    if (!opened) setKeepData(false);
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={changeOpen}
      title={`Uninstall ${name}?`}
      description={
        receipt.length === 0
          ? 'The installation is removed.'
          : 'What is marked as deleted is gone for good. There is no way to get it back.'
      }
      name={name}
      confirmLabel="Uninstall"
      onConfirm={() => uninstall.run({ id, keepData })}
      pending={uninstall.pending}
      refusal={uninstall.refusal}
    >
      {receipt.length > 0 && (
        <Leavings receipt={receipt} keepData={keepData} onKeepDataChange={setKeepData} />
      )}
    </ConfirmDialog>
  );
}

interface LeavingsProps {
  receipt: Installation['receipt'];
  keepData: boolean;
  onKeepDataChange: (keepData: boolean) => void;
}

function Leavings({ receipt, keepData, onKeepDataChange }: LeavingsProps) {
  return (
    <>
      <ResourceRows
        label="What goes"
        rows={receipt.map(({ kind, id, name, holdsData }) => ({
          key: `${kind} ${id}`,
          kind,
          name,
          note:
            keepData && holdsData ? (
              <span className="font-medium text-success">Stays</span>
            ) : (
              <span className="font-medium text-danger">Deleted</span>
            ),
        }))}
      />
      {receipt.some(({ holdsData }) => holdsData) && (
        <Field
          label="Keep data"
          hint="What holds data stays yours, without the installation."
          className="mt-4"
        >
          <Switch checked={keepData} onCheckedChange={onKeepDataChange} />
        </Field>
      )}
    </>
  );
}
