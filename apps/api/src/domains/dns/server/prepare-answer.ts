import type { MessageWriter } from './message-writer.ts';
import type { Name } from './names.ts';
import { FLAG } from './protocol.ts';
import type { OwnedSet } from './record-set.ts';
import type { Answer } from './resolve.ts';

/** An answer in octets, without what the asker decides: id, spelling of the question, size and EDNS. */
export interface PreparedAnswer {
  rcode: number;
  /** AA, or nothing. */
  flags: number;
  answers: number;
  authorities: number;
  /** What follows the question: all sections. */
  body: Buffer;
  /** Where `body` may end, the longest first: whole sets of additional records are left out, nothing else. */
  ends: readonly { length: number; additionals: number }[];
  /** Why it is no answer, of `EXTENDED_ERROR`; undefined where it is one. */
  extendedError?: number | undefined;
}

function addAll(writer: MessageWriter, sets: readonly OwnedSet[]): number {
  return sets.reduce((count, owned) => count + writer.add(owned), 0);
}

/** For a question for `name` that ends at `questionEnd`. */
export function prepareAnswer(
  writer: MessageWriter,
  answer: Answer,
  { name, end }: { name: Name; end: number },
): PreparedAnswer {
  writer.begin(name, end);
  const answers = addAll(writer, answer.answer);
  const authorities = addAll(writer, answer.authority);
  let additionals = addAll(writer, answer.glue);
  // An answer that no message can hold has no end at all.
  const ends = writer.isFull() ? [] : [{ length: writer.length(), additionals }];
  for (const owned of answer.additional) {
    const count = writer.add(owned);
    if (writer.isFull()) break;
    additionals += count;
    ends.unshift({ length: writer.length(), additionals });
  }
  return {
    rcode: answer.rcode,
    flags: answer.authoritative ? FLAG.AA : 0,
    answers,
    authorities,
    body: writer.take(),
    ends,
  };
}
