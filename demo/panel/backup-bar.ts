import type { Memory, ImportReceipt } from '../../src/index.ts';
import { confirmDialog } from '../page/confirm-dialog.ts';
import { h } from '../page/element.ts';
import { count } from '../page/format.ts';
import { icon } from '../page/icon.ts';

const FILE_NAME = 'mnemora-backup.jsonl';
const ENCRYPTED_FILE_NAME = 'mnemora-backup.bin';

/**
 * Buttons that export the memory to a file, import such a file, rebuild derived data, and forget everything. Where the
 * browser has lost the memory, a note says so until a backup is imported.
 */
export function backupBar(memory: Memory, forgetEverything: () => void): HTMLElement {
  const status = h('p', { class: 'outcome', role: 'status' });
  const file = h('input', {
    type: 'file',
    accept: '.jsonl,.bin,application/x-ndjson,application/octet-stream',
    hidden: true,
    'aria-label': 'Backup file to import',
  });
  const passphrase = h('input', {
    type: 'password',
    autocomplete: 'off',
    placeholder: 'Passphrase of the file (optional, at least 8 characters)',
    'aria-label': 'Passphrase of the backup file',
  });
  const lossText = h('span', {});
  const accept = h('button', { type: 'button', class: 'link-button' }, 'Continue without it');
  const loss = h('p', { class: 'outcome outcome-bad', role: 'note', hidden: true }, lossText, ' ', accept);
  const exportButton = button('save', 'Export');
  const importButton = button('open', 'Import');
  const rebuildButton = button('retry', 'Rebuild');
  rebuildButton.title = 'Rebuilds summaries, entities and facts from the conversations';
  const eraseButton = button('trash', 'Forget everything');
  const buttons = [exportButton, importButton, rebuildButton, eraseButton];

  function say(kind: 'wait' | 'good' | 'bad', text: string): void {
    status.className = `outcome outcome-${kind}`;
    status.textContent = text;
  }

  /** Runs one action at a time and shows its outcome. */
  async function run(doing: string, work: () => Promise<string>): Promise<void> {
    const pressed = document.activeElement;
    for (const each of buttons) each.disabled = true;
    say('wait', doing);
    try {
      say('good', await work());
    } catch (error) {
      say('bad', error instanceof Error ? error.message : String(error));
    } finally {
      for (const each of buttons) each.disabled = false;
      if (document.activeElement === document.body && pressed instanceof HTMLElement) pressed.focus();
    }
  }

  async function showLoss(): Promise<void> {
    const lost = await memory.device.lastLoss();
    loss.hidden = !lost;
    if (!lost) return;
    const until = new Date(lost.lastWriteAt).toLocaleString();
    lossText.textContent = `This browser has lost what was kept here until ${until}. Import a backup to restore it.`;
  }

  const options = (): { passphrase?: string } =>
    passphrase.value === '' ? {} : { passphrase: passphrase.value };

  exportButton.addEventListener('click', () => {
    void run('Writing the file…', async () => {
      const name = passphrase.value === '' ? FILE_NAME : ENCRYPTED_FILE_NAME;
      download(await memory.backup.export(options()), name);
      return `Saved as ${name}.`;
    });
  });
  accept.addEventListener('click', () => {
    void run('Continuing…', async () => {
      await memory.device.acknowledgeLoss();
      await showLoss();
      return 'Continuing without what was lost.';
    });
  });
  importButton.addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    void run('Reading the file…', async () => {
      const outcome = await read(memory, chosen, options());
      await showLoss();
      return outcome;
    }).finally(() => {
      file.value = ''; // allows the same file to be chosen again
    });
  });
  rebuildButton.addEventListener('click', () => {
    void run('Rebuilding facts, entities and summaries…', async () => {
      await memory.backup.rebuild();
      return 'Facts, entities and summaries were rebuilt.';
    });
  });
  eraseButton.addEventListener('click', forgetEverything);
  showLoss().catch(() => undefined); // the memory was closed meanwhile
  const actions = h('div', { class: 'backup-buttons' }, ...buttons, file);
  return h('footer', { class: 'backup' }, loss, actions, passphrase, status);
}

/** Imports a backup. Messages that were forgotten here are restored only if the user agrees. */
async function read(memory: Memory, file: Blob, options: { passphrase?: string }): Promise<string> {
  const receipt = await memory.backup.import(file, options);
  const { stillForgotten = 0 } = receipt;
  if (stillForgotten === 0) return describe(receipt);
  const confirmed = await confirmDialog({
    title: 'Bring back what you had forgotten here?',
    text: `The file contains ${count(stillForgotten, 'message')} that ${stillForgotten === 1 ? 'was' : 'were'} forgotten in this browser.`,
    action: 'Bring back',
  });
  return describe(
    confirmed ? await memory.backup.import(file, { ...options, restoreForgotten: true }) : receipt,
  );
}

const URL_LIFETIME_MS = 60_000;

function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), URL_LIFETIME_MS);
}

function describe(receipt: ImportReceipt): string {
  const { messages, sessions, facts, entities, summaries, vectors, skipped, forgotten } = receipt;
  const added = [
    count(messages, 'message'),
    count(sessions, 'conversation'),
    count(facts, 'fact'),
    entities === 1 ? '1 entity' : `${entities} entities`,
    summaries === 1 ? '1 summary' : `${summaries} summaries`,
    count(vectors, 'embedding'),
  ];
  return [
    `Imported: ${added.join(', ')}.`,
    ...(skipped > 0 ? [`Skipped because they were already here or had been forgotten: ${skipped}.`] : []),
    ...(forgotten > 0 ? [`Forgotten because the file says so: ${count(forgotten, 'message')}.`] : []),
  ].join(' ');
}

function button(image: 'save' | 'open' | 'retry' | 'trash', label: string): HTMLButtonElement {
  return h('button', { type: 'button', class: 'button button-small' }, icon(image), label);
}
