import type { CreatedAccessToken } from '@nephos/contracts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface CreatedTokenProps {
  created: CreatedAccessToken;
  onDone: () => void;
}

/** The one time that a token is shown. */
export function CreatedToken({ created: { name, token }, onDone }: CreatedTokenProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="Copy it now">
        This is the only time that the token of “{name}” is shown. Keep it like a password.
      </Notice>
      <CodeBlock code={token} label="access token" />
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </div>
  );
}
