import { ArrowRight, GitBranch, Laptop, type LucideIcon } from 'lucide-react';
import { SIGNUP_PATH } from '../../lib/account-paths.ts';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Section } from './section.tsx';
import { Window } from './window.tsx';

const PIPELINE = [
  { step: 'Clone', text: 'One branch, at one commit' },
  { step: 'Build', text: 'In a folder of its own' },
  { step: 'Start', text: 'Beside the running version' },
  { step: 'Check', text: 'Until it answers' },
  { step: 'Switch', text: 'And drain the old one' },
];

interface DeployPath {
  icon: LucideIcon;
  title: string;
  text: string;
  window: string;
  lines: string[];
  action: string;
}

const PATHS: DeployPath[] = [
  {
    icon: GitBranch,
    title: 'Deploy via GitHub',
    text: 'Paste the address of your repository and choose a branch. Nephos finds the framework and does the rest.',
    window: 'New Project',
    lines: ['repository  github.com/acme/storefront', 'branch      main', 'framework   nodejs'],
    action: 'Connect a repository',
  },
  {
    icon: Laptop,
    title: 'Deploy from your local computer',
    text: 'Commit in any folder and push it to a Git server on your own network. No account elsewhere is needed.',
    window: '~/storefront',
    lines: ['$ git init', '$ git commit -am "First version"', '$ git push origin main'],
    action: 'Deploy from this computer',
  },
];

export function DeployPaths() {
  return (
    <Section
      id="deploy"
      eyebrow="Deploy"
      title="From GitHub, or from the computer in front of you"
      lead="Two ways in, and the same five steps behind both."
    >
      <Pipeline />
      <div className="mt-16 grid gap-x-4 gap-y-12 lg:grid-cols-2 lg:gap-x-16">
        {PATHS.map(({ icon: Icon, title, text, window, lines, action }) => (
          <article key={title} className="flex min-w-0 flex-col">
            <h3 className="flex items-center gap-3 text-xl tracking-tight">
              <Icon aria-hidden="true" className="size-5 shrink-0 text-accent-text" />
              {title}
            </h3>
            <p className="mt-3 max-w-lg text-lg text-muted">{text}</p>
            <div aria-hidden="true" className="my-8">
              <Window title={window}>
                <pre className="overflow-hidden p-5 text-muted text-sm leading-7">{lines.join('\n')}</pre>
              </Window>
            </div>
            <a href={SIGNUP_PATH} className={buttonStyles({ className: 'mt-auto self-start' })}>
              {action}
              <ArrowRight aria-hidden="true" />
            </a>
          </article>
        ))}
      </div>
    </Section>
  );
}

/** The five steps on one line; below each other where it is narrow. */
function Pipeline() {
  return (
    <ol className="grid gap-y-6 md:grid-cols-5">
      {PIPELINE.map(({ step, text }, index) => (
        <li key={step} className="flex gap-4 md:block">
          <div aria-hidden="true" className="flex items-center max-md:pt-0.5">
            <span className="flex size-7 shrink-0 items-center justify-center rounded-full border border-accent-text bg-accent-soft font-mono text-accent-text text-xs">
              {index + 1}
            </span>
            <span className="h-px grow bg-line-strong max-md:hidden" />
          </div>
          <div className="md:mt-4 md:pr-6">
            <p className="font-medium text-lg">{step}</p>
            <p className="text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
