import type { Variable } from '@nephos/contracts';
import { MAX_VARIABLES } from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { EnvDropZone } from './env-drop-zone.tsx';
import { useSetVariables, type VariableHolder } from './use-variable-actions.ts';
import { useVariableDrafts } from './variable-drafts.ts';
import { VariableRows } from './variable-rows.tsx';

export interface VariableFormProps {
  holder: VariableHolder;
  /** Those that are there already. */
  variables: readonly Variable[];
}

/** Adds variables or replaces their values; what was saved cannot be read back. */
export function VariableForm({ holder, variables }: VariableFormProps) {
  const save = useSetVariables(holder, () => rows.reset());
  const rows = useVariableDrafts(save.fields);
  const count = rows.variables.length;
  const total = new Set([...variables, ...rows.variables].map(({ name }) => name)).size;
  const ready = count > 0 && rows.sound && total <= MAX_VARIABLES;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (ready && !save.pending) save.run({ id: holder.id, variables: rows.variables });
  }

  return (
    <EnvDropZone onText={rows.fill}>
      <Card>
        <CardHeader
          title="Add or replace variables"
          description="Paste or drop the contents of an .env file to fill the rows. Values can refer to other resources."
        />
        <form onSubmit={submit} className="mt-4 flex flex-col gap-4" noValidate>
          <VariableRows rows={rows} present={variables} />
          {total > MAX_VARIABLES && (
            <Notice
              tone="danger"
              title={`A ${holder.kind} can have up to ${MAX_VARIABLES} variables. This would make ${total}.`}
            />
          )}
          {(save.refusal || save.fields.variables) && (
            <Notice tone="danger" title={save.refusal ?? save.fields.variables} />
          )}
          <div>
            <Button type="submit" variant="primary" disabled={!ready} {...save.button}>
              {count > 1 ? `Save ${count} variables` : 'Save'}
            </Button>
          </div>
        </form>
      </Card>
    </EnvDropZone>
  );
}
