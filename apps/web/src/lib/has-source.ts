import type { Project } from '@nephos/contracts';

/** Whether there is anything to deploy: a repository, or a template that the project was made from. */
export function hasSource({ repositoryUrl, template }: Pick<Project, 'repositoryUrl' | 'template'>): boolean {
  return repositoryUrl !== '' || template !== null;
}
