import { LOGIN_PATH } from '../../shell/account-paths.ts';
import { Logo } from '../../shell/logo.tsx';

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
          <p className="mt-4 max-w-64 text-muted">A cloud of your own, in one program.</p>
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
