/** A read that whoever answers may ask for. */
export interface Tool {
  name: string;
  /** For a model: what it reads. */
  description: string;
  /** JSON Schema of its arguments, an object. */
  parameters: Readonly<Record<string, unknown>>;
}

/** The tools of one turn, which act as the person who asked. */
export interface Toolbox {
  list(): readonly Tool[];
  /**
   * What the tool says: JSON, or a sentence where it refuses, fails, is unknown or was given wrong arguments, so that
   * whoever answers can go on. Never rejects; counts, and past `MAX_TOOL_CALLS` says that there are no more.
   */
  call(name: string, args: unknown): Promise<string>;
}
