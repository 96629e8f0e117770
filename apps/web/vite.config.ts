import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkFileNames, chunks } from './scripts/chunks.ts';
import { needs } from './scripts/needs.ts';
import { precompress } from './scripts/precompress.ts';

const API = 'http://127.0.0.1:3000';
const LOGIN_STYLES = 'login.css';

/** Everything the API answers itself. `ws` also carries upgrade requests. */
const proxy = Object.fromEntries(
  ['/api', '/trpc', '/healthz', '/readyz', '/v2', '/git'].map((path) => [
    path,
    { target: API, changeOrigin: false, ws: true },
  ]),
);

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single', semicolons: true }),
    react(),
    tailwindcss(),
    needs(),
    precompress(),
  ],
  server: { proxy },
  // Loaded as a module by a frame, whose origin is nobody's.
  worker: { format: 'es' },
  build: {
    // The content security policy admits fonts and scripts from our own origin only, so nothing becomes a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        main: fileURLToPath(new URL('index.html', import.meta.url)),
        login: fileURLToPath(new URL(`src/styles/${LOGIN_STYLES}`, import.meta.url)),
      },
      output: {
        codeSplitting: chunks,
        chunkFileNames,
        // The server-rendered login page links this one by name.
        assetFileNames: ({ names }) =>
          names.includes(LOGIN_STYLES) ? LOGIN_STYLES : 'assets/[name]-[hash][extname]',
      },
    },
  },
});
