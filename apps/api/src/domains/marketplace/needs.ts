import { DEFAULT_DATABASE_TYPE, type Framework, type ItemNeed } from '@nephos/contracts';
import { TEMPLATE_FRAMEWORKS } from '@nephos/contracts/constants';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { whyNoCode } from '../projects/runnable.ts';
import type { Recipe, Step } from './catalogue/item.ts';
import type { MarketplaceParts } from './marketplace.ts';

type Need = z.output<typeof ItemNeed>;

const DATABASES = {
  postgresql: 'PostgreSQL databases',
  mysql: 'MySQL databases',
  mongodb: 'A MongoDB server',
  redis: 'Redis databases',
};
const RUNTIMES: Record<Framework, string> = { nodejs: 'Node.js and npm', python: 'Python', static: 'Git' };

function need(label: string, reason: string | null | undefined): Need {
  return { label, available: !reason, reason: reason ?? '' };
}

function runtime({ projects }: MarketplaceParts, framework: Framework): Need {
  const state = projects.deployer.runtimes().find((one) => one.framework === framework);
  return need(RUNTIMES[framework], state?.reason);
}

function recipeNeed(parts: MarketplaceParts, { runs }: Recipe): Need {
  return runs === 'nodejs'
    ? runtime(parts, 'nodejs')
    : need('Docker containers', parts.projects.deployer.containers().reason);
}

/** Named only where it is missing: most people need not know of it. */
function permission({ workspace }: UserContext, { settings, projects }: MarketplaceParts): Need[] {
  const reason = whyNoCode(settings, workspace, projects.deployer.isolation(), { builds: true });
  return reason === null ? [] : [need('Permission to run code', reason)];
}

function needsOfStep(ctx: UserContext, parts: MarketplaceParts, step: Step): Need[] {
  switch (step.kind) {
    case 'database': {
      const { type = DEFAULT_DATABASE_TYPE } = step.input;
      return [need(DATABASES[type], parts.databases.servers[type].unavailable())];
    }
    case 'project': {
      const {
        input: { template },
        recipe,
      } = step;
      if (recipe) return [...permission(ctx, parts), recipeNeed(parts, recipe)];
      if (!template) return [];
      // A static site that has to be built first needs what builds it.
      const frameworks: Framework[] =
        template === 'react-site' ? ['static', 'nodejs'] : [TEMPLATE_FRAMEWORKS[template]];
      return [...permission(ctx, parts), ...frameworks.map((framework) => runtime(parts, framework))];
    }
    case 'dns':
      return [need('The name server', parts.dns.nameServer.unavailable())];
    case 'container':
    case 'mobile-app':
      return [];
  }
}

/** What an item's steps need of this server for this person, each thing once, as its engines are at this moment. */
export function needsOf(ctx: UserContext, parts: MarketplaceParts, steps: readonly Step[]): Need[] {
  const needs = steps.flatMap((step) => needsOfStep(ctx, parts, step));
  return [...new Map(needs.map((one) => [one.label, one])).values()];
}
