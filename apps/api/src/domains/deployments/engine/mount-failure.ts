/** What Docker says of a volume that it cannot mount, up to the reason. */
const NOT_MOUNTED = /^.*?(?:error while mounting volume|failed to mount local volume).*: (.*)$/s;

/** An error that can be logged: see `withoutOptions`. Docker's own stays as it is where it is of anything else. */
export function loggable(error: unknown): unknown {
  return isMountFailure(error) ? new Error(withoutOptions(error.message)) : error;
}

/** Whether it was the mount of a disk that failed. */
export function isMountFailure(error: unknown): error is Error {
  return error instanceof Error && NOT_MOUNTED.test(error.message);
}

/**
 * What was said of a failure, as it can be shown and logged: that of a mount without the options of its driver, which may
 * hold the password of a share.
 */
export function withoutOptions(said: string): string {
  return said.replace(NOT_MOUNTED, 'the disk could not be mounted: $1');
}
