import type Docker from 'dockerode';

/** Services of the swarm that have a label, `name=value`. */
export async function findServices(
  docker: Docker,
  label: string,
): Promise<{ id: string; labels: Readonly<Record<string, string>> }[]> {
  const found = await docker.listServices({ filters: { label: [label] } });
  return found.map((service) => {
    // The typings take what is listed for what it is asked by.
    const { ID, Spec } = service as unknown as { ID: string; Spec?: { Labels?: Record<string, string> } };
    return { id: ID, labels: Spec?.Labels ?? {} };
  });
}
