import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { LOG_DRIVER } from '../container/container-options.ts';
import type { Daemon } from '../container/daemon.ts';
import { figuresName, LABELS } from '../container/names.ts';
import { AGENT_PLACES } from './figures-agent.ts';
import { limitsOf, NANO_PER_MS } from './service-options.ts';
import { findServices } from './services.ts';

export interface FiguresServiceOptions {
  /** Names this installation. */
  instance: string;
  /** What agents are to be asked with. */
  token: string;
  /** Has Node.js. */
  image: string;
  /** Those whose containers tell by themselves, or that run none: agents are everywhere else. */
  here: { id: string; architecture: string };
}

const PROGRAM = readFileSync(join(import.meta.dirname, 'figures-agent.ts'), 'utf8');
const PROGRAM_PLACE = '/figures-agent.mts';
const LIMITS = { memory: 128, cpu: 50, tasks: 32 };
/** Of the heap of Node.js, in MB, so that it collects garbage before the limit ends it. */
const HEAP = 32;
const RESTART_MS = 5000;
/** nobody: what it reads, everybody may, and it may write nothing. */
const ACCOUNT = '65534';

/**
 * Makes sure that an agent of this version runs on each machine but this one, also on those that join later. Its program
 * comes there as a config of the swarm and its token as a secret, so the only image it needs is one of Node.js, which each
 * machine pulls for itself.
 */
export async function openFiguresService({ docker }: Daemon, options: FiguresServiceOptions): Promise<void> {
  const { instance, token, image } = options;
  const label = `${LABELS.agentOf}=${instance}`;
  const draft = specOf(options, { image, secret: '', config: '' });
  const version = createHash('sha256')
    .update(JSON.stringify([draft, token, PROGRAM]))
    .digest('hex');
  const found = await findServices(docker, label);
  if (found.length === 1 && found[0]?.labels[LABELS.agentVersion] === version) return;
  for (const { id } of found) await docker.getService(id).remove();
  const filters = { label: [label] };
  for (const { ID } of await docker.listConfigs({ filters })) await docker.getConfig(ID).remove();
  for (const { ID } of await docker.listSecrets({ filters })) await docker.getSecret(ID).remove();
  const store = (text: string) => ({
    Name: figuresName(instance),
    Labels: { [LABELS.agentOf]: instance },
    Data: Buffer.from(text).toString('base64'),
  });
  const { id: secret } = await docker.createSecret(store(token));
  const { id: config } = await docker.createConfig(store(PROGRAM));
  const spec = specOf(options, { image: await pinned(docker, image), secret, config });
  await docker.createService({}, { ...spec, Labels: { ...spec.Labels, [LABELS.agentVersion]: version } });
}

/** By its digest, so that all machines run the same; as it is where no registry tells. */
async function pinned(docker: Docker, image: string): Promise<string> {
  try {
    const { Descriptor } = await docker.getImage(image).distribution();
    return `${image}@${Descriptor.digest}`;
  } catch {
    return image;
  }
}

function specOf(
  { instance, here }: FiguresServiceOptions,
  { image, secret, config }: { image: string; secret: string; config: string },
): Docker.ServiceSpec {
  const name = figuresName(instance);
  const file = { UID: ACCOUNT, GID: ACCOUNT, Mode: 0o400 };
  return {
    Name: name,
    Labels: { [LABELS.agentOf]: instance },
    Mode: { Global: {} },
    EndpointSpec: {
      Mode: 'dnsrr',
      Ports: [{ Protocol: 'tcp', TargetPort: AGENT_PLACES.port, PublishMode: 'host' }],
    },
    TaskTemplate: {
      ContainerSpec: {
        Image: image,
        Command: ['node', `--max-old-space-size=${HEAP}`, PROGRAM_PLACE],
        User: `${ACCOUNT}:${ACCOUNT}`,
        Init: true,
        ReadOnly: true,
        StopGracePeriod: 1000 * NANO_PER_MS,
        CapabilityDrop: ['ALL'],
        Privileges: { NoNewPrivileges: true } as Docker.Privileges,
        Mounts: [{ Type: 'bind', Source: '/sys/fs/cgroup', Target: AGENT_PLACES.groups, ReadOnly: true }],
        Secrets: [{ SecretID: secret, SecretName: name, File: { ...file, Name: AGENT_PLACES.secret } }],
        Configs: [{ ConfigID: config, ConfigName: name, File: { ...file, Name: PROGRAM_PLACE } }],
      },
      RestartPolicy: { Condition: 'any', Delay: RESTART_MS * NANO_PER_MS },
      Placement: {
        Constraints: [`node.id!=${here.id}`, `node.platform.arch==${here.architecture}`],
      },
      Resources: { Limits: limitsOf(LIMITS) },
      LogDriver: { Name: LOG_DRIVER.Type, Options: LOG_DRIVER.Config },
    },
  };
}
