import type { ManagedDatabase } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { ConnectionDetails } from './connection-details.tsx';
import { WithConnection } from './with-connection.tsx';

/** Shows how to reach the database, its password only once it is revealed. */
export function ConnectionDialog({ database }: { database: ManagedDatabase }) {
  const { id, name } = database;
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" aria-label={`View Connection String of ${name}`} onClick={() => setOpen(true)}>
        <Plug aria-hidden="true" />
        View Connection String
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title="Connection String" description={name} wide>
          <div className="flex flex-col gap-4">
            <WithConnection database={database}>
              {(address) => <ConnectionDetails address={address} />}
            </WithConnection>
            <p className="text-muted text-sm">
              Whoever has it can read and change everything in this database.{' '}
              <Link
                to="/databases/$databaseId"
                params={{ databaseId: id }}
                className="rounded-sm text-accent-text underline underline-offset-4"
              >
                Open the database
              </Link>{' '}
              for its parts and for code that connects.
            </p>
          </div>
        </DialogContent>
      </Dialog>
    </>
  );
}
