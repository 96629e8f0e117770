import { LOGIN_PATH } from '../../shell/account-paths.ts';
import { Logo } from '../../shell/logo.tsx';
import { ThemeToggle } from '../../shell/theme-toggle.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';

const SECTIONS = [
  { id: 'why', title: 'Why Nephos' },
  { id: 'services', title: 'Services' },
  { id: 'deploy', title: 'Deploy' },
  { id: 'pricing', title: 'Pricing' },
];

/** `sells`: there is a section of prices. */
export function LandingHeader({ sells }: { sells: boolean }) {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-canvas">
      <div className="mx-auto flex h-16 max-w-7xl items-center gap-2 px-5 sm:gap-3 sm:px-8">
        <a
          href="#top"
          aria-label="Nephos, to the top"
          className="rounded-md max-[23rem]:[&_span>span]:sr-only"
        >
          <Logo />
        </a>
        <nav aria-label="On this page" className="ml-8 hidden lg:block">
          <ul className="flex gap-1">
            {SECTIONS.filter(({ id }) => sells || id !== 'pricing').map(({ id, title }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="rounded-md px-3 py-2 font-medium text-muted transition-colors hover:text-fg"
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <ThemeToggle />
          <a href={LOGIN_PATH} className={buttonStyles({ variant: 'ghost', className: 'max-sm:px-2' })}>
            Log in
          </a>
          <a href={LOGIN_PATH} className={buttonStyles({ variant: 'primary', className: 'max-sm:px-3' })}>
            Start free trial
          </a>
        </div>
      </div>
    </header>
  );
}
