import { Database, Plus } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DatabaseCard } from './database-card.tsx';
import { DatabasesHeader } from './databases-header.tsx';
import { NewDatabaseDialog } from './new-database-dialog.tsx';
import { useDatabaseChanges } from './use-database-changes.ts';

export function DatabasesPage() {
  const [databases] = trpc.databases.list.useSuspenseQuery();
  const { creating, setCreating } = useCreation();
  useDatabaseChanges(databases);
  return (
    <>
      <DatabasesHeader
        action={
          <>
            <AssistantButton scope="database" />
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden="true" />
              New Database
            </Button>
          </>
        }
      />
      {databases.length === 0 ? (
        <EmptyState
          icon={Database}
          title="No databases yet"
          description="A database of your own on this server, with a user and a password that open nothing else. It is ready to connect to within seconds."
          action={<Button onClick={() => setCreating(true)}>Create your first database</Button>}
        />
      ) : (
        <ul aria-label="Databases" className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
          {databases.map((database) => (
            <li key={database.id} className="min-w-0">
              <DatabaseCard database={database} />
            </li>
          ))}
        </ul>
      )}
      <NewDatabaseDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
