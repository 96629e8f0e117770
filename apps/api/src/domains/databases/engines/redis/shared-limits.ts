import type { Ask } from './redis-client.ts';
import { SHARED_LIMITS } from './redis-config.ts';
import { clientsOf, mayStore, numbersOf } from './redis-users.ts';

/** Keys that a server looks at in one turn; others wait for that. */
const AT_ONCE = 1000;
/** Keys that are looked at in one check: of more, the next checks look at the rest. */
const A_CHECK = 50_000;
/** Of its limit, what a database that was full may take once it may store again. */
const ROOM = 0.95;

/** One turn of a scan, at the server since keys may be any bytes: the memory of its keys by what they begin with. */
const MEASURE = `local found = redis.call('SCAN', ARGV[1], 'COUNT', ARGV[2])
local sums = {}
for _, key in ipairs(found[2]) do
  local name = string.match(key, '^([^:]*):')
  if name then sums[name] = (sums[name] or 0) + (redis.call('MEMORY', 'USAGE', key) or 0) end
end
local told = {}
for name, sum in pairs(sums) do told[#told + 1] = name; told[#told + 1] = sum end
return {found[1], told}`;

/**
 * Holds the databases of one server to their limits, since Redis itself knows none but its own: whoever has too many
 * clients loses the newest, and whoever takes too much memory may only remove until it takes less.
 */
export function createSharedLimits(
  setMayStore: (ask: Ask, name: string, may: boolean) => Promise<unknown>,
  { memory, clients: most } = SHARED_LIMITS,
) {
  const pass = createPass();

  async function holdClients(ask: Ask, names: readonly string[]): Promise<void> {
    const clients = await clientsOf(ask);
    for (const name of names) {
      const own = clients.filter(({ user }) => user === name).toSorted((one, other) => one.id - other.id);
      for (const { id } of own.slice(most)) await ask('CLIENT', 'KILL', 'ID', String(id));
    }
  }

  async function holdMemory(ask: Ask, names: readonly string[]): Promise<void> {
    const sums = await pass.goOn(ask);
    if (!sums) return;
    for (const name of names) {
      const taken = sums.get(name) ?? 0;
      if (taken > memory * ROOM && taken <= memory) continue;
      const may = taken <= memory;
      if ((await mayStore(ask, name)) !== may) await setMayStore(ask, name, may);
    }
  }

  return {
    /** Looks once at these databases. */
    async hold(ask: Ask, names: readonly string[]): Promise<void> {
      await holdClients(ask, names);
      await holdMemory(ask, names);
    },
  };
}

/** Goes over all keys again and again, in goes that end. */
function createPass() {
  let sums = new Map<string, number>();
  /** Numbered databases that are left, the present one first. */
  let numbers: string[] = [];
  let cursor = '0';

  async function turn(ask: Ask): Promise<void> {
    const reply = await ask('EVAL', MEASURE, '0', cursor, String(AT_ONCE));
    const [next, told] = Array.isArray(reply) ? reply : [];
    const pairs = Array.isArray(told) ? told : [];
    for (let at = 0; at < pairs.length; at += 2) {
      const name = String(pairs[at]);
      sums.set(name, (sums.get(name) ?? 0) + Number(pairs[at + 1]));
    }
    cursor = String(next ?? '0');
    if (cursor === '0') numbers.shift();
  }

  return {
    /** Bytes by what keys begin with, once all were looked at; undefined until then. */
    async goOn(ask: Ask): Promise<ReadonlyMap<string, number> | undefined> {
      if (numbers.length === 0) {
        sums = new Map();
        numbers = numbersOf(await ask('INFO', 'keyspace'));
      }
      for (let seen = 0; numbers.length > 0 && seen < A_CHECK; seen += AT_ONCE) {
        await ask('SELECT', numbers[0] ?? '0');
        await turn(ask);
      }
      return numbers.length === 0 ? sums : undefined;
    },
  };
}
