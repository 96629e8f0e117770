import type { Installation, MarketplaceItem } from '@nephos/contracts';
import { Download, ExternalLink, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { UninstallDialog } from './uninstall-dialog.tsx';

export interface ItemActionsProps {
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
    failure: 'Failed to dismiss the failed installation',
    refresh: [utils.marketplace.installations],
  });
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        pending={forget.pending}
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

/** Of an item that is installed or being so: what is made of it can go at any time. */
function PresentActions({ item, installation: { url, receipt } }: PresentActionsProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="sm" aria-label={`Uninstall ${item.name}`} onClick={() => setAsking(true)}>
        Uninstall
      </Button>
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
      <UninstallDialog item={item} receipt={receipt} open={asking} onOpenChange={setAsking} />
    </>
  );
}
