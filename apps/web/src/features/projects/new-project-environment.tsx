import type { NewProject } from '@nephos/contracts';
import { ChevronRight } from 'lucide-react';
import { lazy, useState } from 'react';
import type { FieldErrors } from '../../lib/errors.ts';
import { LatePart } from '../../shell/late-part.tsx';

/** What a new project is given beside its source, and whether it can be sent. */
export interface ProjectEnvironment {
  input: Pick<NewProject, 'variables' | 'databaseId' | 'newDatabase'>;
  ready: boolean;
}

export const NO_ENVIRONMENT: ProjectEnvironment = { input: {}, ready: true };

export interface NewProjectEnvironmentProps {
  /** The project's, which a new database is called by first. */
  name: string;
  onChange: (environment: ProjectEnvironment) => void;
  errors: FieldErrors;
}

const EnvironmentFields = lazy(() =>
  import('./environment-fields.tsx').then(({ EnvironmentFields }) => ({ default: EnvironmentFields })),
);

/** Variables and a database for a new project: folded up, and loaded once it is opened. */
export function NewProjectEnvironment(props: NewProjectEnvironmentProps) {
  const [asked, setAsked] = useState(false);
  return (
    <details className="group rounded-lg border border-line" onToggle={() => setAsked(true)}>
      <summary className="flex cursor-default list-none items-center gap-2 rounded-lg px-3 py-2 font-medium text-sm hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-4 text-faint transition-transform group-open:rotate-90"
        />
        Variables and database
        <span className="ml-auto font-normal text-muted">Optional</span>
      </summary>
      {asked && (
        <LatePart
          wanted
          onSaid={() => setAsked(false)}
          fallback={<p className="px-3 pb-3 text-muted text-sm">Loading…</p>}
        >
          <EnvironmentFields {...props} />
        </LatePart>
      )}
    </details>
  );
}
