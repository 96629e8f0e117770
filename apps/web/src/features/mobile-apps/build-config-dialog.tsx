import type { MobileApp } from '@nephos/contracts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { BuildFiles } from './build-files.tsx';
import { GeneratePrompt } from './generate-prompt.tsx';

export interface BuildConfigDialogProps {
  /** Whose configuration is shown; undefined: the dialog is closed. */
  app: MobileApp | undefined;
  onClose: () => void;
}

/** What an app is built with, or the way to have it generated. */
export function BuildConfigDialog({ app, onClose }: BuildConfigDialogProps) {
  const draft = app?.buildStatus === 'draft';
  return (
    <Dialog open={app !== undefined} onOpenChange={(open) => !open && onClose()}>
      {app && (
        <DialogContent
          title="Build Configuration"
          description={
            <span className="break-words">
              {app.name} · <span className="font-mono">{app.bundleId}</span> · {app.version} (
              {app.buildNumber})
            </span>
          }
          full={!draft}
        >
          {draft ? <GeneratePrompt app={app} /> : <BuildFiles app={app} />}
        </DialogContent>
      )}
    </Dialog>
  );
}
