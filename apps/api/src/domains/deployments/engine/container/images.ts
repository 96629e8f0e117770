import type Docker from 'dockerode';
import type { RunnableServe } from '../detect/plan.ts';
import type { DeployedApp } from '../engine.ts';
import { type Daemon, isMissing, statusOf } from './daemon.ts';
import { keptImage } from './names.ts';

export type ContainerServe = Extract<RunnableServe, { kind: 'container' }>;

/** An image on this machine, as far as it says how it is run. */
export interface Image {
  id: string;
  /** Words of its entry point and command. */
  command: string[];
  env: Record<string, string>;
  /** The only TCP port that it exposes; null for none or several. */
  port: number | null;
  /** Its working folder. */
  folder: string;
  /** As the image writes it: a name or a number, with a group or without; '' is root. */
  user: string;
  architecture: string;
  /** Bytes. */
  size: number;
}

/** Undefined where this machine does not have it. */
export async function findImage(docker: Docker, name: string): Promise<Image | undefined> {
  try {
    const found = await docker.getImage(name).inspect();
    const { Cmd, Entrypoint, Env, ExposedPorts, WorkingDir, User } = found.Config;
    const words = [Entrypoint, Cmd].flatMap((part) => part ?? []);
    const tcp = Object.keys(ExposedPorts ?? {}).flatMap((port) => /^(\d+)\/tcp$/.exec(port)?.[1] ?? []);
    return {
      id: found.Id,
      command: words,
      env: Object.fromEntries(
        (Env ?? []).map((entry) => [entry.split('=', 1)[0], entry.slice(entry.indexOf('=') + 1)]),
      ),
      port: tcp.length === 1 ? Number(tcp[0]) : null,
      folder: WorkingDir || '/',
      user: User ?? '',
      architecture: found.Architecture,
      size: found.Size,
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The image of an app's release; undefined where this machine does not have it any more. */
export async function findReleaseImage(
  { docker }: Daemon,
  app: Pick<DeployedApp, 'projectId' | 'deploymentId' | 'rollbackOf'>,
  serve: ContainerServe,
): Promise<Image | undefined> {
  const { repo, tag } = keptImage(app.projectId, app.rollbackOf ?? app.deploymentId);
  return (await findImage(docker, `${repo}:${tag}`)) ?? (await findImage(docker, serve.image));
}

/** Keeps an image for a release, whatever becomes of the names that it has elsewhere. */
export async function keepImage(
  { docker }: Daemon,
  { projectId, release, id }: { projectId: string; release: string; id: string },
): Promise<void> {
  await docker.getImage(id).tag(keptImage(projectId, release));
}

/** Gives up a project's images of the releases that `isGone` names; Docker deletes what of them nothing else has. */
export async function dropImages(
  { docker }: Daemon,
  projectId: string,
  isGone: (release: string) => boolean,
): Promise<void> {
  const { repo } = keptImage(projectId, '');
  const images = await docker.listImages({ filters: { reference: [`${repo}:*`] } });
  for (const name of images.flatMap(({ RepoTags }) => RepoTags ?? [])) {
    const release = name.startsWith(`${repo}:`) ? name.slice(repo.length + 1) : '';
    if (release !== '' && isGone(release)) await removeImage(docker, name);
  }
}

/** Takes a name off an image; one that a container runs stays until that is gone. */
export async function removeImage(docker: Docker, name: string): Promise<void> {
  try {
    await docker.getImage(name).remove();
  } catch (error) {
    if (!isMissing(error) && statusOf(error) !== 409) throw error;
  }
}
