import type { DatabaseEngine } from './engine.ts';

/** Stands for a server that this installation does not have. `reason` names the setting that would add it. */
export function createUnavailableEngine(type: DatabaseEngine['type'], reason: string): DatabaseEngine {
  const refuse = async () => {
    throw new Error(reason);
  };
  return {
    type,
    runsHere: false,
    unavailable: () => reason,
    async start() {},
    async stop() {},
    create: refuse,
    setPassword: refuse,
    accepts: refuse,
    remove: refuse,
    usage: refuse,
    connectionString() {
      throw new Error(reason);
    },
  };
}
