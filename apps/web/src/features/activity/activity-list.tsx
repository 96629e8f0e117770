import type { AuditRecord } from '@nephos/contracts';
import { AUDIT_SEARCHED } from '@nephos/contracts/constants';
import { History, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatInstant, formatMinute } from '../../lib/format.ts';
import { nextPages, type PagedList } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { thingOf, viaOf, whoOf } from './activity-words.ts';
import { RecordDialog } from './record-dialog.tsx';

export interface ActivityListProps {
  list: PagedList<AuditRecord>;
  filter?: ReactNode;
  /** Clears all that narrows the list; absent where nothing does. */
  showAll?: (() => void) | undefined;
  /** Narrow the list to a person, and to a thing; absent where that is not offered. */
  onWho?: (id: string) => void;
  onThing?: (id: string) => void;
}

/** Records of who did what, newest first. */
export function ActivityList({ list, filter, showAll, onWho, onThing }: ActivityListProps) {
  const [shown, setShown] = useState<AuditRecord>();
  const rows = list.data?.pages.flat();
  return (
    <>
      <DataList
        label="Activity"
        columns={columnsOf({ onWho, onThing, onShow: setShown })}
        rows={rows}
        loading="Loading activity…"
        filter={filter}
        stale={list.isPlaceholderData}
        failure={
          list.error !== null &&
          !list.isFetchNextPageError && <LoadFailure query={list} failure="Failed to load activity" />
        }
        empty={
          showAll ? (
            <EmptyState
              icon={SearchX}
              title="Nothing found"
              description={`No activity matches. Words are searched for in the newest ${AUDIT_SEARCHED.toLocaleString('en')} records: choose a time or a kind of thing to look further back.`}
              action={<Button onClick={showAll}>Show all activity</Button>}
            />
          ) : (
            <EmptyState
              icon={History}
              title="No activity yet"
              description="Whatever is changed here is recorded and kept for a year."
            />
          )
        }
        more={nextPages(list, 'activity')}
      />
      {shown && <RecordDialog record={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

interface ColumnsProps extends Pick<ActivityListProps, 'onWho' | 'onThing'> {
  onShow: (record: AuditRecord) => void;
}

const LINK =
  'rounded-sm text-left break-all underline decoration-line-strong underline-offset-4 hover:decoration-current';

function Narrowing({ id, label, text, onChoose }: NarrowingProps) {
  if (!id || !onChoose) return <span className="break-all">{text}</span>;
  return (
    <button type="button" className={LINK} aria-label={`${label} ${text}`} onClick={() => onChoose(id)}>
      {text}
    </button>
  );
}

interface NarrowingProps {
  id: string | null | undefined;
  label: string;
  text: string;
  onChoose: ((id: string) => void) | undefined;
}

function columnsOf({ onWho, onThing, onShow }: ColumnsProps): readonly Column<AuditRecord>[] {
  return [
    {
      heading: 'Time',
      cell: ({ at }) => (
        <time dateTime={at} title={formatInstant(at)} className="whitespace-nowrap text-muted">
          {formatMinute(at)}
        </time>
      ),
    },
    {
      heading: 'Who',
      cell: (record) => (
        <div className="min-w-0 py-1.5 sm:min-w-44">
          <Narrowing id={record.actor?.id} label="Only by" text={whoOf(record)} onChoose={onWho} />
          <span className="block text-muted text-sm">{viaOf(record)}</span>
        </div>
      ),
    },
    {
      heading: 'Action',
      cell: ({ action, result }) => (
        <span>
          {action} {result === 'refused' && <Badge tone="danger">Refused</Badge>}
        </span>
      ),
    },
    {
      heading: 'What',
      cell: (record) => {
        const { kind, name } = thingOf(record);
        return (
          <div className="min-w-0 py-1.5 sm:min-w-36">
            <Narrowing id={record.subject.id} label="Only" text={name} onChoose={onThing} />
            <span className="block text-muted text-sm">{kind}</span>
          </div>
        );
      },
    },
    {
      heading: 'Details',
      cell: (record) => (
        <Button size="sm" onClick={() => onShow(record)} aria-label={`Details of ${record.action}`}>
          Details
        </Button>
      ),
    },
  ];
}
