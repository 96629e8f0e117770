import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { watchForMissingParts } from './shell/missing-part.ts';
import { fetchSession } from './shell/session.ts';
import './styles/app.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

watchForMissingParts();
createRoot(root).render(
  <StrictMode>
    <App path={window.location.pathname} session={fetchSession()} />
  </StrictMode>,
);
