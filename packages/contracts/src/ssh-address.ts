/** A repository that is reached by SSH. */
export interface SshAddress {
  /** '' where none is named. */
  user: string;
  /** In lower case. */
  host: string;
  port: number;
}

const SSH_PORT = 22;
const USER = '[A-Za-z0-9_][A-Za-z0-9._-]{0,63}';
const HOST = '[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?';
/** Path characters that neither git, ssh nor the shell at the other end read as anything else. */
const PATH = '[A-Za-z0-9._~/@+-]+';

/** `ssh://git@host:port/path`. */
const URL_FORM = new RegExp(`^ssh://(?:(${USER})@)?(${HOST})(?::(\\d{1,5}))?/${PATH}$`);
/** `git@host:path`, where a path may not begin as an option would. */
const SHORT_FORM = new RegExp(`^(${USER})@(${HOST}):(?!-)${PATH}$`);

/** Reads `git@host:path` and `ssh://` addresses; undefined for anything else. */
export function readSshAddress(text: string): SshAddress | undefined {
  const [, user, host, port = SSH_PORT] = URL_FORM.exec(text) ?? SHORT_FORM.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { user: user ?? '', host: host.toLowerCase(), port: Number(port) };
}
