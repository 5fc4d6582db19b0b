import './styles/theme.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/books.css';
import './styles/parts.css';
import './styles/charts.css';
import './styles/drawer.css';
import './styles/needs-you.css';
import './styles/transactions.css';
import './styles/lines.css';
import './styles/import.css';
import './styles/import-lines.css';
import './styles/start.css';
import './styles/lots.css';
import './styles/reports.css';
import './styles/assistant.css';
import './styles/review.css';
import './styles/print.css';
// Notifies every tab, on any page, about changes made in another one.
import './api/changes.ts';
import { render } from 'preact';
import { followNotifications } from './api/live.ts';
import { loadAccount } from './api/session.ts';
import { App } from './app.tsx';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void loadAccount();
followNotifications();
