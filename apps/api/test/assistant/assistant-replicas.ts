import type { Inputs, ReplyEvent } from '@nephos/contracts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';
import { type AssistantWorld, createAssistantWorld, settingsFor } from './assistant-world.ts';
import { says } from './openai-server.ts';

/** Two replicas on one database and one model server. */
export interface Replicas {
  world: AssistantWorld;
  replica: World;
  ada: Person;
  /** Ada at the other replica. */
  adaElsewhere: Omit<Person, 'user'>;
}

/** Call `close` of the replica, then of the world. */
export async function createReplicas(): Promise<Replicas> {
  const overrides = { assistantTimes: { beat: 100 } };
  const world = await createAssistantWorld(says('Hello.'), { running: true, overrides });
  const replica = await createWorld({
    databaseUrl: world.databaseUrl,
    settings: settingsFor(world.model),
    overrides,
    running: true,
  });
  const ada = await world.as('Ada');
  return { world, replica, ada, adaElsewhere: callerOf(replica.url, ada.cookie) };
}

export const DONE = { type: 'done', truncated: false, error: '' };

export interface Reader {
  events: { id: string; data: ReplyEvent }[];
  /** The text that came so far. */
  text(): string;
  ended: Promise<void>;
  close(): void;
}

/** Reads a reply as the console does. */
export function read(person: Pick<Person, 'rpc'>, input: Inputs['assistant']['reply']): Reader {
  const events: Reader['events'] = [];
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const stream = person.rpc.assistant.reply.subscribe(input, {
    onData: (event) => events.push(event),
    onComplete: resolve,
    onError: reject,
  });
  ended.catch(() => {});
  const text = () => events.map(({ data }) => (data.type === 'text' ? data.text : '')).join('');
  return { events, text, ended, close: () => stream.unsubscribe() };
}
