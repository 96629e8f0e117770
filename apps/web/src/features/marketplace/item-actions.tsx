import type { Installation, MarketplaceItem } from '@nephos/contracts';
import { Download, ExternalLink, RotateCcw } from 'lucide-react';
import { lazy, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { UpgradeButton } from './upgrade.tsx';
import { useRefreshResources } from './use-installations.ts';

const Leavings = lazy(() => import('./leavings.tsx').then(({ Leavings }) => ({ default: Leavings })));

interface ItemActionsProps {
  item: MarketplaceItem;
  installation: Installation | undefined;
  onInstall: () => void;
}

/** What can be done with an item in its present state. */
export function ItemActions({ item, installation, onInstall }: ItemActionsProps) {
  if (!installation) {
    return (
      <Button size="sm" aria-label={`Install ${item.name}`} onClick={onInstall}>
        <Download aria-hidden="true" />
        Install
      </Button>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      {installation.status === 'failed' ? (
        <FailedActions item={item} onInstall={onInstall} />
      ) : (
        <PresentActions item={item} installation={installation} />
      )}
    </div>
  );
}

function FailedActions({ item: { id, name }, onInstall }: Pick<ItemActionsProps, 'item' | 'onInstall'>) {
  const utils = trpc.useUtils();
  const forget = useAction(trpc.marketplace.uninstall.useMutation(), {
    failure: 'Failed to dismiss the installation',
    refresh: [utils.marketplace.installations],
  });
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        {...forget.button}
        aria-label={`Dismiss the failed installation of ${name}`}
        onClick={() => forget.run({ id })}
      >
        Dismiss
      </Button>
      <Button size="sm" aria-label={`Try again to install ${name}`} onClick={onInstall}>
        <RotateCcw aria-hidden="true" />
        Try again
      </Button>
    </>
  );
}

interface PresentActionsProps {
  item: MarketplaceItem;
  installation: Installation;
}

/** What is made of an item that is installed, or being so, can go at any time. */
function PresentActions({ item, installation }: PresentActionsProps) {
  const { url } = installation;
  return (
    <>
      <Uninstall item={item} installation={installation} />
      <UpgradeButton item={item} installation={installation} />
      {url && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Open ${item.name}`}
          className={buttonStyles({ size: 'sm' })}
        >
          Open
          <ExternalLink aria-hidden="true" className="text-faint" />
        </a>
      )}
    </>
  );
}

/** Shows what goes, lets what holds data stay, and asks for the item's name. */
function Uninstall({ item: { id, name }, installation: { receipt } }: PresentActionsProps) {
  const [keepData, setKeepData] = useState(false);
  const [deleteRecords, setDeleteRecords] = useState(false);
  const utils = trpc.useUtils();
  const refreshResources = useRefreshResources();
  const uninstall = useAction(trpc.marketplace.uninstall.useMutation(), {
    success: 'Item uninstalled successfully',
    failure: 'Failed to uninstall item',
    refresh: [utils.marketplace.installations, utils.marketplace.list],
    onDone: refreshResources,
  });
  return (
    <DeleteDialog
      title={`Uninstall ${name}?`}
      description={
        receipt.length === 0
          ? 'The installation is removed.'
          : 'Everything marked as deleted is removed permanently.'
      }
      name={name}
      label="Uninstall"
      action={uninstall}
      onConfirm={(close) => uninstall.run({ id, keepData, deleteRecords }, close)}
      onClose={() => setKeepData(false)}
      trigger={(open) => (
        <Button size="sm" aria-label={`Uninstall ${name}`} onClick={open}>
          Uninstall
        </Button>
      )}
    >
      {receipt.length > 0 && (
        <LatePart wanted onSaid={() => {}} fallback={<p className="text-muted text-sm">Loading…</p>}>
          <Leavings
            receipt={receipt}
            keepData={keepData}
            onKeepDataChange={setKeepData}
            onDeleteRecordsChange={setDeleteRecords}
          />
        </LatePart>
      )}
    </DeleteDialog>
  );
}
