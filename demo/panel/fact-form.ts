import type { FactChange, MemoryFact } from '../../src/index.ts';
import { sentenceTo } from '../memory/fact-sentence.ts';
import { h } from '../page/element.ts';

const FIELDS = [
  ['subject', 'Who or what'],
  ['predicate', 'Relation'],
  ['object', 'To what'],
] as const;

export interface FactFormActions {
  /** Called with the changed fields. */
  save(change: FactChange): Promise<void>;
  close(): void;
}

/** A form that corrects a fact. It stays open if the correction is refused. */
export function factForm(fact: MemoryFact, actions: FactFormActions): HTMLFormElement {
  const inputs = FIELDS.map(([name, label]) => ({
    name,
    label,
    input: h('input', { value: fact[name], required: true, autocomplete: 'off', 'data-action': name }),
  }));
  const save = h('button', { type: 'submit', class: 'button button-small button-primary' }, 'Save');
  const preview = h('p', { class: 'fact-preview', 'aria-live': 'polite' });
  const form = h(
    'form',
    { class: 'fact-form', method: 'dialog', 'aria-label': 'Correct this fact' },
    ...inputs.map(({ label, input }) => h('label', { class: 'fact-field' }, label, input)),
    preview,
    h(
      'div',
      { class: 'known-actions' },
      h('span', { class: 'spacer' }),
      h(
        'button',
        { type: 'button', class: 'button button-small', on: { click: () => actions.close() } },
        'Cancel',
      ),
      save,
    ),
  );

  /** Previews the sentence that the fields form. */
  function showSentence(): void {
    const [subject = '', predicate = '', object = ''] = inputs.map(({ input }) => input.value.trim());
    preview.textContent = sentenceTo({ subject, predicate, object });
  }

  async function submit(): Promise<void> {
    const change: FactChange = Object.fromEntries(
      inputs.flatMap(({ name, input }) => {
        const value = input.value.trim();
        return value === fact[name] ? [] : [[name, value]];
      }),
    );
    if (Object.keys(change).length === 0) {
      actions.close();
      return;
    }
    save.disabled = true;
    await actions.save(change).finally(() => {
      save.disabled = false;
    });
  }

  form.addEventListener('input', showSentence);
  showSentence();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault(); // prevents the panel from closing
    actions.close();
  });
  return form;
}
