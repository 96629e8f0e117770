import { projectReference } from '@nephos/contracts';

/** A project's own address as a variable of that name, for the running app; none where there is no name. */
export function addressAs(name: string | undefined, project: { slug: string }) {
  return name === undefined ? [] : [{ name, value: projectReference(project), scope: 'run' as const }];
}
