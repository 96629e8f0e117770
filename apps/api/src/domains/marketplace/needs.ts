import { DEFAULT_DATABASE_TYPE, type Framework, type ItemNeed } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { whyNoCode } from '../projects/runnable.ts';
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

function runtime({ engine }: UserContext, framework: Framework): Need {
  return need(RUNTIMES[framework], engine.runtimes().find((state) => state.framework === framework)?.reason);
}

/** Named only where it is missing: most people need not know of it. */
function permission(ctx: UserContext): Need[] {
  const reason = whyNoCode(ctx, ctx.user);
  return reason === null ? [] : [need('Permission to run code', reason)];
}

function needsOfStep(ctx: UserContext, step: Step): Need[] {
  switch (step.kind) {
    case 'database': {
      const { type = DEFAULT_DATABASE_TYPE } = step.input;
      return [need(DATABASES[type], ctx.databaseEngines[type].unavailable())];
    }
    case 'project': {
      const { template } = step.input;
      if (!template) return [];
      // A static site that has to be built first needs what builds it.
      const frameworks: Framework[] =
        template === 'react-site' ? ['static', 'nodejs'] : [TEMPLATE_FRAMEWORKS[template]];
      return [...permission(ctx), ...frameworks.map((framework) => runtime(ctx, framework))];
    }
    case 'dns':
      return [need('The name server', ctx.nameServer.unavailable())];
    case 'container':
    case 'mobile-app':
      return [];
  }
}

/** What a recipe needs of this server for this person, each thing once, as its engines are at this moment. */
export function needsOf(ctx: UserContext, steps: readonly Step[]): Need[] {
  const needs = steps.flatMap((step) => needsOfStep(ctx, step));
  return [...new Map(needs.map((one) => [one.label, one])).values()];
}
