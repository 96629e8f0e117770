import { code, plain } from './markdown.ts';
import { read } from './read.ts';
import type { Topic } from './report.ts';

export const greeting: Topic = {
  name: 'greeting',
  example: '',
  scopes: [],
  keywords: [],
  keywordsAlone: ['hi|hello|hey|howdy', 'good morning|afternoon|evening', 'thanks|thx|cheers', 'thank you'],
  async *answer(turn) {
    if (turn.words.some((word) => /^th|^cheers/.test(word))) return "You're welcome.";
    const { firstName } = yield* read(turn, ['auth', 'user'], {});
    return `Hello${firstName ? ` ${plain(firstName)}` : ''}. Ask me about what you have here, for example **What failed in my last deployment?** Type \`help\` to see everything I can answer.`;
  },
};

export const identity: Topic = {
  name: 'identity',
  example: 'Which account am I using?',
  scopes: [],
  keywords: ['who am i', 'which|what account using', 'my handle|username', 'logged|signed in'],
  async *answer(turn) {
    const { email, handle, role } = yield* read(turn, ['auth', 'user'], {});
    return `You are ${code(email)}, ${role === 'admin' ? 'an admin' : 'a member'}. Your handle, which your image names start with, is ${code(handle)}.`;
  },
};
