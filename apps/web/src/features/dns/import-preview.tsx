import type { DnsImportPlan } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { Notice } from '../../ui/notice.tsx';

type PlannedRecord = DnsImportPlan['added'][number];

/** How many records an import changes. */
export function changesOf({ added, removed, changed }: DnsImportPlan): number {
  return added.length + removed.length + changed.length;
}

/** What an import would change, and which lines it leaves out. */
export function ImportPreview({ plan }: { plan: DnsImportPlan }) {
  const { added, removed, changed, unchanged, refused } = plan;
  return (
    <section aria-label="Preview" className="flex flex-col gap-4">
      <p role="status" className="text-muted">
        {`${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged} unchanged.`}
        {refused.length > 0 &&
          ` ${refused.length} ${refused.length === 1 ? 'line is' : 'lines are'} left out.`}
        {changesOf(plan) === 0 && ' There is nothing to import.'}
      </p>
      {refused.length > 0 && (
        <Notice tone="warning" title="Left out">
          <Lines>
            {refused.map(({ line, text, reason }) => (
              <li key={`${line} ${text}`}>
                <code className="text-fg text-sm">{`Line ${line}: ${text}`}</code>
                <p>{reason}</p>
              </li>
            ))}
          </Lines>
        </Notice>
      )}
      <Records title="Added" mark="+" records={added} />
      <Records
        title="Changed"
        mark="~"
        records={changed}
        after={({ formerTtl }) => ` (TTL was ${formerTtl})`}
      />
      <Records title="Removed" mark="−" records={removed} />
    </section>
  );
}

function Lines({ children }: { children: ReactNode }) {
  return <ul className="flex max-h-60 flex-col gap-1.5 overflow-y-auto wrap-anywhere">{children}</ul>;
}

interface RecordsProps<R extends PlannedRecord> {
  title: string;
  mark: string;
  records: readonly R[];
  after?: (record: R) => string;
}

function Records<R extends PlannedRecord>({ title, mark, records, after }: RecordsProps<R>) {
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
