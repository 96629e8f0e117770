import { Section } from './section.tsx';

interface Testimonial {
  quote: string;
  name: string;
  role: string;
  initials: string;
}

const FIRST: Testimonial = {
  quote:
    'A release failed on a Friday evening and no customer saw it. I read the log on Monday, with coffee. That sold me.',
  name: 'Daniel Okafor',
  role: 'Lead engineer, Paperlane',
  initials: 'DO',
};

const OTHERS: Testimonial[] = [
  {
    quote:
      'We moved eleven services off a cloud bill nobody could explain. The whole team deploys now, not just the two who knew how.',
    name: 'Marta Oliveira',
    role: 'CTO, Fernweg Travel',
    initials: 'MO',
  },
  {
    quote:
      'Patient data has to stay on our own premises. Nephos gave us what the big clouds have, on two machines in the basement.',
    name: 'Ingrid Solberg',
    role: 'Head of platform, Nordlys Health',
    initials: 'IS',
  },
];

export function Testimonials() {
  return (
    <Section id="customers" eyebrow="Customers" title="Teams that got their evenings back">
      <div className="grid gap-12 lg:grid-cols-2 lg:gap-16">
        <figure className="flex flex-col justify-between">
          <blockquote className="text-balance font-medium text-xl leading-relaxed tracking-tight sm:text-2xl sm:leading-snug lg:text-3xl">
            “{FIRST.quote}”
          </blockquote>
          <Person {...FIRST} />
        </figure>
        <div className="flex flex-col gap-10">
          {OTHERS.map((testimonial) => (
            <figure key={testimonial.name} className="border-line-strong border-l pl-6 sm:pl-8">
              <blockquote className="text-lg text-muted leading-relaxed">“{testimonial.quote}”</blockquote>
              <Person {...testimonial} />
            </figure>
          ))}
        </div>
      </div>
    </Section>
  );
}

function Person({ name, role, initials }: Testimonial) {
  return (
    <figcaption className="mt-6 flex items-center gap-3">
      <span
        aria-hidden="true"
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent-text text-sm"
      >
        {initials}
      </span>
      <span>
        <span className="block font-medium">{name}</span>
        <span className="block text-muted text-sm">{role}</span>
      </span>
    </figcaption>
  );
}
