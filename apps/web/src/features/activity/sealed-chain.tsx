import type { AuditChain } from '@nephos/contracts';
import { inWorkspace } from '../../lib/tab-workspace.ts';
import { buttonStyles } from '../../ui/button-styles.ts';

export interface SealedChainProps {
  chain: AuditChain | undefined;
  /** Address of the export, without what it has behind its `?`. */
  exportPath: string;
}

/** The ways to have all records, and to see that none of them was changed since. */
export function SealedChain({ chain, exportPath }: SealedChainProps) {
  return (
    <section aria-label="Export" className="mt-8 flex max-w-3xl flex-col gap-3 text-sm">
      <div className="flex flex-wrap gap-2">
        <a href={inWorkspace(exportPath)} download className={buttonStyles({ size: 'sm' })}>
          Export JSON lines
        </a>
        <a href={inWorkspace(`${exportPath}?format=csv`)} download className={buttonStyles({ size: 'sm' })}>
          Export CSV
        </a>
        <a href="/verify-activity.mjs" download className={buttonStyles({ size: 'sm' })}>
          Script that checks an export
        </a>
      </div>
      <p className="text-muted">
        Records are kept for a year. Each has a hash over itself and the one before, so an export shows what
        was changed, moved or removed:{' '}
        <code className="break-all">node verify-activity.mjs activity.jsonl</code>
      </p>
      {chain && chain.position > 0 && (
        <p className="text-muted">
          Newest sealed record: number {chain.position}, <code className="break-all">{chain.hash}</code>
        </p>
      )}
    </section>
  );
}
