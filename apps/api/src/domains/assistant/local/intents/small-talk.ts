import type { Answer, Intent } from '../intent.ts';
import { bullets, code, paragraphs, plain } from '../markdown.ts';
import { read } from '../read.ts';

export const greeting: Intent = {
  name: 'greeting',
  example: '',
  scopes: [],
  matches: [],
  matchesShort: [['hello']],
  async *answer(turn): Answer {
    const { firstName } = yield* read(turn, ['auth', 'user'], {});
    return `Hello${firstName ? ` ${plain(firstName)}` : ''}. Ask me about what you have here, for example **What failed in my last deployment?** \`help\` lists what I know.`;
  },
};

export const thanks: Intent = {
  name: 'thanks',
  example: '',
  scopes: [],
  matches: [],
  matchesShort: [['thanks']],
  // biome-ignore lint/correctness/useYield: an answer that needs no tool
  async *answer(): Answer {
    return 'You are welcome.';
  },
};

export const account: Intent = {
  name: 'account',
  example: 'Who am I here?',
  scopes: ['general', 'container'],
  matches: [['account']],
  unless: ['database', 'money', 'cost', 'change'],
  async *answer(turn): Answer {
    const { email, handle, role } = yield* read(turn, ['auth', 'user'], {});
    return `You are ${code(email)}, ${role === 'admin' ? 'an admin' : 'a member'}. Your handle, under which your images live, is ${code(handle)}.`;
  },
};

export const tokens: Intent = {
  name: 'tokens',
  example: 'How do I use the API with a token?',
  scopes: [],
  matches: [['token'], ['token', 'how'], ['token', 'password'], ['token', 'have']],
  // biome-ignore lint/correctness/useYield: an answer that needs no tool
  async *answer(): Answer {
    return paragraphs(
      'Access tokens are on your **Account** page: scope read for looking and pulling, write for everything. A token is shown once; I never see any.',
      bullets(['`Authorization: Bearer <token>` for the API', 'as the password of `docker login`']),
    );
  },
};

export const money: Intent = {
  name: 'money',
  example: '',
  scopes: [],
  matches: [
    ['money'],
    ['money', 'change'],
    ['money', 'account'],
    ['money', 'have'],
    ['money', 'list'],
    ['money', 'what'],
    ['money', 'how', 'cost'],
    ['money', 'fail'],
  ],
  unless: ['usage', 'advice'],
  // biome-ignore lint/correctness/useYield: an answer that needs no tool
  async *answer(): Answer {
    return 'I neither see nor move money. Your virtual accounts, payments and beneficiaries are on **Payment Gateway**, and what your card was charged on **Billing**.';
  },
};

/** Lists what the others answer, those of the tab first. */
export function helpFor(others: readonly Intent[]): Intent {
  return {
    name: 'help',
    example: '',
    scopes: [],
    matches: [],
    matchesShort: [['help']],
    async *answer({ scope }): Answer {
      const offered = others.filter(({ example }) => example !== '');
      const here = offered.filter(({ scopes }) => scopes.includes(scope));
      const elsewhere = offered.filter(({ scopes }) => !scopes.includes(scope));
      return paragraphs(
        'I am the local responder: rules, not a model. I read what you have here and change nothing. In this tab, ask for example:',
        bullets(here.map(({ example }) => example)),
        'And everywhere:',
        bullets(elsewhere.map(({ example }) => example)),
      );
    },
  };
}
