import type { VirtualAccount } from '@nephos/contracts';
import { CircleX, Ellipsis, Pencil } from 'lucide-react';
import { formatCents } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { LateMenu, MenuItem, MenuSeparator } from '../../shell/late-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/input.tsx';
import { useMenuDialog } from '../../ui/use-menu-dialog.ts';
import { useMoneyQueries } from './money-queries.ts';

/** What else can be done with an open account. */
export function AccountMenu({ account, size }: { account: VirtualAccount; size?: 'sm' }) {
  const closing = useClosing();
  const { open, choose, menuClosed, close } = useMenuDialog<'rename' | 'close'>();

  return (
    <>
      <LateMenu
        onCloseAutoFocus={menuClosed}
        button={
          <IconButton label={`More actions for ${account.accountName}`} {...(size && { size })}>
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem onSelect={choose('rename')}>
          <Pencil aria-hidden="true" />
          Rename
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={choose('close')}>
          <CircleX aria-hidden="true" />
          Close account
        </MenuItem>
      </LateMenu>
      {open === 'rename' && <RenameDialog account={account} onClose={close} />}
      {open === 'close' && <CloseDialog account={account} action={closing} onClose={close} />}
    </>
  );
}

interface AccountDialogProps {
  account: VirtualAccount;
  onClose: () => void;
}

function RenameDialog({ account: { id, accountName }, onClose }: AccountDialogProps) {
  const { values, set, changed } = useDraft({ accountName });
  const rename = useAction(trpc.paymentGateway.renameVirtualAccount.useMutation(), {
    success: 'Account renamed',
    failure: 'Failed to rename account',
    serverSpeaks: true,
    refresh: useMoneyQueries(),
    leave: onClose,
  });
  return (
    <FormDialog
      title="Rename account"
      description="Past payments keep the old name."
      label="Rename"
      ready={changed && values.accountName.trim() !== ''}
      action={rename}
      onSubmit={() => rename.run({ id, ...values })}
      onClose={onClose}
    >
      <Field label="Account name" required error={rename.fields.accountName}>
        <Input
          value={values.accountName}
          onChange={(event) => set('accountName', event.target.value)}
          autoComplete="off"
        />
      </Field>
    </FormDialog>
  );
}

/** Call it where it outlives the dialog: closing goes on when its dialog is left. */
function useClosing(): Action<{ id: string }> {
  return useAction(trpc.paymentGateway.closeVirtualAccount.useMutation(), {
    success: 'Account closed',
    failure: 'Failed to close account',
    serverSpeaks: true,
    refresh: useMoneyQueries(),
  });
}

/** Asks for the account's name, then closes it; of one that has money, says what is in the way. */
function CloseDialog({ account, action, onClose }: AccountDialogProps & { action: Action<{ id: string }> }) {
  const obstacle = obstacleOf(account);
  if (obstacle) {
    return (
      <Dialog open onOpenChange={onClose}>
        <DialogContent title={`${account.accountName} can't be closed yet`} description={obstacle}>
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="primary">OK</Button>
            </DialogClose>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    );
  }
  return (
    <DeleteDialog
      title="Close account?"
      description="A closed account can't be reopened, and payments to its number are refused. Its statement stays available."
      name={account.accountName}
      label="Close account"
      keepLabel="Keep account"
      action={action}
      onConfirm={(close) => action.run({ id: account.id }, close)}
      onClose={onClose}
    />
  );
}

/** Why an account cannot be closed now, and what to do; undefined where it can. */
function obstacleOf({ balance, pending }: VirtualAccount): string | undefined {
  if (pending > 0) {
    return `${formatCents(pending)} is still on its way to other banks. Wait for those payments to finish, or cancel them.`;
  }
  if (balance > 0) {
    return `It still holds ${formatCents(balance)}. Send the balance to another account first.`;
  }
  return undefined;
}
