import type { Manifest, ManifestInput } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import type { Settings } from '../../../core/settings.ts';
import {
  autoscalerOf,
  deploymentOf,
  ingressOf,
  pullSecretOf,
  serviceOf,
  variablesSecretOf,
} from './objects.ts';
import { findWorkload, type Workload } from './workload.ts';

/** The manifest of one of the person's projects, or of any image. */
export async function makeManifest(
  ctx: UserContext,
  settings: Pick<Settings, 'publicUrl'>,
  input: z.output<typeof ManifestInput>,
): Promise<Manifest> {
  const workload = await findWorkload(ctx, settings, input);
  return { fileName: `${workload.name}.yaml`, yaml: await yamlOf(workload) };
}

async function yamlOf(workload: Workload): Promise<string> {
  const { Document } = await import('yaml');
  const objects = [deploymentOf(workload), serviceOf(workload), autoscalerOf(workload)];
  if (workload.host !== '') objects.push(ingressOf(workload));
  const comments = commentOf(workload)
    .map((line) => `# ${line}\n`)
    .join('');
  // Kubernetes reads YAML 1.1, where `on` and `1_000` are no texts: these rules quote them.
  const documentOf = (object: object) =>
    new Document(object, { version: '1.1', aliasDuplicateObjects: false }).toString({ lineWidth: 0 });
  return comments + objects.map(documentOf).join('---\n');
}

function commentOf(workload: Workload): string[] {
  const { name, image, port } = workload;
  return [
    `kubectl apply -f ${name}.yaml`,
    ...(workload.imageMissing ? missing(workload) : []),
    `The app listens on port ${port} and runs as user 1000: its image must not need root.`,
    ...(workload.pullFrom !== '' ? pulling(workload) : []),
    ...(workload.variables.length > 0 ? variables(workload) : []),
    ...(workload.host !== ''
      ? [`${workload.host} needs an ingress controller, and a DNS record that points to it.`]
      : []),
    ...(image.includes('@')
      ? []
      : ['Use a digest instead of the tag so that every replica runs the same image.']),
  ];
}

function missing({ image }: Workload): string[] {
  return [
    'This project has no image in the registry yet. Build and push one first:',
    `  docker build -t ${image} . && docker push ${image}`,
  ];
}

function pulling(workload: Workload): string[] {
  return [
    'The image is private. Let the cluster pull it with an access token from your Account page:',
    `  kubectl create secret docker-registry ${pullSecretOf(workload)} --docker-server=${workload.pullFrom} --docker-username=<email> --docker-password=<token>`,
  ];
}

function variables(workload: Workload): string[] {
  const values = workload.variables.map((name) => `--from-literal=${name}=<value>`).join(' ');
  return [
    'Its variables come from a secret. Create it with their values:',
    `  kubectl create secret generic ${variablesSecretOf(workload)} ${values}`,
  ];
}
