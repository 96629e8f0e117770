import { z } from 'zod';
import { type ResponderEvent, ResponderFailure } from '../responder/responder.ts';

/** Tool calls that one message of a model can ask for. */
const MAX_CALLS = 32;
/** UTF-16 units of one call's arguments, or its name. */
const MAX_ARGUMENTS = 16 * 1024;
/** UTF-16 units of a call's id, which we only hand back. */
const MAX_ID = 256;
const GARBLED = 'The model server sent an invalid answer.';

/** More than any message takes; what claims more counts for nothing, so that sums stay exact. */
const MAX_TOKENS = 100_000_000;
const Count = z.int().min(0).max(MAX_TOKENS).catch(0);

/** What we read of a chunk of a streamed chat completion; servers differ in the rest. */
const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.int().min(0).default(0),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: Count, completion_tokens: Count }).nullish(),
});
type Chunk = z.output<typeof Chunk>;
type CallPart = NonNullable<
  NonNullable<NonNullable<Chunk['choices']>[number]['delta']>['tool_calls']
>[number];

export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote them, maybe not JSON. */
  arguments: string;
}

/** One message of a model. */
export interface Message {
  text: string;
  calls: ToolCall[];
  finishReason: string;
  promptTokens: number;
  completionTokens: number;
}

/**
 * Gives the words of a streamed message as they come, and returns it whole. Throws `ResponderFailure` where it is no
 * message, or breaks off.
 */
export async function* readMessage(chunks: AsyncIterable<unknown>): AsyncGenerator<ResponderEvent, Message> {
  const message: Message = { text: '', calls: [], finishReason: '', promptTokens: 0, completionTokens: 0 };
  for await (const chunk of chunks) {
    const { choices, usage } = readChunk(chunk);
    if (usage) {
      message.promptTokens = usage.prompt_tokens;
      message.completionTokens = usage.completion_tokens;
    }
    const [choice] = choices ?? [];
    message.finishReason = choice?.finish_reason ?? message.finishReason;
    for (const part of choice?.delta?.tool_calls ?? []) addCall(message.calls, part);
    const words = choice?.delta?.content ?? '';
    if (words === '') continue;
    message.text += words;
    yield { type: 'text', text: words };
  }
  if (message.finishReason === '') {
    throw new ResponderFailure('The model server stopped in the middle of the answer.');
  }
  return message;
}

function readChunk(chunk: unknown): Chunk {
  const { success, data } = Chunk.safeParse(chunk);
  if (!success) throw new ResponderFailure(GARBLED);
  return data;
}

/** The first part of a call has its id and name; each has some of its arguments. */
function addCall(calls: ToolCall[], { index, id, function: called }: CallPart): void {
  if (index > calls.length || index >= MAX_CALLS) throw new ResponderFailure(GARBLED);
  const call = calls[index] ?? { id: '', name: '', arguments: '' };
  calls[index] = call;
  call.id ||= (id ?? '').slice(0, MAX_ID);
  call.name += called?.name ?? '';
  call.arguments += called?.arguments ?? '';
  const longest = Math.max(call.arguments.length, call.name.length);
  if (longest > MAX_ARGUMENTS) throw new ResponderFailure(GARBLED);
}
