import { type AssistantModel, MAX_TURN_SECONDS, type User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { unavailableSince } from '../../errors.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { persistently } from '../../platform/persistently.ts';
import { ASSISTANT_STOP } from './channels.ts';
import { historyBefore } from './history.ts';
import { isRead, renewLeases } from './leases.ts';
import { endDeadReplies, endReply } from './reply-end.ts';
import { createPieceStore, sweepReplies } from './reply-store.ts';
import type { Responder, Turn } from './responder.ts';
import { type RunningReply, runReply } from './running-reply.ts';
import { sweepEmptySessions } from './sessions.ts';
import type { Toolbox } from './toolbox.ts';
import { becomesVisible } from './visible.ts';
import { writeReply } from './write-reply.ts';

const RESTARTING = 'The server is restarting. Ask again in a moment.';
const NOT_KEPT = 'The answer could not be kept. Ask again in a moment.';
const TOO_LATE = `The answer took longer than ${MAX_TURN_SECONDS} seconds.`;

/** Milliseconds; a test has less time. */
export interface AssistantTimes {
  /** That an answer may take. */
  turn: number;
  /** Between two looks at who still reads and who still writes. */
  beat: number;
}

export interface AssistantDeps {
  db: Kysely<Database>;
  notifications: Notifications;
  log: Logger;
  responder: Responder;
  openTools(asking: { user: User; requestId: string; signal: AbortSignal }): Toolbox;
  times?: Partial<AssistantTimes> | undefined;
}

/** A question whose reply this replica is to write. */
export interface Asked extends Pick<Turn, 'question' | 'scope' | 'resourceId'> {
  replyId: string;
  sessionId: string;
  messageId: string;
  user: User;
  requestId: string;
  /** Whether it was stored inside a transaction that has yet to be committed. */
  uncommitted: boolean;
}

/** Writes the replies that were asked for on this replica. */
export interface Assistant {
  model: AssistantModel;
  /** Refuses with 503 while the server stops. */
  assertRunning(): void;
  begin(asked: Asked): void;
  /** A reply that is written here. */
  running(replyId: string): RunningReply | undefined;
  /** Resolves when what was left or given up of a conversation here has come to its end. */
  settled(sessionId: string): Promise<void>;
  /** Gives up what is written of a conversation that is gone. */
  forget(sessionId: string): void;
  /** A chat's connection is gone: its reply is given up, unless somebody else reads it. */
  leaveChat(reply: RunningReply): void;
  start(): void;
  /** Keeps what there is of each reply, and begins no more. */
  stop(): Promise<void>;
  sweep(): Promise<void>;
}

export function createAssistant(deps: AssistantDeps): Assistant {
  const { db, log, notifications, responder } = deps;
  const times: AssistantTimes = { turn: MAX_TURN_SECONDS * 1000, beat: 5000, ...deps.times };
  const replies = new Map<string, RunningReply>();
  const store = createPieceStore(db);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  async function write(reply: RunningReply, asked: Asked): Promise<void> {
    const { replyId, signal, feed } = reply;
    const { question, scope, resourceId, user, requestId } = asked;
    const late = setTimeout(() => reply.giveUp(TOO_LATE), times.turn);
    try {
      if (asked.uncommitted && !(await becomesVisible(db, replyId))) return;
      reply.committed = true;
      const history = await historyBefore(db, asked.sessionId, asked.messageId);
      const tools = deps.openTools({ user, requestId, signal });
      const turn = { question, scope, resourceId, history, tools, signal };
      const ending = await writeReply({ replyId, turn, responder, feed, store, log });
      await persistently(() => endReply(db, ending));
      feed.push(ending.done.event);
    } catch (error) {
      // Whoever looks after dead replies ends it; who reads it here need not wait for that.
      feed.push({ type: 'done', truncated: true, error: NOT_KEPT });
      log.error({ err: error, replyId }, 'a reply could not be kept');
    } finally {
      clearTimeout(late);
      replies.delete(replyId);
    }
  }

  /** Nobody here wants it; somebody elsewhere may. */
  async function desert(reply: RunningReply): Promise<void> {
    const isReadElsewhere = await isRead(db, reply.replyId).catch(() => false);
    if (!isReadElsewhere) reply.giveUp('');
  }

  async function beat(): Promise<void> {
    // The row of one that is not committed cannot be seen yet: it is not gone.
    const written = [...replies.values()].filter(({ committed }) => committed);
    if (written.length > 0) {
      const read = written.filter(({ readers }) => readers > 0);
      const leases = await renewLeases(db, written.map(idOf), read.map(idOf));
      const leaseOf = new Map(leases.map((lease) => [lease.id, lease]));
      for (const reply of written) {
        const lease = leaseOf.get(reply.replyId);
        if (!lease || lease.stopAsked || (lease.unheard && reply.chats === 0)) reply.giveUp('');
      }
    }
    await endDeadReplies(db);
  }

  function beatLater(): void {
    timer = setTimeout(async () => {
      await beat().catch((error) => log.warn({ err: error }, 'could not look after the assistant’s replies'));
      if (!stopped) beatLater();
    }, times.beat);
  }

  return {
    model: responder.model,
    assertRunning() {
      if (stopped) throw unavailableSince('the assistant is stopping');
    },
    begin(asked) {
      const { replyId, sessionId } = asked;
      replies.set(
        replyId,
        runReply({ replyId, sessionId, committed: !asked.uncommitted }, (reply) => write(reply, asked)),
      );
    },
    running: (replyId) => replies.get(replyId),
    async settled(sessionId) {
      const theirs = [...replies.values()].filter((reply) => reply.sessionId === sessionId);
      await Promise.all(theirs.map(({ leaving }) => leaving));
      await Promise.all(theirs.filter(({ signal }) => signal.aborted).map(({ ended }) => ended));
    },
    forget(sessionId) {
      for (const reply of replies.values()) if (reply.sessionId === sessionId) reply.giveUp('');
    },
    leaveChat(reply) {
      reply.chats -= 1;
      if (reply.chats === 0 && reply.readers === 0 && !reply.signal.aborted) reply.leaving = desert(reply);
    },
    start() {
      unsubscribe = notifications.subscribe(ASSISTANT_STOP, (replyId) => replies.get(replyId)?.giveUp(''));
      beatLater();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      unsubscribe();
      const ending = [...replies.values()];
      for (const reply of ending) reply.giveUp(RESTARTING);
      await Promise.all(ending.map(({ ended }) => ended));
    },
    async sweep() {
      await sweepReplies(db);
      await sweepEmptySessions(db);
    },
  };
}

function idOf({ replyId }: RunningReply): string {
  return replyId;
}
