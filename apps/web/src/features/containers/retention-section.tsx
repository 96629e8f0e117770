import type { Retention, RetentionRule } from '@nephos/contracts';
import { useState } from 'react';
import { formatAgo, formatInstant, formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { RetentionDialog } from './retention-dialog.tsx';

/** On an image's page: by which rule tags of its repository are deleted each night, if by any. */
export function RetentionSection({ repositoryId, name }: { repositoryId: string; name: string }) {
  const { data: retention } = trpc.containers.retention.useQuery({ id: repositoryId });
  const [editing, setEditing] = useState(false);
  const utils = trpc.useUtils();
  const remove = useAction(trpc.containers.removeRetention.useMutation(), {
    success: 'Retention rule removed',
    failure: 'Failed to remove the rule',
    serverSpeaks: true,
    refresh: [utils.containers.retention],
  });
  if (!retention) return null;
  const { rule } = retention;
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-72">
          <h2 className="font-semibold text-lg">Retention</h2>
          <p className="text-muted text-sm wrap-anywhere">
            {rule ? describeRule(rule) : 'Tags stay until you delete them.'} <LastRun retention={retention} />
          </p>
        </div>
        <div className="flex gap-2">
          {rule && (
            <Button
              size="sm"
              variant="ghost"
              {...remove.button}
              onClick={() => remove.run({ id: repositoryId })}
            >
              Remove rule
            </Button>
          )}
          <Button size="sm" onClick={() => setEditing(true)}>
            {rule ? 'Change rule' : 'Set retention rule'}
          </Button>
        </div>
      </div>
      {editing && (
        <RetentionDialog
          repositoryId={repositoryId}
          name={name}
          rule={rule}
          onClose={() => setEditing(false)}
        />
      )}
    </section>
  );
}

/** What a rule does each night, in a sentence or two. */
function describeRule({ matching, keepMatching, keepLast, olderThanDays, untagged }: RetentionRule): string {
  const tags = matching === '*' ? 'tags' : `tags that match ${matching}`;
  const kept = keepLast === 1 ? 'the newest' : `the newest ${keepLast}`;
  const young = olderThanDays === 0 ? '' : ` and those pushed within ${daysOf(olderThanDays)}`;
  const others = keepMatching === '' ? '' : ` Tags that match ${keepMatching} stay.`;
  const more = untagged ? ' Untagged images go as well.' : '';
  return `Every night, ${tags} are deleted except ${kept}${young}.${others}${more}`;
}

function daysOf(days: number): string {
  return days === 1 ? 'a day' : `${days} days`;
}

function LastRun({ retention: { lastRun } }: { retention: Retention }) {
  if (!lastRun) return null;
  const { at, tags, size } = lastRun;
  return (
    <>
      Last run{' '}
      <time dateTime={at} title={formatInstant(at)}>
        {formatAgo(at)}
      </time>
      : {tags === 1 ? '1 tag' : `${tags} tags`} deleted, {formatSize(size)} freed.
    </>
  );
}
