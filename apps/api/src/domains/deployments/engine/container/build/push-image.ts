import type Docker from 'dockerode';
import type { JobImage } from '../../engine.ts';
import { StepFailure } from '../../step-failure.ts';

interface Progress {
  error?: string;
  aux?: { Digest?: string };
}

/** Pushes an image, and answers the digest by which the registry knows it. Throws `StepFailure`, or the signal's reason. */
export async function pushImage(
  docker: Docker,
  id: string,
  { target: { reference, credentials }, signal }: { target: JobImage; signal: AbortSignal },
): Promise<string> {
  const at = reference.lastIndexOf(':');
  const [repo, tag] = [reference.slice(0, at), reference.slice(at + 1)];
  const host = reference.slice(0, reference.indexOf('/'));
  await docker.getImage(id).tag({ repo, tag });
  const image = docker.getImage(reference);
  try {
    const authconfig = { ...credentials, serveraddress: host };
    const stream = await image.push({ tag, authconfig, abortSignal: signal });
    return await followPush(docker, stream, host);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    // The image stays; who knows its name could begin a build of another project with it.
    await image.remove({ noprune: true }).catch(() => {});
  }
}

async function followPush(docker: Docker, stream: NodeJS.ReadableStream, host: string): Promise<string> {
  let digest: string | undefined;
  let refusal: string | undefined;
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(
      stream,
      (error) => (error && refusal === undefined ? reject(error) : resolve()),
      ({ error, aux }: Progress) => {
        refusal ??= error;
        digest ??= aux?.Digest;
      },
    );
  });
  if (refusal === undefined && digest !== undefined) return digest;
  throw new StepFailure('build', `The image could not be stored: ${explainPush(refusal ?? '', host)}`);
}

const MAX_SAID = 300;

/** A sentence, or more. */
function explainPush(said: string, host: string): string {
  // What the registry refuses, it says to people: a plan's storage that is full, for example.
  const refused = /^denied: ([\s\S]+)$/.exec(said)?.[1];
  if (refused) return refused;
  if (/server gave HTTP response to HTTPS client/.test(said)) {
    return `Docker wants TLS for ${host}. Set PUBLIC_URL to an https address, or add ${host} to insecure-registries of Docker.`;
  }
  if (/no such host|connection refused|dial tcp|i\/o timeout/.test(said)) {
    return `Docker does not reach our registry at ${host}, the host of PUBLIC_URL.`;
  }
  return `${said.slice(0, MAX_SAID) || 'Docker gave no reason'}.`;
}
