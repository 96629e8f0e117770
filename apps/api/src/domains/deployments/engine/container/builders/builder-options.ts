import { readFile } from 'node:fs/promises';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import type { Settings } from '../../../../../core/settings.ts';
import type { Limits } from '../../limits.ts';
import { LOG_DRIVER, MB } from '../container-options.ts';
import { proxyVariables } from '../environment.ts';

/** Where the daemon in a builder's container listens, for programs of that container. */
export const SOCKET = '/run/docker.sock';
/** Everything that the daemon in a builder keeps: images, caches and steps under way. */
export const STORE = '/var/lib/docker';
/**
 * The network of steps inside of a builder: of the block that no network of a project takes, so that it hides nobody's
 * addresses from them.
 */
const STEPS = '198.19.255.193/27';
/**
 * Of /proc, what is of the whole machine: as root of its files, without any privilege, one could have its kernel start a
 * program. /proc/sys/net is of the container's own network, which its daemon sets up.
 */
const READ_ONLY = [
  ...['abi', 'debug', 'dev', 'fs', 'kernel', 'sunrpc', 'user', 'vm', 'xen'].map(
    (name) => `/proc/sys/${name}`,
  ),
  ...['bus', 'fs', 'irq', 'sysrq-trigger'].map((name) => `/proc/${name}`),
];

/**
 * Fixed words: has the container's own control groups written to, where a container may only read them, and begins the
 * daemon. In version 2 a group that has groups of its own has no process.
 */
const BEGIN = `set -e
grep ' cgroup' /proc/mounts | while read -r _ place _; do mount -o remount,bind,rw "$place"; done
top=/sys/fs/cgroup
if [ -f $top/cgroup.controllers ]; then
  mkdir -p $top/daemon
  while read -r id; do echo "$id" > $top/daemon/cgroup.procs || true; done < $top/cgroup.procs
  read -r names < $top/cgroup.controllers
  for name in $names; do echo "+$name" > $top/cgroup.subtree_control; done
fi
exec dockerd`;

/** What a daemon says of itself that a builder's container is made by: parts of `GET /info` of the Engine API. */
export interface OuterDaemon {
  CgroupVersion?: string;
  RegistryConfig?: {
    Mirrors?: string[] | null;
    InsecureRegistryCIDRs?: string[] | null;
    IndexConfigs?: Record<string, { Secure?: boolean }> | null;
  };
}

export interface BuilderOptions {
  name: string;
  labels: Readonly<Record<string, string>>;
  /** Its id. */
  image: string;
  /** Its network's name. */
  network: string;
  /** What keeps its store for another builder of the project; undefined: nothing does. */
  volume: string | undefined;
  settings: Pick<Settings, 'hostEnvironment'>;
  limits: Pick<Limits, 'buildMemory' | 'threads'>;
  outer: OuterDaemon;
}

/**
 * The container of a builder, as the Engine API takes it. It makes containers of its own, for which it needs to mount and
 * to have networks. It is given no device and nothing of this machine, and all that it makes has its limits together.
 */
export function builderOptions({
  outer,
  limits,
  settings,
  volume,
  ...options
}: BuilderOptions): Docker.ContainerCreateOptions {
  const { buildMemory: memory, threads } = limits;
  const env = { container: 'docker', ...proxyVariables(settings) };
  return {
    name: options.name,
    Image: options.image,
    Labels: { ...options.labels },
    Entrypoint: ['/bin/sh', '-c', BEGIN],
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    Volumes: { [STORE]: {} },
    HostConfig: {
      Init: true,
      NetworkMode: options.network,
      Memory: memory,
      MemorySwap: memory,
      PidsLimit: threads,
      CapAdd: ['SYS_ADMIN', 'NET_ADMIN'],
      SecurityOpt: ['seccomp=unconfined', 'apparmor=unconfined', 'label=disable'],
      // The typings know less.
      ...{ ReadonlyPaths: READ_ONLY },
      // In that of the machine, its groups would be the machine's.
      ...(outer.CgroupVersion === '2' && { CgroupnsMode: 'private' }),
      Mounts: volume === undefined ? [] : [{ Type: 'volume', Source: volume, Target: STORE }],
      LogConfig: LOG_DRIVER,
      RestartPolicy: { Name: 'no' },
    },
  };
}

const DEFAULT_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

export interface BuilderFiles {
  settings: Pick<Settings, 'hostEnvironment'>;
  outer: OuterDaemon;
  /** Addresses of name servers. */
  resolvers: readonly string[];
  /** Bytes that the cache of builds may keep. */
  cacheBytes: number;
}

/** A tar archive of what the daemon in a builder reads: its settings, and the certificates that this server trusts. */
export async function builderFiles({
  settings,
  outer,
  resolvers,
  cacheBytes,
}: BuilderFiles): Promise<NodeJS.ReadableStream> {
  const archive = pack();
  const { Mirrors, IndexConfigs, InsecureRegistryCIDRs } = outer.RegistryConfig ?? {};
  const insecure = Object.entries(IndexConfigs ?? {}).flatMap(([name, { Secure }]) =>
    Secure === false ? [name] : [],
  );
  const daemon = {
    hosts: [`unix://${SOCKET}`],
    'exec-root': '/run/docker',
    'data-root': STORE,
    bip: STEPS,
    dns: resolvers,
    'log-level': 'error',
    'userland-proxy': false,
    'registry-mirrors': Mirrors ?? [],
    'insecure-registries': [...insecure, ...(InsecureRegistryCIDRs ?? [])],
    builder: {
      // None would be a share of the machine's disk.
      gc: { enabled: true, defaultKeepStorage: `${Math.max(1, Math.ceil(cacheBytes / MB))}MB` },
      // Steps are in networks of their own, whatever a Dockerfile asks for.
      entitlements: { 'network-host': false, 'security-insecure': false },
    },
  };
  archive.entry({ name: 'etc/docker/daemon.json', mode: 0o600 }, JSON.stringify(daemon));
  const { SSL_CERT_FILE = DEFAULT_CERTIFICATES, NODE_EXTRA_CA_CERTS } = settings.hostEnvironment;
  const names = new Set([SSL_CERT_FILE, ...(NODE_EXTRA_CA_CERTS ? [NODE_EXTRA_CA_CERTS] : [])]);
  const texts = await Promise.all([...names].map((name) => readFile(name, 'utf8').catch(() => '')));
  const certificates = texts.filter(Boolean).join('\n');
  if (certificates !== '') archive.entry({ name: DEFAULT_CERTIFICATES.slice(1) }, certificates);
  archive.finalize();
  // It is a stream, of which the typings know less.
  return archive as unknown as NodeJS.ReadableStream;
}
