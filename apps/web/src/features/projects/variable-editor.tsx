import type { Variable } from '@nephos/contracts';
import { type ReactNode, useState } from 'react';
import { Card, CardHeader } from '../../ui/card.tsx';
import { EnvDropZone } from './env-drop-zone.tsx';
import { ImportDialog } from './import-dialog.tsx';
import type { VariableHolder } from './use-variable-actions.ts';
import { VariableForm } from './variable-form.tsx';
import { VariableList } from './variable-list.tsx';

export interface VariableEditorProps {
  holder: VariableHolder;
  variables: readonly Variable[];
  overrides?: (name: string) => ReactNode;
}

/** The variables of a project or a group, and the ways to add some: typed, pasted or dropped. */
export function VariableEditor({ holder, variables, ...list }: VariableEditorProps) {
  /** What is being imported; null while nothing is. */
  const [importing, setImporting] = useState<string | null>(null);
  return (
    <EnvDropZone onText={setImporting}>
      <div className="flex flex-col gap-6">
        <Card>
          <CardHeader
            title="Add or replace a variable"
            description="Existing names are overwritten. You can drop an .env file here."
          />
          <VariableForm holder={holder} variables={variables} onImport={setImporting} />
        </Card>
        <VariableList holder={holder} variables={variables} {...list} />
      </div>
      {importing !== null && (
        <ImportDialog
          holder={holder}
          text={importing}
          names={new Set(variables.map(({ name }) => name))}
          onClose={() => setImporting(null)}
        />
      )}
    </EnvDropZone>
  );
}
