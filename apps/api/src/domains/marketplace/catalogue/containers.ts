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
        hint: 'Your handle is added in front.',
        initial: isPublic ? 'public-app' : 'app',
      }),
    ],
    steps: (answer) => [{ kind: 'container', label, input: { name: answer('name'), isPublic } }],
  };
}

export const containerItems: readonly CatalogueItem[] = [
  repository(
    false,
    'An image repository that only you can pull from, with a latest tag ready for your first push.',
  ),
  repository(
    true,
    'An image repository that anyone can pull from, with a latest tag ready for your first push.',
  ),
];
