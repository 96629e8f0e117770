import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { reloadAfterUpgrade } from './shell/reload-after-upgrade.ts';
import { fetchSession } from './shell/session.ts';
import './styles/app.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

reloadAfterUpgrade();
createRoot(root).render(
  <StrictMode>
    <App path={window.location.pathname} session={fetchSession()} />
  </StrictMode>,
);
