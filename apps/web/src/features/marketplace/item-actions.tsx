import type { Installation, MarketplaceItem } from '@nephos/contracts';
import { Download, ExternalLink, RotateCcw } from 'lucide-react';
import { useState } from 'react';
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
  switch (installation?.status) {
    case 'installed':
      return <InstalledActions item={item} installation={installation} />;
    case 'installing':
      return (
        <Button size="sm" pending>
          Installing…
        </Button>
      );
    case 'failed':
      return (
        <Button size="sm" aria-label={`Try again to install ${item.name}`} onClick={onInstall}>
          <RotateCcw aria-hidden="true" />
          Try again
        </Button>
      );
    default:
      return (
        <Button size="sm" aria-label={`Install ${item.name}`} onClick={onInstall}>
          <Download aria-hidden="true" />
          Install
        </Button>
      );
  }
}

interface InstalledActionsProps {
  item: MarketplaceItem;
  installation: Installation;
}

function InstalledActions({ item, installation: { url, receipt } }: InstalledActionsProps) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" variant="ghost" aria-label={`Uninstall ${item.name}`} onClick={() => setAsking(true)}>
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
    </div>
  );
}
