import { Download } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { buttonStyles } from '../../ui/button-styles.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { plainText } from './ansi.ts';
import type { LogLine } from './log-buffer.ts';
import { LogLines } from './log-lines.tsx';
import { LogStateLabel } from './log-state.tsx';
import { useLog } from './use-log.ts';

/** The log of one deployment: live, with search and download. Mount it with the deployment as its key. */
export function LogPanel({ deploymentId }: { deploymentId: string }) {
  const { buffer, version, state } = useLog(deploymentId);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim().toLowerCase());
  const found = useFound(buffer.lines, version, search);

  return (
    <section aria-label="Log" className="overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-3 py-2">
        <SearchInput
          label="Search the log"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="min-w-40 grow sm:max-w-80"
        />
        <p role="status" className="text-muted text-sm">
          {search &&
            `${found.length.toLocaleString('en')} of ${buffer.lines.length.toLocaleString('en')} lines`}
        </p>
        <div className="ml-auto flex items-center gap-4">
          <LogStateLabel state={state} />
          <a
            href={`/api/deployments/${deploymentId}/log?download=1`}
            download
            className={buttonStyles({ size: 'sm' })}
          >
            <Download aria-hidden="true" />
            Download
          </a>
        </div>
      </div>
      {buffer.dropped > 0 && (
        <p className="border-line border-b bg-warning-soft px-4 py-2 text-sm text-warning">
          The first {buffer.dropped.toLocaleString('en')} lines are not shown here; the download has them.
        </p>
      )}
      <LogLines lines={found} version={version} longest={buffer.longest} search={search} />
    </section>
  );
}

/** The lines that hold the text, all of them where it is empty. */
function useFound(lines: readonly LogLine[], version: number, search: string): readonly LogLine[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the lines, changed in place
  return useMemo(
    () =>
      search === '' ? lines : lines.filter(({ text }) => plainText(text).toLowerCase().includes(search)),
    [lines, version, search],
  );
}
