import { useId } from 'react';
import { Switch } from '../../ui/switch.tsx';
import type { SourceFieldsProps } from './source-draft.ts';

/** Has stored credentials removed with the next save. */
export function DropCredentials({
  draft: { values, set },
  label,
}: Pick<SourceFieldsProps, 'draft'> & { label: string }) {
  const id = useId();
  return (
    <div className="flex items-center gap-3">
      <Switch
        id={id}
        checked={values.dropsCredentials}
        onCheckedChange={(drops) => set('dropsCredentials', drops)}
      />
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
    </div>
  );
}
