import type { CreatedAccessToken } from '@nephos/contracts';
import { useState } from 'react';
import {
  CreatedToken,
  isTokenReady,
  newToken,
  TOKEN_DEFAULTS,
  TokenFields,
} from '../../lib/token-fields.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const { name: workspace } = useWorkspace();
  const draft = useDraft(TOKEN_DEFAULTS);
  const [created, setCreated] = useState<CreatedAccessToken>();
  const create = useAction(trpc.auth.createToken.useMutation(), {
    failure: 'Failed to create access token',
    refresh: [utils.auth.tokens],
    onDone: setCreated,
  });
  return (
    <FormDialog
      title="New access token"
      description={`Lets programs act on your behalf in ${workspace}, with your role there.`}
      label="Create token"
      ready={isTokenReady(draft.values)}
      action={create}
      onSubmit={() => create.run(newToken(draft.values))}
      onClose={onClose}
      result={created && <CreatedToken created={created} onDone={onClose} />}
    >
      <TokenFields draft={draft} errors={create.fields} />
    </FormDialog>
  );
}
