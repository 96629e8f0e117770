import type { DnsRecord } from '@nephos/contracts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { AddRecordForm } from './add-record-form.tsx';

export interface AddRecordDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The domain that the page shows; the form starts with it. */
  domain: string | undefined;
  onAdded: (record: DnsRecord) => void;
}

export function AddRecordDialog({ open, onOpenChange, domain, onAdded }: AddRecordDialogProps) {
  function added(record: DnsRecord) {
    onOpenChange(false);
    onAdded(record);
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Add Record" description="The first record under a domain makes the domain yours.">
        <AddRecordForm domain={domain} onAdded={added} />
      </DialogContent>
    </Dialog>
  );
}
