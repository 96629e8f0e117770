import type { AuditRecord } from '@nephos/contracts';
import { formatInstant } from '../../lib/format.ts';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { type ChangedField, changesOf, thingOf, viaOf, whoOf } from './activity-words.ts';

const VALUE = 'whitespace-pre-wrap break-all text-sm';

const COLUMNS: readonly Column<ChangedField>[] = [
  { heading: 'Field', cell: ({ id }) => <code className="break-all text-sm">{id}</code> },
  { heading: 'Before', cell: ({ before }) => <span className={VALUE}>{before}</span> },
  { heading: 'After', cell: ({ after }) => <span className={VALUE}>{after}</span> },
];

export interface RecordDialogProps {
  record: AuditRecord;
  onClose: () => void;
}

/** All that is known of a record: who, from where, and each field before and after. */
export function RecordDialog({ record, onClose }: RecordDialogProps) {
  const changes = changesOf(record);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent wide title={record.action} description={formatInstant(record.at)}>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
          {factsOf(record).map(([name, fact]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="break-all">{fact}</dd>
            </div>
          ))}
        </dl>
        {changes.length > 0 && (
          <div className="mt-5">
            <DataList label="Changes" columns={COLUMNS} rows={changes} />
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}

function factsOf(record: AuditRecord): [string, string][] {
  const { kind, name } = thingOf(record);
  const facts: [string, string | null][] = [
    ['Who', whoOf(record)],
    ['Signed in as', record.asWhom],
    ['By', viaOf(record)],
    ['From', record.ip],
    [kind, name],
    ['ID', record.subject.id],
    ['Result', record.result === 'refused' ? 'Refused' : 'Done'],
    ['Procedure', record.procedure],
    ['Request', record.requestId],
    ['Sealed', record.position === null ? 'In a moment' : `Number ${record.position}`],
    ['Hash', record.hash],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
}
