import type { DnsImportPlan } from '@nephos/contracts';
import { Notice } from '../../ui/notice.tsx';
import { Lines, RecordLines } from './record-lines.tsx';

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
      <RecordLines title="Added" mark="+" records={added} />
      <RecordLines
        title="Changed"
        mark="~"
        records={changed}
        after={({ formerTtl }) => ` (TTL was ${formerTtl})`}
      />
      <RecordLines title="Removed" mark="−" records={removed} />
    </section>
  );
}
