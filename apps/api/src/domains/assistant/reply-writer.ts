import { type AssistantModel, MAX_TURN_SECONDS, type User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { CallerWorkspace } from '../../core/context.ts';
import { unavailableSince } from '../../core/errors.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { persistently } from '../../platform/persistently.ts';
import { ASSISTANT_STOP } from './channels.ts';
import { historyBefore } from './history.ts';
import { isRead, renewLeases } from './leases.ts';
import { endDeadReplies, endReply } from './reply-end.ts';
import { createPieceStore, sweepReplies } from './reply-store.ts';
import type { Responder, Turn } from './responder/responder.ts';
import type { Toolbox } from './responder/toolbox.ts';
import { type RunningReply, runReply } from './running-reply.ts';
import { sweepEmptySessions } from './sessions.ts';
import { writeReply } from './write-reply.ts';

const RESTARTING = 'The server is restarting. Ask again in a moment.';
const NOT_KEPT = 'The answer couldn’t be saved. Ask again in a moment.';
const TOO_LATE = `The answer took longer than ${MAX_TURN_SECONDS} seconds.`;

/** Milliseconds; a test has less time. */
export interface AssistantTimes {
  /** That an answer may take. */
  turn: number;
  /** Between two looks at who still reads and who still writes. */
  beat: number;
}

export interface ReplyWriterParts {
  db: Kysely<Database>;
  notifications: Notifications;
  log: Logger;
  responder: Responder;
  openTools(asking: {
    user: User;
    workspace: CallerWorkspace;
    requestId: string;
    signal: AbortSignal;
  }): Toolbox;
  times?: Partial<AssistantTimes> | undefined;
}

/** A question whose reply this replica is to write. */
export interface Asked extends Pick<Turn, 'question' | 'scope' | 'resourceId'> {
  replyId: string;
  sessionId: string;
  messageId: string;
  user: User;
  workspace: CallerWorkspace;
  requestId: string;
}

/** Writes the replies that were asked for on this replica. */
export interface ReplyWriter {
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

/** What the writer of this replica works with. */
interface Desk extends ReplyWriterParts {
  times: AssistantTimes;
  /** What is written here, by the replies' ids. */
  replies: Map<string, RunningReply>;
  store: ReturnType<typeof createPieceStore>;
}

async function write(desk: Desk, reply: RunningReply, asked: Asked): Promise<void> {
  const { db, log, responder, store, replies } = desk;
  const { replyId, signal, feed } = reply;
  const { question, scope, resourceId, user, workspace, requestId } = asked;
  const late = setTimeout(() => reply.giveUp(TOO_LATE), desk.times.turn);
  try {
    const history = await historyBefore(db, asked.sessionId, asked.messageId);
    const tools = desk.openTools({ user, workspace, requestId, signal });
    const turn = { question, scope, resourceId, history, tools, signal };
    const ending = await writeReply({ replyId, turn, responder, feed, store, log });
    await persistently(() => endReply(db, ending));
    feed.push(ending.done.event);
  } catch (error) {
    // The next look after dead replies ends it; its readers here need not wait for that.
    feed.push({ type: 'done', truncated: true, error: NOT_KEPT });
    log.error({ err: error, replyId }, 'a reply could not be kept');
  } finally {
    clearTimeout(late);
    replies.delete(replyId);
  }
}

/** Gives up a reply that has no reader on this replica, unless somebody reads it on another one. */
async function desert(db: Kysely<Database>, reply: RunningReply): Promise<void> {
  const isReadElsewhere = await isRead(db, reply.replyId).catch(() => false);
  if (!isReadElsewhere) reply.giveUp('');
}

/** Renews the leases of what is written here, gives up what nobody wants any more, and ends what lost its writer. */
async function lookAfter({ db, replies }: Desk): Promise<void> {
  const written = [...replies.values()];
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

export function createReplyWriter(parts: ReplyWriterParts): ReplyWriter {
  const { db, log, notifications, responder } = parts;
  const times = { turn: MAX_TURN_SECONDS * 1000, beat: 5000, ...parts.times };
  const replies = new Map<string, RunningReply>();
  const desk: Desk = { ...parts, times, replies, store: createPieceStore(db) };
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  function beatLater(): void {
    timer = setTimeout(async () => {
      await lookAfter(desk).catch((error) => {
        log.warn({ err: error }, 'could not look after the assistant’s replies');
      });
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
        runReply({ replyId, sessionId }, (reply) => write(desk, reply, asked)),
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
      if (reply.chats === 0 && reply.readers === 0 && !reply.signal.aborted) {
        reply.leaving = desert(db, reply);
      }
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
