import { MAX_DNS_EDITS } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecordLines } from './record-lines.tsx';
import { useRecordQueries } from './use-record-queries.ts';
import { type EditedRow, type RowsByState, savedEdits, summaryOf } from './zone-edits.ts';

export interface EditsReviewProps {
  domain: string;
  /** Of the zone that was edited. */
  serial: number;
  states: RowsByState;
  onSaved: () => void;
  /** Somebody else changed the zone meanwhile. */
  onChanged: () => void;
  onClose: () => void;
}

/** What is about to change, before it is saved. */
export function EditsReview({ domain, serial, states, onSaved, onChanged, onClose }: EditsReviewProps) {
  const saving = trpc.dns.edit.useMutation({
    // What was edited is shown as it is now, and can be looked at and saved again.
    onError: ({ data }) => data?.reason === 'ZONE_CHANGED' && onChanged(),
  });
  const save = useAction(saving, {
    success: 'DNS records saved',
    failure: 'Failed to save DNS records',
    refresh: useRecordQueries(),
    leave: onSaved,
  });
  const edits = savedEdits(states);
  const isTooMuch = edits.length > MAX_DNS_EDITS;
  const [fault] = Object.values(save.fields);
  return (
    <FormDialog
      wide
      title="Review changes"
      description={`${domain}: ${summaryOf(states) || 'nothing is left to save'}. All of it is saved at once, or nothing.`}
      label="Save"
      ready={edits.length > 0 && !isTooMuch}
      action={{ ...save, refusal: save.refusal ?? fault }}
      onSubmit={() => save.run({ domain, serial, edits })}
      onClose={onClose}
    >
      {isTooMuch && (
        <Notice tone="warning" title={`At most ${MAX_DNS_EDITS} edits can be saved at once.`}>
          Take some of them back, and save them afterwards.
        </Notice>
      )}
      <RecordLines title="Added" mark="+" records={states.added} />
      <RecordLines title="Changed" mark="~" records={states.changed} after={formerOf} />
      <RecordLines title="Deleted" mark="−" records={states.deleted} />
    </FormDialog>
  );
}

function formerOf({ former, name, value, ttl }: EditedRow): string {
  if (!former) return '';
  const was = [
    ...(former.name === name ? [] : [`name was ${former.name}`]),
    ...(former.ttl === ttl ? [] : [`TTL was ${former.ttl}`]),
    ...(former.value === value ? [] : [`value was ${former.value}`]),
  ];
  return ` (${was.join(', ')})`;
}
