import { type Html, html } from '../../http/html.ts';

interface LoginFrame {
  title: string;
  heading: string;
  lead: string;
  /** Below the heading. */
  content: readonly (Html | false | undefined)[];
  /** Beside all of that, or below it. */
  aside?: Html;
}

/** The page around forms that lead in; works without scripts. */
export function loginFrame({ title, heading, lead, content, aside }: LoginFrame): string {
  return html`<!doctype html>
<html lang="en" class="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Nephos</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/login.css">
<script src="/theme.js"></script>
</head>
<body>
<div class="grid min-h-dvh ${aside && 'lg:grid-cols-2'}">
  <main class="mx-auto flex w-full max-w-md flex-col justify-center gap-6 px-5 py-10">
    <a href="/" class="flex items-center gap-2 self-start rounded-md font-semibold text-lg"><img src="/favicon.svg" alt="" width="28" height="28">Nephos</a>
    <div><h1 class="text-2xl">${heading}</h1><p class="mt-1 text-muted">${lead}</p></div>
    ${content}
  </main>
  ${aside}
</div>
</body>
</html>
`.toString();
}
