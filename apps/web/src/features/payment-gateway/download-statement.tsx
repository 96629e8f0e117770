import type { VirtualAccount } from '@nephos/contracts';
import { statementCsvPath, statementFileName } from '@nephos/contracts/constants';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { CallError } from '../../lib/errors.ts';
import { fetchBlob } from '../../lib/fetch-blob.ts';
import { saveBlob } from '../../lib/save-blob.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { monthName } from './statement-months.ts';

export interface DownloadStatementProps {
  account: VirtualAccount;
  /** For example `2026-11`. */
  month: string;
}

/** A month of the statement as a file for a spreadsheet, whatever else narrows what is shown. */
export function DownloadStatement({ account: { id, accountNumber }, month }: DownloadStatementProps) {
  const download = useAction(
    useMutation<Blob, CallError>({ mutationFn: () => fetchBlob(statementCsvPath(id, month)) }),
    {
      failure: 'Failed to download the statement',
      serverSpeaks: true,
      onDone: (csv) => saveBlob(csv, statementFileName(accountNumber, month)),
    },
  );
  return (
    <Button
      title={`The whole month of ${monthName(month)}, as UTC counts it`}
      pending={download.pending}
      onClick={() => download.run()}
      className="max-sm:w-full"
    >
      {!download.pending && <Download aria-hidden="true" />}
      Download CSV
      <span className="text-muted">{monthName(month)}</span>
    </Button>
  );
}
