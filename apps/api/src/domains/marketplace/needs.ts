import type { Framework, ItemNeed } from '@nephos/contracts';
import type { z } from 'zod';
import type { Deps } from '../../context.ts';
import { TEMPLATE_FRAMEWORKS } from '../projects/service.ts';
import type { Step } from './catalogue/item.ts';

type Need = z.output<typeof ItemNeed>;

const DATABASES = {
  postgresql: 'PostgreSQL databases',
  mysql: 'MySQL databases',
  mongodb: 'MongoDB databases',
};
const RUNTIMES: Record<Framework, string> = { nodejs: 'Node.js and npm', python: 'Python', static: 'Git' };

function need(label: string, reason: string | null | undefined): Need {
  return { label, available: !reason, reason: reason ?? '' };
}

function runtime({ engine }: Pick<Deps, 'engine'>, framework: Framework): Need {
  return need(RUNTIMES[framework], engine.runtimes().find((state) => state.framework === framework)?.reason);
}

function needsOfStep(deps: Deps, step: Step): Need[] {
  switch (step.kind) {
    case 'database': {
      const { type = 'postgresql' } = step.input;
      return [need(DATABASES[type], deps.databaseEngines[type].unavailable())];
    }
    case 'project': {
      const { template } = step.input;
      if (!template) return [];
      // A static site that has to be built first needs what builds it.
      const frameworks: Framework[] =
        template === 'react-site' ? ['static', 'nodejs'] : [TEMPLATE_FRAMEWORKS[template]];
      return frameworks.map((framework) => runtime(deps, framework));
    }
    case 'dns':
      return [need('The name server', deps.nameServer.unavailable())];
    case 'container':
    case 'mobile-app':
      return [];
  }
}

/** What a recipe needs of this server, each thing once, as its engines are at this moment. */
export function needsOf(deps: Deps, steps: readonly Step[]): Need[] {
  const needs = steps.flatMap((step) => needsOfStep(deps, step));
  return [...new Map(needs.map((one) => [one.label, one])).values()];
}
