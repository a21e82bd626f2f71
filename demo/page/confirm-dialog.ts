import { h } from './element.ts';

export interface Question {
  title: string;
  text: string;
  /** Label of the button that confirms. */
  action: string;
  /** Label of an additional checkbox. @default no checkbox */
  option?: string;
  /** @default true */
  isOptionChecked?: boolean;
}

/** Asks for confirmation of something that cannot be undone. Resolves to undefined if the user cancels. */
export function confirmDialog(question: Question): Promise<{ withOption: boolean } | undefined> {
  const option = h('input', { type: 'checkbox', checked: question.isOptionChecked ?? true });
  const cancel = h('button', { type: 'button', class: 'button' }, 'Cancel');
  const go = h('button', { type: 'button', class: 'button button-danger' }, question.action);
  const dialog = h(
    'dialog',
    { class: 'dialog dialog-small', 'aria-labelledby': 'confirm-title', 'aria-describedby': 'confirm-text' },
    h('h2', { id: 'confirm-title' }, question.title),
    h('p', { id: 'confirm-text' }, question.text),
    question.option === undefined ? undefined : h('label', { class: 'check' }, option, question.option),
    h('div', { class: 'dialog-actions' }, cancel, go),
  );
  return new Promise((resolve) => {
    go.addEventListener('click', () => dialog.close('go'));
    cancel.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(
        dialog.returnValue === 'go'
          ? { withOption: question.option !== undefined && option.checked }
          : undefined,
      );
    });
    document.body.append(dialog);
    dialog.showModal();
    cancel.focus();
  });
}
