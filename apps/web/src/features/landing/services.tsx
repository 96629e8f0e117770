import { Boxes, Database, Globe, HardDrive, type LucideIcon, Rocket, Smartphone } from 'lucide-react';
import { Section } from './section.tsx';

interface Service {
  icon: LucideIcon;
  title: string;
  text: string;
  /** How it looks in use. */
  example: string;
}

const SERVICES: Service[] = [
  {
    icon: Rocket,
    title: 'One-click deployments',
    text: 'Build and run from any Git branch, follow the log live, roll back in a second.',
    example: 'https://shop.acme.example',
  },
  {
    icon: Smartphone,
    title: 'Mobile app builder',
    text: 'Gradle, manifest, Info.plist and xcconfig for Android and iOS from a few settings.',
    example: 'com.acme.shop 2.4.0 (118)',
  },
  {
    icon: Database,
    title: 'Managed databases',
    text: 'PostgreSQL, MySQL and MongoDB with a connection string in seconds.',
    example: 'psql postgresql://shop@db/shop',
  },
  {
    icon: Boxes,
    title: 'Container registry',
    text: 'Push and pull private or public images with the client you already have.',
    example: 'docker push acme.example/ada/api',
  },
  {
    icon: HardDrive,
    title: 'Cloud storage',
    text: 'Files with private or public access, typed, sized and ready to download.',
    example: '/uploads/catalogue.pdf  2.31 MB',
  },
  {
    icon: Globe,
    title: 'Managed DNS',
    text: 'An authoritative name server for your domains. A change answers within a second.',
    example: 'dig +short shop.acme.example',
  },
];

export function Services() {
  return (
    <Section
      id="services"
      eyebrow="Services"
      title="Everything an app needs, behind one sign-in"
      lead="Six services that know of each other, so that a database, a domain and a deploy are three clicks and not three vendors."
    >
      <ul className="grid gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {SERVICES.map(({ icon: Icon, title, text, example }) => (
          <li key={title} className="flex flex-col bg-canvas p-6 transition-colors hover:bg-surface sm:p-8">
            <Icon aria-hidden="true" className="size-5 text-accent-text" />
            <h3 className="mt-5 text-lg">{title}</h3>
            <p className="mt-2 text-muted">{text}</p>
            <p className="mt-auto pt-6">
              <code className="block truncate rounded-md border border-line bg-sunken px-3 py-2 text-muted text-xs">
                {example}
              </code>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
