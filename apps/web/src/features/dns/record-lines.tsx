import type { DnsRecord } from '@nephos/contracts';
import type { ReactNode } from 'react';

type ListedRecord = Pick<DnsRecord, 'name' | 'recordType' | 'value' | 'ttl'>;

/** Lines of which many scroll. */
export function Lines({ children }: { children: ReactNode }) {
  return <ul className="flex max-h-60 flex-col gap-1.5 overflow-y-auto wrap-anywhere">{children}</ul>;
}

interface RecordLinesProps<R extends ListedRecord> {
  title: string;
  mark: string;
  records: readonly R[];
  /** What is said of a record after its line. */
  after?: (record: R) => string;
}

/** Records as a zone file would have them, below a title; nothing where there are none. */
export function RecordLines<R extends ListedRecord>({ title, mark, records, after }: RecordLinesProps<R>) {
  if (records.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 font-medium text-sm">{title}</h3>
      <Lines>
        {records.map((record) => {
          const { name, ttl, recordType, value } = record;
          const line = `${name} ${ttl} ${recordType} ${value}`;
          return (
            <li key={line}>
              <code className="text-sm">{`${mark} ${line}${after?.(record) ?? ''}`}</code>
            </li>
          );
        })}
      </Lines>
    </section>
  );
}
