import type { Framework } from '@nephos/contracts';
import { trpc } from '../../trpc.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';

const NAMES: Record<Framework, string> = {
  nodejs: 'Node.js',
  static: 'Static site',
  python: 'Python',
};

export interface FrameworkFieldProps {
  value: Framework;
  onChange: (framework: Framework) => void;
  error: string | undefined;
}

/** The choice of a framework; one that this server cannot run is shown with its reason. */
export function FrameworkField(props: FrameworkFieldProps) {
  const [runtimes] = trpc.projects.runtimes.useSuspenseQuery();
  const choices = runtimes.map(({ framework, ...state }) => ({
    value: framework,
    name: NAMES[framework],
    ...state,
  }));
  return <ChoiceField label="Framework" choices={choices} {...props} />;
}
