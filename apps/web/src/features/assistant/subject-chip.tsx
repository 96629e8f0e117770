import { skipToken } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { resourceIdFor, type Subject, useAssistant } from '../../shell/assistant-context.tsx';
import { trpc } from '../../trpc.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** The one thing that the next question is about, where there is one, and the way to ask about all. */
export function SubjectChip() {
  const { scope, subject, dropSubject } = useAssistant();
  if (subject === null || resourceIdFor(scope, subject) === null) return null;
  return (
    <div className="flex min-w-0 items-center pb-2">
      <p className="flex min-w-0 items-center gap-1 rounded-full border border-line-strong bg-sunken pl-3 text-muted text-sm">
        <span className="min-w-0 truncate">
          About <SubjectName subject={subject} />
        </span>
        <IconButton label="Ask about everything" size="sm" className="rounded-full!" onClick={dropSubject}>
          <X />
        </IconButton>
      </p>
    </div>
  );
}

function SubjectName({ subject: { kind, id } }: { subject: Subject }) {
  const project = trpc.projects.get.useQuery(kind === 'project' ? { id } : skipToken);
  const database = trpc.databases.get.useQuery(kind === 'database' ? { id } : skipToken);
  const image = trpc.containers.get.useQuery(kind === 'image' ? { id } : skipToken);
  const name = project.data?.name ?? database.data?.name ?? image.data?.name;
  return name === undefined ? `this ${kind}` : <strong className="font-medium text-fg">{name}</strong>;
}
