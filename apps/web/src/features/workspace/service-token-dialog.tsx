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

export interface ServiceTokenDialogProps {
  /** The service account's. */
  userId: string;
  name: string;
  onClose: () => void;
}

export function ServiceTokenDialog({ userId, name, onClose }: ServiceTokenDialogProps) {
  const utils = trpc.useUtils();
  const { id } = useWorkspace();
  const draft = useDraft(TOKEN_DEFAULTS);
  const [created, setCreated] = useState<CreatedAccessToken>();
  const create = useAction(trpc.workspaces.serviceToken.useMutation(), {
    failure: 'Failed to create access token',
    serverSpeaks: true,
    refresh: [utils.workspaces.serviceTokens],
    onDone: setCreated,
  });
  return (
    <FormDialog
      title={`New access token for ${name}`}
      description="Lets a program act as this service account, with its role."
      label="Create token"
      ready={isTokenReady(draft.values)}
      action={create}
      onSubmit={() => create.run({ id, userId, ...newToken(draft.values) })}
      onClose={onClose}
      result={created && <CreatedToken created={created} onDone={onClose} />}
    >
      <TokenFields draft={draft} errors={create.fields} />
    </FormDialog>
  );
}
