import { MAX_TOOL_CALLS, type User } from '@nephos/contracts';
import type { Logger } from 'pino';
import type { CallerWorkspace } from '../../core/context.ts';
import type { Caller } from '../../http/caller.ts';
import { describeError } from '../../http/describe-error.ts';
import type { Toolbox } from './responder/toolbox.ts';
import { CONTRACT_TOOLS, type ContractTool } from './tools.ts';
import { outputOf, refusal } from './tools-output.ts';

/** UTF-16 units of the arguments of one call, as JSON. */
const MAX_ARGUMENTS = 8 * 1024;
/** Rows of a list where the call does not say how many. */
const DEFAULT_LIMIT = 50;

/** Calls any query of the contract, `domain.procedure`, as `caller`. Throws what the procedure does. */
export type CallProcedure = (call: {
  path: string;
  caller: Caller;
  input: unknown;
  signal: AbortSignal;
}) => Promise<unknown>;

export interface ToolsOptions {
  log: Logger;
  call: CallProcedure;
  /** Who asks: the tools see what this person sees. */
  user: User;
  /** In which they ask. */
  workspace: CallerWorkspace;
  requestId: string;
  signal: AbortSignal;
}

/**
 * The contract's tools for one turn. They call the same procedures as the person does, by the same guards, checks,
 * owner filters and rate limits, as an access token for reading would: a write is refused there as it is here.
 */
export function openToolbox(options: ToolsOptions): Toolbox {
  const { log, user, workspace, requestId, signal } = options;
  const caller: Caller = {
    user,
    workspace,
    requestId,
    sessionId: null,
    tokenScope: 'read',
    tokenName: null,
    isProven: false,
    // Who asks was let in by the guard.
    factorDemandedBy: null,
  };
  let calls = 0;

  async function ask({ path, row }: ContractTool, input: unknown): Promise<string> {
    try {
      const answer = await options.call({ path, caller, input, signal });
      return outputOf(answer, row.withheld);
    } catch (error) {
      const { status, message } = describeError(error);
      if (status === 500) log.error({ err: error, path }, 'a tool of the assistant failed');
      return refusal(message);
    }
  }

  return {
    list: () => [...CONTRACT_TOOLS.values()],
    async call(name, args) {
      calls += 1;
      if (calls > MAX_TOOL_CALLS) return refusal('No more tools can be called for this question.');
      const tool = CONTRACT_TOOLS.get(name);
      if (!tool) return refusal('There is no such tool.');
      if (!isObject(args)) return refusal('The arguments must be a JSON object.');
      const problem = problemOf(tool, args);
      return problem ? refusal(problem) : ask(tool, inputOf(tool, args));
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with the arguments before any schema looks at them; undefined for nothing. */
function problemOf({ parameters }: ContractTool, args: object): string | undefined {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(parameters.properties, name));
  if (unknown !== undefined) return `There is no argument ${JSON.stringify(unknown.slice(0, 50))}.`;
  const missing = parameters.required.find((name) => !Object.hasOwn(args, name));
  if (missing !== undefined) return `The argument ${JSON.stringify(missing)} is missing.`;
  return isLong(args) ? 'The arguments are too long.' : undefined;
}

/** Also true of what cannot be JSON: nested beyond measure, or in a circle. */
function isLong(args: object): boolean {
  try {
    return JSON.stringify(args).length > MAX_ARGUMENTS;
  } catch {
    return true;
  }
}

function inputOf({ parameters, row }: ContractTool, args: object): unknown {
  if (row.input.type === 'void') return undefined;
  return 'limit' in parameters.properties ? { limit: DEFAULT_LIMIT, ...args } : args;
}
