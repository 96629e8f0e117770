import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

interface RecoveryCodesProps {
  recoveryCodes: readonly string[];
  onClose: () => void;
}

/** The one time that recovery codes are shown. */
export function CreatedRecoveryCodes({ recoveryCodes, onClose }: RecoveryCodesProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="Copy these codes now">
        You won't see them again. Each one logs you in once if you lose your device. Store them like a
        password.
      </Notice>
      <CodeBlock code={recoveryCodes.join('\n')} label="recovery codes" />
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </div>
  );
}

export function RecoveryCodesDialog(props: RecoveryCodesProps) {
  return (
    <Dialog open onOpenChange={props.onClose}>
      <DialogContent title="New recovery codes" onInteractOutside={(event) => event.preventDefault()}>
        <CreatedRecoveryCodes {...props} />
      </DialogContent>
    </Dialog>
  );
}
