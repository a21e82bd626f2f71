/** The demo in a window of its own, which a page of the same origin opened and uses as a person does. */
export class DemoWindow {
  /** What the demo wrote to the console as an error or did not handle. */
  readonly errors: string[] = [];
  #window: Window & typeof globalThis = window;

  /** Loads the demo, again if it is open, and waits until a message can be written. */
  async open(address: string): Promise<void> {
    if (this.#window === window) {
      this.#window = (window.open(address, 'demo', 'popup') ?? window) as Window & typeof globalThis;
    } else {
      Object.assign(this.#window, { isOld: true });
      this.#window.location.reload();
    }
    await until(() => this.#window.location.href.startsWith(address) && !('isOld' in this.#window));
    this.#watch(this.#window);
    await until(() => this.#window.document.querySelector('#composer-input'));
  }

  /** Writes a message and waits until it is answered. */
  async say(text: string): Promise<void> {
    const input = this.#window.document.querySelector<HTMLTextAreaElement>('#composer-input');
    if (!input) throw new Error('There is nowhere to write a message.');
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.form?.requestSubmit();
    await until(() => this.messages().includes(text));
  }

  /** Texts of the messages of complete turns, oldest first. */
  messages(): string[] {
    return this.#texts('.turn-complete .message-text');
  }

  /** Sentences of the facts that the memory panel shows, which is opened first. */
  facts(): string[] {
    const toggle = this.#window.document.querySelector<HTMLElement>('.panel-toggle[aria-expanded="false"]');
    toggle?.click();
    return this.#texts('#memory-panel .fact-text');
  }

  /** Forgets a turn and waits until the page no longer shows it. */
  async forget(text: string): Promise<void> {
    const turn = [...this.#window.document.querySelectorAll('.turn')].find((each) =>
      each.textContent.includes(text),
    );
    turn?.querySelector<HTMLButtonElement>('.forget-turn')?.click();
    await until(() => this.#window.document.querySelector('dialog[open] .button-danger'));
    this.#window.document.querySelector<HTMLButtonElement>('dialog[open] .button-danger')?.click();
    await until(() => !this.messages().includes(text));
  }

  #texts(selector: string): string[] {
    return [...this.#window.document.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
  }

  #watch(opened: Window & typeof globalThis): void {
    const note = (...values: unknown[]): void => void this.errors.push(values.map(String).join(' '));
    opened.console.error = note;
    opened.addEventListener('error', ({ message }) => note(message));
    opened.addEventListener('unhandledrejection', ({ reason }) => note(reason));
    opened.document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      note(violatedDirective, blockedURI),
    );
  }
}

/** Resolves when the condition holds. What happens in the other window sends this page no event. */
async function until(condition: () => unknown): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
