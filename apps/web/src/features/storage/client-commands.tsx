import { CodeBlock } from '../../ui/code-block.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { s3Commands } from './s3-commands.ts';

/** Tabs make ids of it, which have no spaces. */
const idOf = (client: string) => client.replaceAll(' ', '-');

/** What to type for each client. */
export function ClientCommands(target: Parameters<typeof s3Commands>[0]) {
  const clients = s3Commands(target);
  return (
    <Tabs defaultValue={idOf(clients[0]?.client ?? '')}>
      <TabsList aria-label="Client">
        {clients.map(({ client }) => (
          <TabsTrigger key={client} value={idOf(client)}>
            {client}
          </TabsTrigger>
        ))}
      </TabsList>
      {clients.map(({ client, commands }) => (
        <TabsContent key={client} value={idOf(client)} className="pt-4">
          <CodeBlock code={commands} label={`Commands for ${client}`} />
        </TabsContent>
      ))}
    </Tabs>
  );
}
