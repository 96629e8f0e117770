import type { MarketplaceItem, Upgrade } from '@nephos/contracts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UPGRADE_FAILURE, WITH_ATTEMPTS } from './use-installations.ts';

interface UpgradeDialogProps {
  item: MarketplaceItem;
  upgrade: Upgrade;
  onClose: () => void;
}

/** Says what an upgrade does before it is begun. */
export function UpgradeDialog({ item: { id, name }, upgrade, onClose }: UpgradeDialogProps) {
  const utils = trpc.useUtils();
  const action = useAction(trpc.marketplace.upgrade.useMutation(), {
    failure: UPGRADE_FAILURE,
    serverSpeaks: true,
    refresh: [utils.marketplace.installations],
    onDone: (begun) => {
      utils.marketplace.installations.setData(WITH_ATTEMPTS, (rows = []) =>
        rows.map((row) => (row.itemId === begun.itemId ? begun : row)),
      );
    },
    leave: onClose,
  });
  return (
    <FormDialog
      title={`Upgrade ${name} to ${upgrade.version}?`}
      description="What is about to happen:"
      label="Upgrade"
      ready
      action={action}
      onSubmit={() => action.run({ id })}
      onClose={onClose}
    >
      <ul aria-label="What changes" className="flex list-disc flex-col gap-1.5 pl-5 text-sm">
        {upgrade.changes.map((change) => (
          <li key={change} className="break-words">
            {change}
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
