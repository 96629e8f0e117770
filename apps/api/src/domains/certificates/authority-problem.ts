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
