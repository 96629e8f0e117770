import type { ManagedDatabase } from '@nephos/contracts';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { DatabaseStatus } from './database-status.tsx';
import { DeleteDatabase } from './delete-database.tsx';
import { RotatePassword } from './rotate-password.tsx';
import { TYPE_NAMES } from './type-names.ts';

export function DatabaseHeader({ database }: { database: ManagedDatabase }) {
  const { name, type, region, storageSize, status, passwordChanged, createdAt } = database;
  useWindowTitle(name);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 max-w-full">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="min-w-0 break-words font-semibold text-2xl tracking-tight">{name}</h1>
          <DatabaseStatus status={status} passwordChanged={passwordChanged} />
        </div>
        <ul aria-label="About the database" className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-muted">
          <li>{TYPE_NAMES[type]}</li>
          <li>{region}</li>
          <li>{storageSize} GB</li>
          <li>
            Created{' '}
            <time dateTime={createdAt} title={formatInstant(createdAt)}>
              {formatAgo(createdAt)}
            </time>
          </li>
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <DeleteDatabase database={database} />
        <AssistantButton scope="database" resourceId={database.id} />
        {status === 'available' && <RotatePassword database={database} />}
      </div>
    </header>
  );
}
