import { FileInput, Plus } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { readEnvFile } from './env-drop-zone.tsx';
import { ReferenceMenu } from './reference-menu.tsx';
import type { VariableDrafts } from './variable-drafts.ts';
import { VariableRow, type VariableRowProps } from './variable-row.tsx';

export interface VariableRowsProps extends Partial<Pick<VariableRowProps, 'present'>> {
  rows: VariableDrafts;
}

/** Variables to set, a row each: typed, or filled from an `.env` text that is pasted or chosen. */
export function VariableRows({ rows, present }: VariableRowsProps) {
  /** Where a reference goes. */
  const [current, setCurrent] = useState('');
  const { drafts, faults, change, remove, fill } = rows;
  const target = drafts.find(({ key }) => key === current) ?? drafts.at(-1);
  const isEmpty = drafts.length === 1 && rows.variables.length === 0;
  return (
    <div className="flex flex-col gap-4">
      <ul aria-label="Variables to set" className="flex flex-col gap-4 sm:gap-2">
        {drafts.map((draft, index) => (
          <li key={draft.key} onFocus={() => setCurrent(draft.key)}>
            <VariableRow
              draft={draft}
              faults={faults.get(draft.key) ?? {}}
              isFirst={index === 0}
              present={present}
              onChange={(part) => change(draft.key, part)}
              onFill={fill}
              onRemove={isEmpty ? undefined : () => remove(draft.key)}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={rows.add}>
          <Plus aria-hidden="true" />
          Add another
        </Button>
        <ReferenceMenu
          onInsert={(reference) => target && change(target.key, { value: target.value + reference })}
        />
        <ImportButton onText={fill} />
      </div>
    </div>
  );
}

/** Chooses an `.env` file: what can be dropped can be chosen as well, by the keyboard. */
function ImportButton({ onText }: { onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    if (file) await readEnvFile(file, onText);
    target.value = '';
  }

  return (
    <>
      <Button size="sm" onClick={() => input.current?.click()}>
        <FileInput aria-hidden="true" />
        Import .env
      </Button>
      <input
        ref={input}
        type="file"
        aria-label="File to import"
        hidden
        onChange={(event) => void choose(event)}
      />
    </>
  );
}
