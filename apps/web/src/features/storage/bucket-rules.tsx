import type { BucketDetail, BucketRules, CorsRule, LifecycleRule } from '@nephos/contracts';
import { UPLOADS_BUCKET } from '@nephos/contracts/constants';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { corsWords, lifecycleWords, nameOfRule } from './rule-words.ts';

const LifecycleDialog = lateDialog({ fields: 4 }, () =>
  import('./lifecycle-dialog.tsx').then(({ LifecycleDialog }) => LifecycleDialog),
);
const CorsDialog = lateDialog({ fields: 4 }, () =>
  import('./cors-dialog.tsx').then(({ CorsDialog }) => CorsDialog),
);

/** What goes from a bucket by itself, and which pages of other sites may call it. */
export function BucketRulesCards({ bucket }: { bucket: BucketDetail }) {
  const rules = trpc.buckets.rules.useQuery({ id: bucket.id });
  const card = (title: string, description: string, content: (data: BucketRules) => ReactNode) => (
    <section aria-label={title} className="min-w-0">
      <Card>
        <CardHeader title={title} description={description} />
        <div className="mt-4">
          {rules.data && content(rules.data)}
          {rules.error && <LoadFailure query={rules} failure={`Failed to load the ${title.toLowerCase()}`} />}
          {rules.isPending && (
            <SkeletonGroup label={`Loading the ${title.toLowerCase()}`}>
              <Skeleton className="h-12" />
            </SkeletonGroup>
          )}
        </div>
      </Card>
    </section>
  );
  return (
    <>
      {card('Lifecycle rules', 'What is deleted by itself once it is old. Rules run every hour.', (data) => (
        <Lifecycle bucket={bucket} rules={data} />
      ))}
      {card('CORS rules', 'Which pages of other sites may read and write here from a browser.', (data) => (
        <Cors bucket={bucket} rules={data} />
      ))}
    </>
  );
}

interface RulesProps {
  bucket: BucketDetail;
  rules: BucketRules;
}

function Lifecycle({ bucket: { id }, rules: { lifecycle: rules, revision } }: RulesProps) {
  const { buckets } = trpc.useUtils();
  const save = useAction(trpc.buckets.setLifecycle.useMutation(), {
    success: 'Rule deleted',
    failure: 'Failed to delete the rule',
    serverSpeaks: true,
    refresh: [buckets.rules],
  });
  return (
    <RuleList<LifecycleRule>
      kind="lifecycle rule"
      rules={rules}
      none="Nothing is deleted by itself."
      words={lifecycleWords}
      isOff={({ isEnabled }) => !isEnabled}
      action={save}
      onRemove={(kept, close) => save.run({ id, rules: kept, revision }, close)}
      dialog={(at, onClose) => <LifecycleDialog {...{ id, rules, revision, at, onClose }} />}
    />
  );
}

function Cors({ bucket: { id, name }, rules: { cors: rules, revision } }: RulesProps) {
  const { buckets } = trpc.useUtils();
  const save = useAction(trpc.buckets.setCors.useMutation(), {
    success: 'Rule deleted',
    failure: 'Failed to delete the rule',
    serverSpeaks: true,
    refresh: [buckets.rules],
  });
  return (
    <RuleList<CorsRule>
      kind="CORS rule"
      rules={rules}
      none="Only the console and clients outside of browsers can call this bucket."
      refusal={
        name === UPLOADS_BUCKET
          ? `${UPLOADS_BUCKET} is the console's own bucket, which no other page may call. Use another one.`
          : undefined
      }
      words={corsWords}
      action={save}
      onRemove={(kept, close) => save.run({ id, rules: kept, revision }, close)}
      dialog={(at, onClose) => <CorsDialog {...{ id, rules, revision, at, onClose }} />}
    />
  );
}

interface RuleListProps<Rule> {
  /** What one is called. */
  kind: string;
  rules: readonly Rule[];
  /** What holds without any. */
  none: string;
  /** Why none can be added. */
  refusal?: string | undefined;
  /** What a rule says, in sentences. */
  words: (rule: Rule) => string;
  isOff?: (rule: Rule) => boolean;
  action: Parameters<typeof ConfirmDialog>[0]['action'];
  /** Saves what stays. */
  onRemove: (kept: Rule[], close: () => void) => void;
  /** The form of the rule in a place; behind the last one, of a new one. */
  dialog: (at: number, onClose: () => void) => ReactNode;
}

function RuleList<Rule extends { id?: string | undefined }>({
  kind,
  rules,
  none,
  refusal,
  words,
  isOff = () => false,
  action,
  onRemove,
  dialog,
}: RuleListProps<Rule>) {
  const need = useNeed('build');
  const [asking, setAsking] = useState<number>();
  return (
    <div className="flex flex-col gap-4">
      {rules.length === 0 ? (
        <p className="text-muted text-sm">{none}</p>
      ) : (
        <ul className="divide-y divide-line">
          {rules.map((rule, at) => {
            const name = nameOfRule(rule, at);
            return (
              <li key={rule.id ?? at} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0">
                <div className="min-w-0 grow basis-60">
                  <p className="flex flex-wrap items-center gap-2 break-words font-medium">
                    {name}
                    {isOff(rule) && <Badge>Off</Badge>}
                  </p>
                  <p className="break-words text-muted text-sm">{words(rule)}</p>
                </div>
                <div className="flex items-center gap-1">
                  <IconButton
                    label={`Edit ${name}`}
                    title="Edit"
                    size="sm"
                    {...need}
                    onClick={() => setAsking(at)}
                  >
                    <Pencil />
                  </IconButton>
                  <ConfirmDialog
                    title={`Delete the ${kind} ${name}?`}
                    description={words(rule)}
                    label="Delete rule"
                    action={action}
                    onConfirm={(close) =>
                      onRemove(
                        rules.filter((other) => other !== rule),
                        close,
                      )
                    }
                    trigger={(open) => (
                      <IconButton label={`Delete ${name}`} title="Delete" size="sm" {...need} onClick={open}>
                        <Trash2 />
                      </IconButton>
                    )}
                  />
                </div>
              </li>
            );
          })}
        </ul>
      )}
      <Button
        size="sm"
        className="self-start"
        reason={refusal}
        {...need}
        onClick={() => setAsking(rules.length)}
      >
        <Plus aria-hidden="true" />
        Add {kind}
      </Button>
      {asking !== undefined && dialog(asking, () => setAsking(undefined))}
    </div>
  );
}
