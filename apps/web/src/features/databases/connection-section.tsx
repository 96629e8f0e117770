import type { ManagedDatabase } from '@nephos/contracts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import type { Address } from './address.ts';
import { ConnectionDetails } from './connection-details.tsx';
import { type Client, snippetsFor, URL_VARIABLE } from './snippets.ts';
import { WithConnection } from './with-connection.tsx';

const CLIENTS: readonly [Client, string][] = [
  ['shell', 'Shell'],
  ['node', 'Node.js'],
  ['python', 'Python'],
];

/** The address, whole and in parts, and the code that connects to it. */
export function ConnectionSection({ database }: { database: ManagedDatabase }) {
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Connection"
        description="The user owns this database and can open no other. Keep the string like a password."
      />
      <div className="mt-4">
        <WithConnection database={database}>
          {(address) => (
            <>
              <ConnectionDetails address={address} parts />
              <Snippets type={database.type} address={address} />
            </>
          )}
        </WithConnection>
      </div>
    </Card>
  );
}

function Snippets({ type, address }: { type: ManagedDatabase['type']; address: Address }) {
  return (
    <section className="mt-6" aria-label="Connect from">
      <h3 className="font-semibold">Connect from</h3>
      <Tabs defaultValue="shell" className="mt-1">
        <TabsList aria-label="Client">
          {CLIENTS.map(([client, name]) => (
            <TabsTrigger key={client} value={client}>
              {name}
            </TabsTrigger>
          ))}
        </TabsList>
        {CLIENTS.map(([client, name]) => (
          <TabsContent key={client} value={client} className="flex flex-col gap-4 pt-4">
            {client !== 'shell' && (
              <p className="text-muted text-sm">
                The code reads the connection string from <code>{URL_VARIABLE}</code>. For a project of this
                console, set it on the project’s Environment page.
              </p>
            )}
            {snippetsFor(type, { client, address }).map(({ label, code }) => (
              <div key={label}>
                <h4 className="mb-1.5 font-medium text-sm">{label}</h4>
                <CodeBlock code={code} label={`${name}: ${label}`} />
              </div>
            ))}
          </TabsContent>
        ))}
      </Tabs>
    </section>
  );
}
