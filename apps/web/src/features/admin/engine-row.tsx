import type { Engine } from '@nephos/contracts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EngineState } from './engine-state.tsx';

/** What an engine is for, what runs as it, how it is, and which settings change that. */
export function EngineRow({ engine: { name, running, state, detail, settings } }: { engine: Engine }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-8 gap-y-3 px-5 py-4">
      <div className="min-w-0 grow basis-72">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className="font-medium">{name}</h3>
          <EngineState state={state} />
        </div>
        <p className="mt-1 break-words">{running}</p>
        {detail && <p className="mt-0.5 break-words text-muted text-sm">{detail}</p>}
      </div>
      {settings.length > 0 && (
        <div className="flex min-w-0 basis-72 flex-col gap-1">
          <p className="text-faint text-sm">{settings.length === 1 ? 'Setting' : 'Settings'}</p>
          <ul aria-label={`Settings of ${name}`} className="flex flex-wrap gap-1.5">
            {settings.map((setting) => (
              <li
                key={setting}
                className="flex max-w-full items-center rounded-md border border-line bg-sunken pl-2.5"
              >
                <code className="break-all text-sm">{setting}</code>
                <CopyButton value={setting} label={`Copy ${setting}`} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  );
}
