/** Seconds: the longest wait that is believed, since limits of authorities are of weeks. */
const LONGEST_WAIT = 31 * 24 * 60 * 60;

/** Why an authority issued nothing, in a sentence or two for the person whose domain it is. */
export class AuthorityProblem extends Error {
  override readonly name = 'AuthorityProblem';
  /** As RFC 8555 §6.7 names it, without its prefix; '' where the authority did not say. */
  readonly type: string;
  /** Seconds for which it wants to hear nothing of this. */
  readonly retryAfter: number;
  /** Of its HTTP answer; 0 where there was none. */
  readonly status: number;

  constructor(message: string, { type = '', retryAfter = 0, status = 0 } = {}) {
    super(message);
    this.type = type;
    this.retryAfter = retryAfter;
    this.status = status;
  }
}

/** Seconds of `Retry-After`, which may be a date (RFC 9110 §10.2.3), a month at most; 0 where it cannot be read. */
export function secondsOf(retryAfter: string): number {
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), LONGEST_WAIT);
}
