import type { Beneficiary } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Asks for the beneficiary's name, then deletes it. */
export function DeleteBeneficiary({ beneficiary: { id, accountName } }: { beneficiary: Beneficiary }) {
  const [asking, setAsking] = useState(false);
  const { paymentGateway } = trpc.useUtils();
  const remove = useAction(trpc.paymentGateway.removeBeneficiary.useMutation(), {
    success: 'Beneficiary deleted successfully!',
    failure: 'Failed to delete beneficiary',
    refresh: [paymentGateway.beneficiaries],
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Delete ${accountName}`}
        onClick={() => setAsking(true)}
        className="-mr-3"
      >
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete Beneficiary?"
        description="It no longer fills in the form that sends. Payments that were made to it stay as they are."
        name={accountName}
        confirmLabel="Delete beneficiary"
        onConfirm={() => remove.run({ id })}
        pending={remove.pending}
        refusal={remove.refusal}
      />
    </>
  );
}
