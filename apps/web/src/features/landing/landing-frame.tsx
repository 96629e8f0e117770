import { LOGIN_PATH, SIGNUP_PATH } from '../../lib/account-paths.ts';
import { Logo } from '../../shell/logo.tsx';
import { ThemeToggle } from '../../shell/theme.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';

const SECTIONS = [
  { id: 'why', title: 'Why Nephos' },
  { id: 'services', title: 'Services' },
  { id: 'deploy', title: 'Deploy' },
  { id: 'pricing', title: 'Pricing' },
];

/** `sells`: there is a section of prices; `begin`: what the way to an account is called. */
export function LandingHeader({ sells, begin }: { sells: boolean; begin: string }) {
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
          <a href={SIGNUP_PATH} className={buttonStyles({ variant: 'primary', className: 'max-sm:px-3' })}>
            {begin}
          </a>
        </div>
      </div>
    </header>
  );
}

const COLUMNS = [
  { title: 'Product', links: ['Deployments', 'Container registry', 'Databases', 'Storage', 'DNS'] },
  { title: 'Company', links: ['About', 'Customers', 'Careers', 'Contact'] },
  { title: 'Resources', links: ['Documentation', 'API reference', 'Status', 'Support'] },
  { title: 'Legal', links: ['Privacy', 'Terms', 'Security', 'Compliance'] },
];

export function LandingFooter() {
  return (
    <footer className="border-line border-t bg-surface">
      <div className="mx-auto grid max-w-7xl gap-12 px-5 py-16 sm:px-8 lg:grid-cols-3">
        <div>
          <Logo />
          <p className="mt-4 max-w-64 text-muted">Your own cloud, in one program.</p>
        </div>
        <nav aria-label="Footer" className="grid grid-cols-2 gap-8 sm:grid-cols-4 lg:col-span-2">
          {COLUMNS.map(({ title, links }) => (
            <div key={title}>
              <h2 className="font-medium text-sm">{title}</h2>
              <ul className="mt-3 flex flex-col">
                {links.map((link) => (
                  <li key={link}>
                    <a
                      href={LOGIN_PATH}
                      className="inline-block py-1.5 text-muted transition-colors hover:text-fg hover:underline"
                    >
                      {link}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <p className="mx-auto max-w-7xl px-5 pb-10 text-faint text-sm sm:px-8">© 2026 Nephos</p>
    </footer>
  );
}
