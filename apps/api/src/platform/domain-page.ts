/** Where an own domain leads: to a project's app, or to the site of a bucket. */
export interface DomainPlace {
  projectId: string | null;
  bucketId: string | null;
}

/** The console's page of an own domain. */
export function pageOfDomain({ projectId, bucketId }: DomainPlace): string {
  return projectId === null ? `/storage/buckets/${bucketId}` : `/projects/${projectId}/settings`;
}
