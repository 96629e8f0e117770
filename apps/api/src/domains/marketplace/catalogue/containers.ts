import { RepositoryName } from '@nephos/contracts';
import { ask, type CatalogueItem } from './item.ts';

function repository(isPublic: boolean, description: string): CatalogueItem {
  const label = `${isPublic ? 'Public' : 'Private'} container repository`;
  return {
    id: `${isPublic ? 'public' : 'private'}-container-repository`,
    version: '1.0.0',
    name: label,
    description,
    category: 'Containers',
    isTemplate: false,
    questions: [
      ask('name', RepositoryName, {
        label: 'Name',
        hint: 'Your handle is put before it.',
        initial: isPublic ? 'public-app' : 'app',
      }),
    ],
    steps: (answer) => [{ kind: 'container', label, input: { name: answer('name'), isPublic } }],
  };
}

export const containerItems: readonly CatalogueItem[] = [
  repository(false, 'A repository with the tag latest, ready for a push, that only you can pull from.'),
  repository(true, 'A repository with the tag latest, ready for a push, that everyone can pull from.'),
];
