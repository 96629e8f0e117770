import type { Framework } from '@nephos/contracts';
import type { Toolchain } from './process/toolchain.ts';

export interface RuntimeState {
  framework: Framework;
  available: boolean;
  /** One sentence; '' when available. */
  reason: string;
}

/** Which frameworks can be run with the programs that were found. */
export function runtimesOf(toolchain: Toolchain | undefined): RuntimeState[] {
  const common = toolchain ? toolchain.gitReason : 'The server is still starting.';
  const npm = toolchain?.npm ? '' : 'There is no npm on this server.';
  const state = (framework: Framework, own: string): RuntimeState => {
    const reason = common || own;
    return { framework, available: reason === '', reason };
  };
  return [state('nodejs', npm), state('static', ''), state('python', toolchain?.python.reason ?? '')];
}
