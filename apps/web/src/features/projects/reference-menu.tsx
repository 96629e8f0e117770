import { databaseReference, REFERENCE_FIELDS } from '@nephos/contracts/constants';
import { Braces } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { LateMenu, MenuItem, MenuLabel } from '../../shell/late-menu.tsx';
import { Button } from '../../ui/button.tsx';

/** Databases and projects that the menu offers, each; others are typed. */
const MOST = 20;

/** Fields of a database beside its URL, which is offered of each. */
const OTHER_FIELDS = REFERENCE_FIELDS.databases.filter((field) => field !== 'url');

/** Offers what a value can refer to: databases, and the URLs of projects. */
export function ReferenceMenu({ onInsert }: { onInsert: (reference: string) => void }) {
  const [open, setOpen] = useState(false);
  const databases = trpc.databases.list.useQuery({ limit: MOST }, { enabled: open });
  const projects = trpc.projects.list.useQuery({ limit: MOST }, { enabled: open });
  const isEmpty = databases.data?.length === 0 && projects.data?.length === 0;
  return (
    <LateMenu
      open={open}
      onOpenChange={setOpen}
      align="start"
      className="max-h-80 max-w-[min(28rem,90vw)] overflow-y-auto"
      button={
        <Button size="sm">
          <Braces aria-hidden="true" />
          Insert reference
        </Button>
      }
    >
      {(databases.isPending || projects.isPending) && <MenuLabel>Loading…</MenuLabel>}
      {(databases.isError || projects.isError) && <MenuLabel>Couldn't load this list.</MenuLabel>}
      {isEmpty && <MenuLabel>You have no databases or projects to refer to.</MenuLabel>}
      {databases.data?.map((database) => (
        <Reference key={database.id} text={databaseReference(database)} onInsert={onInsert} />
      ))}
      {projects.data?.map(({ id, slug }) => (
        <Reference key={id} text={`\${{projects.${slug}.url}}`} onInsert={onInsert} />
      ))}
      {(databases.data?.length ?? 0) > 0 && (
        <MenuLabel className="max-w-80 text-faint text-xs">
          A database also has {OTHER_FIELDS.join(', ')}: change url to the one you need.
        </MenuLabel>
      )}
    </LateMenu>
  );
}

function Reference({ text, onInsert }: { text: string; onInsert: (reference: string) => void }) {
  return (
    <MenuItem onSelect={() => onInsert(text)}>
      <code className="break-all text-sm">{text}</code>
    </MenuItem>
  );
}
