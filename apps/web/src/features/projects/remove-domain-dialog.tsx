import { LeadingRecords, useLeadingRecords } from '../../lib/leading-records.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface RemoveDomainDialogProps {
  /** The project. */
  id: string;
  domain: string;
  onClose: () => void;
}

/** Asks before a domain is removed, and tells what leads to it. */
export function RemoveDomainDialog({ id, domain, onClose }: RemoveDomainDialogProps) {
  const utils = trpc.useUtils();
  const { deleteRecords, isLooking, ...leading } = useLeadingRecords({ id, domain });
  const remove = useAction(trpc.customDomains.remove.useMutation(), {
    success: 'Domain removed',
    failure: 'Failed to remove the domain',
    serverSpeaks: true,
    refresh: [utils.customDomains.list, utils.dns.list, utils.dns.zones, utils.dns.changes],
  });
  return (
    <ConfirmDialog
      title={`Remove ${domain}?`}
      description="The app no longer answers at this domain."
      label="Remove domain"
      action={{ ...remove, pending: remove.pending || isLooking }}
      onConfirm={(close) => remove.run({ id, domain, deleteRecords }, close)}
      onClose={onClose}
    >
      <LeadingRecords {...leading} />
    </ConfirmDialog>
  );
}
