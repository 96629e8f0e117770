import type { ManifestInput } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { notFound } from '../../../core/errors.ts';
import type { Settings } from '../../../core/settings.ts';
import { imagesOf } from '../../containers/read.ts';
import { registryAddress } from '../../containers/service.ts';
import { projectsOf } from '../../projects/read.ts';
import { labelOf } from '../../projects/slug.ts';
import { listVariables } from '../../projects/variables.ts';

/** What runs in the cluster, whoever asked for it. */
export interface Workload {
  /** Names every object: a label that begins with a letter (RFC 1035), since older clusters ask that of a Service. */
  name: string;
  /** Reference to the image. */
  image: string;
  /** Whether there is such an image as far as we know; of other registries we do not. */
  imageMissing: boolean;
  /** Host of our registry where the cluster has to log in to pull; '' where it need not. */
  pullFrom: string;
  port: number;
  /** Path that says whether it is well; '' asks for an open port only. */
  healthPath: string;
  /** Names of its environment variables. */
  variables: readonly string[];
  /** '' for none. */
  host: string;
  minReplicas: number;
  maxReplicas: number;
}

type Input = z.output<typeof ManifestInput>;

/** Leaves room for the endings that Kubernetes gives to the names of pods. */
const MAX_NAME = 50;
const FALLBACK = 'app';

export function objectName(text: string): string {
  const label = labelOf(text, MAX_NAME) || FALLBACK;
  return /^[a-z]/.test(label) ? label : `${FALLBACK}-${label}`;
}

/** Throws 404 for a project that is not the person's. */
export async function findWorkload(ctx: UserContext, settings: OwnAddress, input: Input): Promise<Workload> {
  const { port, minReplicas, maxReplicas, host = '' } = input;
  const common = { port, host, minReplicas, maxReplicas };
  return input.projectId === undefined
    ? { ...common, ...(await anyImage(ctx, settings, input.image ?? '')) }
    : { ...common, ...(await ofProject(ctx, settings, input.projectId)) };
}

type OwnAddress = Pick<Settings, 'publicUrl'>;
type OfInput = keyof Pick<Workload, 'port' | 'host' | 'minReplicas' | 'maxReplicas'>;

async function anyImage(
  ctx: UserContext,
  settings: OwnAddress,
  image: string,
): Promise<Omit<Workload, OfInput>> {
  const [path = ''] = image.split('@');
  const end = path.lastIndexOf('/') + 1;
  const last = path.slice(end).split(':', 1)[0] ?? '';
  return {
    name: objectName(last),
    image,
    imageMissing: false,
    pullFrom: await pullFromOf(ctx, settings, path.slice(0, end) + last),
    healthPath: '',
    variables: [],
  };
}

/** Ours, where the image is in our registry and not a public one of the person's. */
async function pullFromOf(ctx: UserContext, settings: OwnAddress, path: string): Promise<string> {
  const { db, ownerId } = ctx;
  const { host } = registryAddress(ctx, settings);
  if (!path.startsWith(`${host}/`)) return '';
  const open = await imagesOf(db, ownerId)
    .where('repository.name', '=', path.slice(host.length + 1))
    .where('repository.isPublic', '=', true)
    .executeTakeFirst();
  return open ? '' : host;
}

async function ofProject(
  ctx: UserContext,
  settings: OwnAddress,
  id: string,
): Promise<Omit<Workload, OfInput>> {
  const { db, workspace, ownerId } = ctx;
  const project = await projectsOf(db, ownerId).where('projects.id', '=', id).executeTakeFirst();
  if (!project) throw notFound();
  const { host } = registryAddress(ctx, settings);
  const image = await imageOf(ctx, project);
  const variables = await listVariables(ctx, id);
  return {
    name: objectName(project.slug),
    image: `${host}/${image?.name ?? `${workspace.handle}/${project.slug}`}:${image?.tag ?? 'latest'}`,
    imageMissing: image === undefined,
    pullFrom: image?.isPublic ? '' : host,
    healthPath: project.healthPath,
    variables: variables.map(({ name }) => name),
  };
}

/** The newest image that was pushed under the project's own name. */
async function imageOf(
  { db, workspace, ownerId }: UserContext,
  { slug, name }: { slug: string; name: string },
) {
  const names = [slug, labelOf(name)].map((ending) => `${workspace.handle}/${ending}`);
  return imagesOf(db, ownerId)
    .where('repository.name', 'in', names)
    .where('image.digest', 'is not', null)
    .orderBy('image.pushedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}
