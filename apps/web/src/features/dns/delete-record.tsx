import { type DnsRecord, wholeName } from '@nephos/contracts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export interface DeleteRecordProps {
  record: DnsRecord;
  onClose: () => void;
}

/** Asks for the record's whole name, then deletes it. */
export function DeleteRecord({ record, onClose }: DeleteRecordProps) {
  const { id, domain, name, recordType, value } = record;
  const utils = trpc.useUtils();
  const remove = useAction(trpc.dns.remove.useMutation(), {
    success: 'DNS record deleted',
    failure: 'Failed to delete DNS record',
    serverSpeaks: true,
    refresh: [utils.dns.list, utils.dns.zones],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Delete DNS Record?"
      description={
        <>
          The name server stops answering with it at once. Others may remember it for its TTL.
          <code className="mt-3 line-clamp-3 wrap-anywhere text-fg">{`${recordType} ${value}`}</code>
        </>
      }
      name={wholeName(name, domain)}
      confirmLabel="Delete record"
      onConfirm={() => remove.run({ id })}
      pending={remove.pending}
      refusal={remove.refusal}
    />
  );
}
