type Handlers = { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void };

export interface Properties {
  /** Event listeners by event type. */
  on?: Handlers;
  /** Attributes. `true` sets an empty attribute; `false` and `undefined` omit it. */
  [attribute: string]: string | number | boolean | undefined | Handlers;
}

export type Child = Node | string | undefined;

/** Creates an element. Strings among the children become text, never HTML. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'object') listen(element, value);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

function listen(element: HTMLElement, handlers: Handlers): void {
  for (const [type, handler] of Object.entries(handlers))
    element.addEventListener(type, handler as EventListener);
}
