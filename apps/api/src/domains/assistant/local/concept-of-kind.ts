import type { FoundResource } from '@nephos/contracts';
import type { Concept } from './concepts.ts';

/** What a resource is called to mind by. */
export const CONCEPT_OF_KIND = {
  project: 'project',
  database: 'database',
  image: 'image',
  domain: 'domain',
  file: 'file',
  'mobile-app': 'mobile',
} as const satisfies Record<FoundResource['kind'], Concept>;
