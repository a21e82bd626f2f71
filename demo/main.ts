import { createMemory } from '../src/index.ts';
import { startApp } from './app.ts';
import { h } from './element.ts';
import { registerServiceWorker } from './register-service-worker.ts';
import { themeToggle } from './theme.ts';
import { toasts } from './toast.ts';

const notices = toasts();
const theme = themeToggle(); // before the memory opens, so that nothing flashes in the wrong colours
const root = document.getElementById('app') ?? document.body;
const databaseName = new URLSearchParams(location.search).get('database') ?? 'mnemora-demo';

try {
  const memory = await createMemory({
    name: databaseName,
    assetsUrl: new URL('./mnemora-assets/', document.baseURI).href,
  });
  root.append(startApp({ memory, databaseName, notices, theme }));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  root.append(
    h(
      'main',
      { class: 'fatal' },
      h('h1', {}, 'The memory could not be opened'),
      h('p', { role: 'alert' }, message),
    ),
  );
}
registerServiceWorker().catch((error: unknown) => notices.showError(error));
