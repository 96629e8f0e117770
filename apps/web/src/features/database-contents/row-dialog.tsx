import type { TableColumn } from '@nephos/contracts';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { StatementDialog } from './statement-dialog.tsx';
import type { TableName } from './structure-view.tsx';
import type { Row } from './table-rows.tsx';

interface RowDialogProps {
  name: TableName;
  columns: readonly TableColumn[];
  /** The row that is changed; undefined for a new one. */
  row: Row | undefined;
  onClose: () => void;
}

/** What was entered for a column; undefined: nothing. */
type Entered = Readonly<Record<string, string | null | undefined>>;

/** A row's values, which become a statement to be read before it runs. */
export function RowDialog({ name, columns, row, onClose }: RowDialogProps) {
  const [entered, setEntered] = useState<Entered>({});
  const [statement, setStatement] = useState<string>();
  const write = useAction(trpc.databaseContents.changeStatement.useMutation(), {
    failure: 'Failed to write the statement',
    serverSpeaks: true,
    leave: ({ sql }) => setStatement(sql),
  });
  const shown = (column: TableColumn) => row?.values[columns.indexOf(column)] ?? null;
  const values = columns.flatMap((column) => {
    const value = entered[column.name];
    if (value === undefined || (row && value === shown(column))) return [];
    return [{ column: column.name, value, ...(row && { from: shown(column) }) }];
  });
  if (statement) {
    return (
      <StatementDialog
        name={name}
        title={row ? 'Change the row?' : 'Add the row?'}
        label={row ? 'Change row' : 'Add row'}
        done={row ? 'Row changed' : 'Row added'}
        statement={statement}
        onClose={() => setStatement(undefined)}
        onDone={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={row ? 'Edit row' : 'Add row'}
      description="You'll see the statement before it runs."
      wide
      label="Review statement"
      ready={!row || values.length > 0}
      action={write}
      onSubmit={() => write.run({ ...name, action: row ? 'update' : 'insert', key: row?.key ?? [], values })}
      onClose={onClose}
    >
      {columns.map((column, place) => (
        <ValueField
          key={column.name}
          column={column}
          value={entered[column.name]}
          shown={row ? shown(column) : undefined}
          isCut={row?.cut.includes(place) ?? false}
          onChange={(value) => setEntered({ ...entered, [column.name]: value })}
        />
      ))}
    </FormDialog>
  );
}

interface ValueFieldProps {
  column: TableColumn;
  value: string | null | undefined;
  /** Of the row that is changed; undefined for a new one. */
  shown: string | null | undefined;
  isCut: boolean;
  onChange: (value: string | null | undefined) => void;
}

function ValueField({
  column: { name, type, nullable, generated, ...column },
  value,
  shown,
  isCut,
  onChange,
}: ValueFieldProps) {
  const present = value === undefined ? shown : value;
  const hint = generated
    ? 'The database generates this value.'
    : isCut
      ? 'Too long to edit here. Write a statement to change it.'
      : shown === undefined && value === undefined && column.default !== null
        ? `Default: ${column.default}`
        : undefined;
  const fixed = generated || isCut;
  return (
    <div className="flex flex-col gap-1.5">
      <Field label={`${name} (${type})`} hint={hint}>
        <Textarea
          rows={1}
          className="font-mono"
          disabled={fixed}
          value={present ?? ''}
          placeholder={present === null ? 'NULL' : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
      {nullable && !fixed && (
        <label className="flex items-center gap-2 self-start text-muted text-sm">
          <input
            type="checkbox"
            checked={present === null}
            onChange={({ target }) => onChange(target.checked ? null : (shown ?? ''))}
          />
          NULL
        </label>
      )}
    </div>
  );
}
