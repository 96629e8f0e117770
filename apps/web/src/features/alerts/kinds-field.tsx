import type { AlertKind } from '@nephos/contracts';
import { ALERT_RULES, CHOSEN_ALERT_KINDS } from '@nephos/contracts/constants';
import { Button } from '../../ui/button.tsx';

export interface KindsFieldProps {
  legend: string;
  hint?: string;
  kinds: readonly AlertKind[];
  onChange: (kinds: AlertKind[]) => void;
}

/** Which kinds of alerts: all of them can be ticked at once. */
export function KindsField({ legend, hint, kinds, onChange }: KindsFieldProps) {
  const chosen = new Set(kinds);
  const all = CHOSEN_ALERT_KINDS.every((kind) => chosen.has(kind));
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium text-fg text-sm">{legend}</legend>
      {hint && <p className="mt-0.5 text-faint text-sm">{hint}</p>}
      <div className="mt-1 grid sm:grid-cols-2 sm:gap-x-4">
        {CHOSEN_ALERT_KINDS.map((kind) => (
          <label key={kind} className="flex min-h-8 items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={chosen.has(kind)}
              onChange={({ target: { checked } }) =>
                onChange(CHOSEN_ALERT_KINDS.filter((one) => (one === kind ? checked : chosen.has(one))))
              }
            />
            <span className="min-w-0">{ALERT_RULES[kind].about}</span>
          </label>
        ))}
      </div>
      <Button size="sm" variant="ghost" onClick={() => onChange(all ? [] : [...CHOSEN_ALERT_KINDS])}>
        {all ? 'Untick all' : 'Tick all'}
      </Button>
    </fieldset>
  );
}
