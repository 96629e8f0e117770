import { LeadingRecords, useLeadingRecords } from '../../lib/leading-records.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type OfDomain, THINGS, useDomainCalls } from './place.ts';

interface RemoveDomainDialogProps extends OfDomain {
  onClose: () => void;
}

/** Asks before a domain is removed, and tells what leads to it. */
export function RemoveDomainDialog({ place, domain, onClose }: RemoveDomainDialogProps) {
  const utils = trpc.useUtils();
  const { deleteRecords, isLooking, ...leading } = useLeadingRecords({ ...place, domain });
  const { refresh, remove: call } = useDomainCalls(place);
  const remove = useAction(call.useMutation(), {
    success: 'Domain removed',
    failure: 'Failed to remove the domain',
    serverSpeaks: true,
    refresh: [...refresh, utils.dns.list, utils.dns.zones, utils.dns.changes],
  });
  return (
    <ConfirmDialog
      title={`Remove ${domain}?`}
      description={`The ${THINGS[place.kind]} no longer answers at this domain.`}
      label="Remove domain"
      action={{ ...remove, pending: remove.pending || isLooking }}
      onConfirm={(close) => remove.run({ id: place.id, domain, deleteRecords }, close)}
      onClose={onClose}
    >
      <LeadingRecords {...leading} />
    </ConfirmDialog>
  );
}
