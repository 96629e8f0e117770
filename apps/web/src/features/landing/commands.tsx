import { gitPath } from '@nephos/contracts/constants';
import { Window } from './window.tsx';

/** The one thing in the commands that everybody puts their own in, beside `$TOKEN`: their email address. */
const PERSON = 'you%40example.com';

/** From an empty folder to a running app, for a POSIX shell. `origin` is the console's. */
function commandsFor(origin: string): string[] {
  return [
    "echo '<h1>Hello</h1>' > index.html",
    'git init -b main',
    'git add .',
    'git commit -m "First version"',
    [
      `curl ${origin}/api/projects`,
      '-H "Authorization: Bearer $TOKEN"',
      '-H "Content-Type: application/json"',
      `-d '{"name": "hello", "framework": "static"}'`,
    ].join(' \\\n  '),
    `git push ${origin.replace('//', `//${PERSON}:$TOKEN@`)}${gitPath('hello')} main`,
  ];
}

/** What is typed into a terminal to deploy from there. Each line works as it is printed. */
export function Commands({ origin }: { origin: string }) {
  return (
    <Window title="~/hello">
      <div className="p-5 text-muted text-sm leading-7 max-sm:text-xs max-sm:leading-6">
        {commandsFor(origin).map((command) => (
          <p key={command} className="flex gap-2 font-mono">
            <span aria-hidden="true" className="select-none text-faint">
              $
            </span>
            <code className="min-w-0 whitespace-pre-wrap break-words">{command}</code>
          </p>
        ))}
      </div>
    </Window>
  );
}
