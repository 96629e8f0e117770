import { Link } from '@tanstack/react-router';
import { CodeBlock } from '../ui/code-block.tsx';

/** Name that the project's repository has among the remotes of a working copy. */
const REMOTE = 'nephos';

/** The commands that deploy a project from one's own computer, with what to log in with. */
export function PushCommands({ url }: { url: string }) {
  return (
    <div className="min-w-0 max-w-full text-left">
      <CodeBlock
        code={`git remote add ${REMOTE} ${url}\ngit push ${REMOTE} HEAD`}
        label="Push commands"
        wrap
      />
      <p className="mt-2 text-muted text-sm">
        Git asks for your email address and, as the password, an{' '}
        <Link
          to="/account"
          hash="tokens"
          className="rounded-sm text-accent-text underline underline-offset-4"
        >
          access token
        </Link>{' '}
        that can write.
      </p>
    </div>
  );
}
