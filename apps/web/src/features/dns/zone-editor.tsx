import { Pencil, Plus, RotateCcw, Trash2 } from 'lucide-react';
import { type Dispatch, useMemo, useReducer, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { DiscardDialog } from '../../ui/discard-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { WindowRows } from '../../ui/window-rows.tsx';
import { EditedRecordDialog } from './edited-record-dialog.tsx';
import { EditsReview } from './edits-review.tsx';
import { TYPE_COLUMN } from './record-list.tsx';
import { recordTitle } from './record-names.ts';
import { useLeaveQuestion } from './use-leave-question.tsx';
import {
  byState,
  type EditedRow,
  type EditStep,
  editedRows,
  NO_EDITS,
  nextEdits,
  type RecordWords,
  summaryOf,
} from './zone-edits.ts';

export interface ZoneEditorProps {
  domain: string;
  onClose: () => void;
}

/** The records of a domain, to edit several of them and save that as one change. */
export function ZoneEditor({ domain, onClose }: ZoneEditorProps) {
  const zone = trpc.dns.zoneRecords.useQuery({ domain }, { staleTime: 0, gcTime: 0 });
  const [edits, edit] = useReducer(nextEdits, NO_EDITS);
  const [editing, setEditing] = useState<EditedRow | 'new'>();
  const [reviewing, setReviewing] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const columns = useMemo(() => columnsOf(domain, edit, setEditing), [domain]);
  const rows = zone.data && editedRows(zone.data.records, edits);
  const states = byState(rows ?? []);
  const summary = summaryOf(states);
  const question = useLeaveQuestion(summary !== '');
  const record = editing === 'new' ? undefined : editing;

  return (
    <section aria-label={`Records of ${domain}`}>
      <div
        data-sticks
        className="sticky top-16 z-10 mb-4 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-surface p-3"
      >
        <p className="min-w-0 break-words">
          <span className="font-medium">{domain}</span>
          <span role="status" className="ml-3 text-muted text-sm">
            {summary || 'No edits yet'}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" disabled={!zone.data} onClick={() => setEditing('new')}>
            <Plus aria-hidden="true" />
            Add record
          </Button>
          <Button size="sm" onClick={() => (summary === '' ? onClose() : setDiscarding(true))}>
            {summary === '' ? 'Close' : 'Discard'}
          </Button>
          <Button size="sm" variant="primary" disabled={summary === ''} onClick={() => setReviewing(true)}>
            Review
          </Button>
        </div>
      </div>
      <DataList
        windowed={WindowRows}
        label="Edited records"
        loading="Loading records"
        columns={columns}
        rows={rows}
        failure={zone.error && <LoadFailure query={zone} failure="Failed to load the records" />}
        empty={<p className="text-muted">No records are left.</p>}
      />
      {editing && (
        <EditedRecordDialog
          domain={domain}
          record={record}
          onEdited={(words) => edit(stepOf(record, words))}
          onClose={() => setEditing(undefined)}
        />
      )}
      {reviewing && zone.data && (
        <EditsReview
          {...{ domain, states, onSaved: onClose }}
          serial={zone.data.serial}
          onChanged={() => void zone.refetch()}
          onClose={() => setReviewing(false)}
        />
      )}
      {discarding && <DiscardDialog onDiscard={onClose} onKeep={() => setDiscarding(false)} />}
      {question}
    </section>
  );
}

/** A new record stays one however often it is changed. */
function stepOf(row: EditedRow | undefined, record: RecordWords): EditStep {
  const isNew = row === undefined || row.state === 'added';
  return { id: row?.id ?? crypto.randomUUID(), edit: { action: isNew ? 'add' : 'change', record } };
}

const STATES: Record<Exclude<EditedRow['state'], 'unchanged'>, { label: string; tone: BadgeTone }> = {
  added: { label: 'Added', tone: 'success' },
  changed: { label: 'Changed', tone: 'info' },
  deleted: { label: 'Deleted', tone: 'danger' },
};

function columnsOf(
  domain: string,
  edit: Dispatch<EditStep>,
  open: (row: EditedRow) => void,
): readonly Column<EditedRow>[] {
  return [
    TYPE_COLUMN,
    {
      heading: 'Name',
      className: 'w-44',
      cell: ({ name }) => (
        <p className="break-all font-medium font-mono in-[td]:truncate in-[td]:text-sm">{name}</p>
      ),
      card: 'title',
    },
    {
      heading: 'Value',
      cell: ({ value, state }) => (
        <code
          title={value}
          className={`block break-all text-sm in-[dd]:line-clamp-3 in-[td]:truncate ${state === 'deleted' ? 'line-through' : ''}`}
        >
          {value}
        </code>
      ),
      card: 'line',
    },
    {
      heading: 'TTL',
      className: 'w-20 text-right',
      cell: ({ ttl }) => <span className="text-muted">{ttl}s</span>,
      card: 'aside',
    },
    {
      heading: 'Edit',
      className: 'w-28',
      cell: ({ state }) =>
        state === 'unchanged' ? null : <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
    },
    {
      heading: 'Actions',
      hideHeading: true,
      className: 'w-24 pr-2! pl-0!',
      cell: (row) => <RowActions row={row} title={recordTitle({ ...row, domain })} edit={edit} open={open} />,
      card: 'end',
    },
  ];
}

interface RowActionsProps {
  row: EditedRow;
  title: string;
  edit: Dispatch<EditStep>;
  open: (row: EditedRow) => void;
}

function RowActions({ row, title, edit, open }: RowActionsProps) {
  const { id, state } = row;
  return (
    <div className="flex items-center justify-end gap-1">
      {state !== 'deleted' && (
        <IconButton label={`Edit ${title}`} title="Edit" size="sm" onClick={() => open(row)}>
          <Pencil />
        </IconButton>
      )}
      {state === 'unchanged' ? (
        <IconButton
          label={`Delete ${title}`}
          title="Delete"
          size="sm"
          onClick={() => edit({ id, edit: { action: 'delete' } })}
        >
          <Trash2 />
        </IconButton>
      ) : (
        <IconButton label={`Undo the edit of ${title}`} title="Undo" size="sm" onClick={() => edit({ id })}>
          <RotateCcw />
        </IconButton>
      )}
    </div>
  );
}
