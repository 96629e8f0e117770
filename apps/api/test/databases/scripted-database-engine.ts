import type { DatabaseEngine } from '../../src/domains/databases/engines/engine.ts';

export interface ScriptedEngine extends DatabaseEngine {
  /** Password by name: what a server would hold. */
  held: Map<string, string>;
  /** Calls in order, as "operation name". */
  calls: string[];
  /** The machine that it is on. */
  machine: string;
  /** What `unavailable` says. */
  reason: string | null;
  /** Runs before an operation takes effect; what it throws is the server's failure. */
  before: (operation: string) => Promise<void>;
  /** Runs after it took effect: what it throws is an answer that was lost. */
  after: (operation: string) => Promise<void>;
}

const nothing = async () => {};

/** A server that fails when it is told to. */
export function createScriptedEngine(type: DatabaseEngine['type']): ScriptedEngine {
  async function perform(operation: string, name: string, effect: () => void): Promise<void> {
    engine.calls.push(`${operation} ${name}`);
    await engine.before(operation);
    effect();
    await engine.after(operation);
  }
  const engine: ScriptedEngine = {
    type,
    runsHere: true,
    held: new Map(),
    calls: [],
    machine: 'here',
    reason: null,
    before: nothing,
    after: nothing,
    unavailable: () => engine.reason,
    start: nothing,
    stop: nothing,
    async home() {
      engine.calls.push('home');
      return engine.machine;
    },
    wake: (name) => perform('wake', name, () => {}),
    create: ({ name, password }) => perform('create', name, () => engine.held.set(name, password)),
    setPassword: ({ name, password }) => perform('setPassword', name, () => engine.held.set(name, password)),
    accepts: async ({ name, password }) => {
      await engine.before('accepts');
      return engine.held.get(name) === password;
    },
    remove: (name) => perform('remove', name, () => engine.held.delete(name)),
    usage: async (name) => {
      await perform('usage', name, () => {});
      return { size: 1, connections: 0, connectionLimit: 20 };
    },
    connectionString: ({ name, password }) => `scripted://${name}:${password}@127.0.0.1/${name}`,
  };
  return engine;
}
