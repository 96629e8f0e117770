import type { Welcome } from '@nephos/contracts';
import { Boxes, Database, Globe, HardDrive, type LucideIcon, Rocket, Smartphone } from 'lucide-react';
import { Section } from './section.tsx';

interface Service {
  icon: LucideIcon;
  title: string;
  text: string;
  /** How it looks in use. */
  example: string;
}

const DATABASES: Readonly<Record<Welcome['databases'][number], { name: string; example: string }>> = {
  postgresql: { name: 'PostgreSQL', example: 'psql "$DATABASE_URL"' },
  mysql: { name: 'MySQL', example: 'mysql://shop:••••@db.example.com/shop' },
  mongodb: { name: 'MongoDB', example: 'mongosh "$DATABASE_URL"' },
  redis: { name: 'Redis', example: 'redis-cli -u "$DATABASE_URL"' },
};

const AND = new Intl.ListFormat('en');

function databases(types: Welcome['databases']): Pick<Service, 'text' | 'example'> {
  const [first] = types;
  if (!first) {
    return {
      text: 'Databases with their own connection strings. This server has no database engine yet.',
      example: DATABASES.postgresql.example,
    };
  }
  const names = AND.format(types.map((type) => DATABASES[type].name));
  return {
    text: `${names} databases, each with its own connection string.`,
    example: DATABASES[first].example,
  };
}

/** What this server has. `host` is where its registry answers. */
function servicesOf(welcome: Welcome, host: string): Service[] {
  return [
    {
      icon: Rocket,
      title: 'One-click deployments',
      text: 'Deploy any branch of a Git repository, public or private, follow the build log live and roll back to an earlier release.',
      example: 'https://github.com/acme/shop',
    },
    {
      icon: Smartphone,
      title: 'Mobile app builder',
      text: 'Generate Gradle, manifest, Info.plist and xcconfig files for your Android and iOS apps.',
      example: 'com.acme.shop 2.4.0 (118)',
    },
    { icon: Database, title: 'Managed databases', ...databases(welcome.databases) },
    {
      icon: Boxes,
      title: 'Container registry',
      text: 'Push and pull public or private images with docker, skopeo or any other OCI client.',
      example: `docker push ${host}/you/api:latest`,
    },
    {
      icon: HardDrive,
      title: 'Cloud storage',
      text: 'Keep files private or share them with a public link.',
      example: '/uploads/catalogue.pdf  2.31 MB',
    },
    {
      icon: Globe,
      title: 'Managed DNS',
      text: welcome.dns
        ? 'An authoritative name server for your domains. Changes take effect within a second.'
        : 'Manage the DNS records of your domains. The name server is turned off on this server.',
      example: 'shop.example.com  A  203.0.113.10',
    },
  ];
}

export function Services({ welcome }: { welcome: Welcome }) {
  return (
    <Section
      id="services"
      eyebrow="Services"
      title="Everything your app needs, in one console"
      lead="Six services that work together, behind one login."
    >
      <ul className="grid grid-cols-1 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {servicesOf(welcome, window.location.host).map(({ icon: Icon, title, text, example }) => (
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
