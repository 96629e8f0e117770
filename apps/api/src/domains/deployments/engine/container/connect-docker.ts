import { createRequire } from 'node:module';
import type Docker from 'dockerode';

/**
 * A client of the Docker daemon at this Unix socket. The library is loaded at the first need: it brings gRPC along, some
 * 30 MB of memory, which servers without Docker never use.
 */
export function connectDocker(socketPath: string): Docker {
  const Client: typeof Docker = createRequire(import.meta.url)('dockerode');
  // What is not said here, the library would take from the environment; its typings know no undefined.
  const place = { socketPath, host: undefined, protocol: 'http' };
  return new Client(place as Docker.DockerOptions);
}
