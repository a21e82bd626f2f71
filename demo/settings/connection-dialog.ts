import { h } from '../page/element.ts';
import type { BackgroundWork } from './background-work.ts';
import { type Connection, listModels, PRESETS, testConnection } from './connection.ts';

export interface ConnectionDialog {
  readonly element: HTMLDialogElement;
  /** Opens the dialog with the current connection. */
  open(connection: Connection | undefined): void;
}

/**
 * A dialog that asks for an OpenAI-compatible endpoint and lists background work. `onChange` is called with the chosen
 * connection, or with undefined for "no model".
 */
export function connectionDialog(
  onChange: (connection: Connection | undefined) => void,
  work: BackgroundWork,
): ConnectionDialog {
  const url = h('input', {
    id: 'endpoint-url',
    type: 'url',
    required: true,
    placeholder: 'https://api.example.com/v1',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'endpoint-url-hint',
  });
  const model = h('input', {
    id: 'endpoint-model',
    list: 'endpoint-models',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const models = h('datalist', { id: 'endpoint-models' });
  const apiKey = h('input', {
    id: 'endpoint-key',
    type: 'password',
    autocomplete: 'off',
    'aria-describedby': 'endpoint-key-hint',
  });
  const outcome = h('p', { class: 'outcome', role: 'status' });
  const test = h('button', { type: 'button', class: 'button' }, 'Test connection');
  const disconnect = h('button', { type: 'button', class: 'button button-quiet' }, 'Disconnect');
  const cancel = h('button', { type: 'button', class: 'button' }, 'Cancel');
  const presets = PRESETS.map(({ label, url: address }) =>
    h('button', { type: 'button', class: 'chip', on: { click: () => choose(address) } }, label),
  );
  const form = h(
    'form',
    { method: 'dialog' },
    h(
      'div',
      { class: 'field' },
      h('label', { for: 'endpoint-url' }, 'Address'),
      url,
      h(
        'p',
        { class: 'hint', id: 'endpoint-url-hint' },
        'The base URL of any OpenAI-compatible endpoint, ending in /v1.',
      ),
      h('div', { class: 'presets' }, h('span', { class: 'hint' }, 'On this machine:'), ...presets),
    ),
    h('div', { class: 'field' }, h('label', { for: 'endpoint-model' }, 'Model'), model, models),
    h(
      'div',
      { class: 'field' },
      h('label', { for: 'endpoint-key' }, 'API key'),
      apiKey,
      h(
        'p',
        { class: 'hint', id: 'endpoint-key-hint' },
        'Optional. The key stays in this tab, is sent to this address only, and is deleted when the tab closes.',
      ),
    ),
    outcome,
    h(
      'div',
      { class: 'dialog-actions' },
      disconnect,
      h('span', { class: 'spacer' }),
      test,
      cancel,
      h('button', { type: 'submit', class: 'button button-primary' }, 'Connect'),
    ),
  );
  const element = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': 'connection-title' },
    h('h2', { id: 'connection-title' }, 'Connect a model'),
    h(
      'p',
      { class: 'dialog-lead' },
      'What you write and what the memory recalls for it are sent to the model that you choose here. The model also extracts facts and writes summaries. Nothing else leaves this browser.',
    ),
    form,
    work.element,
  );
  let running: AbortController | undefined;
  /** Origin of the address for which the key was entered; empty if there was no address. */
  let keyOrigin = '';

  const read = (): Connection => ({
    url: url.value.trim(),
    model: model.value.trim(),
    apiKey: apiKey.value.trim(),
  });

  function say(kind: 'wait' | 'good' | 'bad' | '', text: string): void {
    outcome.className = kind === '' ? 'outcome' : `outcome outcome-${kind}`;
    outcome.textContent = text;
  }

  const originOfAddress = (): string => (url.validity.valid ? new URL(url.value).origin : '');

  function bindKey(): void {
    keyOrigin = originOfAddress();
  }

  /** Removes a key that was entered for another origin, so that it is never sent to this one. */
  function dropForeignKey(): void {
    if (keyOrigin !== '' && keyOrigin !== originOfAddress()) apiKey.value = '';
  }

  function choose(address: string): void {
    url.value = address;
    dropForeignKey();
    bindKey();
    say('', '');
    void offerModels(read());
    model.focus();
  }

  async function offerModels(connection: Connection): Promise<void> {
    const names = await listModels(connection, AbortSignal.timeout(MODELS_TIMEOUT_MS));
    if (url.value.trim() !== connection.url) return; // another address was entered meanwhile
    models.replaceChildren(...names.map((name) => h('option', { value: name })));
    if (model.value === '' && names[0] !== undefined) model.value = names[0];
  }

  async function runTest(): Promise<void> {
    if (!form.reportValidity()) return;
    running?.abort();
    const controller = new AbortController();
    running = controller;
    say('wait', 'Waiting for a reply…');
    const connection = read();
    await offerModels(connection);
    try {
      await testConnection({ ...connection, model: read().model }, controller.signal);
      say('good', 'The model answered. You can connect.');
    } catch (error) {
      if (!controller.signal.aborted) say('bad', explain(error, connection));
    }
  }

  url.addEventListener('input', dropForeignKey);
  url.addEventListener('change', bindKey);
  apiKey.addEventListener('input', bindKey);
  test.addEventListener('click', () => void runTest());
  cancel.addEventListener('click', () => element.close());
  disconnect.addEventListener('click', () => {
    element.close();
    onChange(undefined);
  });
  form.addEventListener('submit', () => onChange(read()));
  element.addEventListener('close', () => {
    running?.abort();
    work.setShown(false);
  });

  function open(connection: Connection | undefined): void {
    url.value = connection?.url ?? '';
    model.value = connection?.model ?? '';
    apiKey.value = connection?.apiKey ?? '';
    bindKey();
    disconnect.hidden = connection === undefined;
    say('', '');
    element.showModal();
    work.setShown(true);
    url.focus();
  }

  return { element, open };
}

const MODELS_TIMEOUT_MS = 5000;

function explain(error: unknown, { url }: Connection): string {
  const message = error instanceof Error ? error.message : String(error);
  const isLocal = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])/.test(url);
  const isUnreachable = error instanceof Error && 'code' in error && error.code === 'llm-network';
  if (!isUnreachable) return message;
  return isLocal
    ? `${message} Check that the server is running and accepts requests from this page (for Ollama: OLLAMA_ORIGINS=${location.origin}; in LM Studio: enable CORS).`
    : `${message} Check the address, and that the endpoint accepts requests from web pages (CORS).`;
}
