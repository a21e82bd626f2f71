import type { Memory, ImportReceipt } from '../../src/index.ts';
import { confirmDialog } from '../page/confirm-dialog.ts';
import { h } from '../page/element.ts';
import { count } from '../page/format.ts';
import { icon } from '../page/icon.ts';

const FILE_NAME = 'mnemora-backup.jsonl';

/** Buttons that export the memory to a file, import such a file, rebuild derived data, and forget everything. */
export function backupBar(memory: Memory, forgetEverything: () => void): HTMLElement {
  const status = h('p', { class: 'outcome', role: 'status' });
  const file = h('input', {
    type: 'file',
    accept: '.jsonl,application/x-ndjson',
    hidden: true,
    'aria-label': 'Backup file to import',
  });
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

  exportButton.addEventListener('click', () => {
    void run('Writing the file…', async () => {
      const blob = await memory.export();
      download(blob);
      return `Saved as ${FILE_NAME}.`;
    });
  });
  importButton.addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    void run('Reading the file…', () => read(memory, chosen)).finally(() => {
      file.value = ''; // allows the same file to be chosen again
    });
  });
  rebuildButton.addEventListener('click', () => {
    void run('Rebuilding facts, entities and summaries…', async () => {
      await memory.rebuild();
      return 'Facts, entities and summaries were rebuilt.';
    });
  });
  eraseButton.addEventListener('click', forgetEverything);
  return h('footer', { class: 'backup' }, h('div', { class: 'backup-buttons' }, ...buttons, file), status);
}

/** Imports a backup. Messages that were forgotten here are restored only if the user agrees. */
async function read(memory: Memory, file: Blob): Promise<string> {
  const receipt = await memory.import(file);
  const { stillForgotten = 0 } = receipt;
  if (stillForgotten === 0) return describe(receipt);
  const confirmed = await confirmDialog({
    title: 'Bring back what you had forgotten here?',
    text: `The file contains ${count(stillForgotten, 'message')} that ${stillForgotten === 1 ? 'was' : 'were'} forgotten in this browser.`,
    action: 'Bring back',
  });
  return describe(confirmed ? await memory.import(file, { restoreForgotten: true }) : receipt);
}

const URL_LIFETIME_MS = 60_000;

function download(blob: Blob): void {
  const address = URL.createObjectURL(blob);
  h('a', { href: address, download: FILE_NAME }).click();
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
