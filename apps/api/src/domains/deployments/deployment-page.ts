import type { Settings } from '../../core/settings.ts';

/** Where the console shows a deployment and its log. */
export function deploymentPage(
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { id, projectId }: { id: string; projectId: string },
): string {
  return new URL(`/projects/${projectId}/log?deployment=${id}`, publicUrl).href;
}
