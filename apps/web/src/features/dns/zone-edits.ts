import type { DnsRecord, Inputs } from '@nephos/contracts';

/** What can be told of a record without its domain. */
export type RecordWords = Pick<DnsRecord, 'recordType' | 'name' | 'value' | 'ttl'>;

type RowEdit = { action: 'add' | 'change'; record: RecordWords } | { action: 'delete' };

/** Edits that are not saved yet, by the record's id; a new record has one that is made here. */
export type ZoneEdits = ReadonlyMap<string, RowEdit>;

export const NO_EDITS: ZoneEdits = new Map();

/** A record of a domain as its edits leave it. */
export interface EditedRow extends RecordWords {
  id: string;
  state: 'added' | 'changed' | 'deleted' | 'unchanged';
  /** As it is stored. */
  former?: RecordWords;
}

export type EditStep = { id: string; edit?: RowEdit | undefined } | 'discard';

/** The edits after one more; without an edit, that of the record is taken back. */
export function nextEdits(edits: ZoneEdits, step: EditStep): ZoneEdits {
  if (step === 'discard') return NO_EDITS;
  const next = new Map(edits);
  if (step.edit) next.set(step.id, step.edit);
  else next.delete(step.id);
  return next;
}

function isSame(one: RecordWords, other: RecordWords): boolean {
  return one.name === other.name && one.value === other.value && one.ttl === other.ttl;
}

function rowOf(former: DnsRecord, edit: RowEdit | undefined): EditedRow {
  const { id, recordType, name, value, ttl } = former;
  const stored = { id, recordType, name, value, ttl };
  if (edit?.action === 'delete') return { ...stored, state: 'deleted' };
  if (!edit || isSame(edit.record, stored)) return { ...stored, state: 'unchanged' };
  return { ...stored, ...edit.record, state: 'changed', former: stored };
}

/** The records of a domain as its edits leave them, new ones first. Edits of records that are gone fall away. */
export function editedRows(records: readonly DnsRecord[], edits: ZoneEdits): EditedRow[] {
  const added = [...edits].flatMap(([id, edit]) =>
    edit.action === 'add' ? [{ id, ...edit.record, state: 'added' as const }] : [],
  );
  return [...added.toReversed(), ...records.map((record) => rowOf(record, edits.get(record.id)))];
}

export type RowsByState = Record<EditedRow['state'], readonly EditedRow[]>;

export function byState(rows: readonly EditedRow[]): RowsByState {
  return {
    added: [],
    changed: [],
    deleted: [],
    unchanged: [],
    ...Object.groupBy(rows, ({ state }) => state),
  };
}

/** What is to be saved, in a line; '' for nothing. */
export function summaryOf(rows: RowsByState): string {
  return (['added', 'changed', 'deleted'] as const)
    .flatMap((state) => (rows[state].length > 0 ? [`${rows[state].length} ${state}`] : []))
    .join(', ');
}

type Edits = Inputs['dns']['edit']['edits'];

/** Edits as they are saved; of a changed record, what is different alone. */
export function savedEdits({ added, changed, deleted }: RowsByState): Edits {
  return [
    ...deleted.map(({ id }) => ({ action: 'delete' as const, id })),
    ...changed.map(({ id, former, name, value, ttl }) => ({
      ...{ action: 'change' as const, id },
      ...(name !== former?.name && { name }),
      ...(value !== former?.value && { value }),
      ...(ttl !== former?.ttl && { ttl }),
    })),
    ...added.map(({ recordType, name, value, ttl }) => ({
      ...{ action: 'add' as const, recordType, name, value, ttl },
    })),
  ];
}
