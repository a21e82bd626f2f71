import type { Memory, Embedder, ForgetReceipt } from '../src/index.ts';
import { answer } from './answers/answer.ts';
import { banner } from './chat/banner.ts';
import { composer } from './chat/composer.ts';
import { conversationView } from './chat/conversation-view.ts';
import { sessionList } from './chat/session-list.ts';
import type { StreamingView } from './chat/streaming-view.ts';
import { ContextLog } from './context/context-log.ts';
import { contextVersion, contextView } from './context/context-view.ts';
import { lookUpSources, NO_SOURCES, type Sources } from './context/source-lookup.ts';
import { Forgetting } from './memory/forgetting.ts';
import { MessageSessions } from './memory/message-sessions.ts';
import { groupTurns, type Turn, turnInput } from './memory/turns.ts';
import { pageFrame } from './page/frame.ts';
import { newRoute, type Route, readRoute, routeToHash } from './page/route.ts';
import type { Toasts } from './page/toast.ts';
import { memoryPanel } from './panel/memory-panel.ts';
import { searchBox } from './search/search-box.ts';
import { searchMemory } from './search/search-memory.ts';
import { backgroundWork } from './settings/background-work.ts';
import { connectionDialog } from './settings/connection-dialog.ts';
import { connect, type Connection } from './settings/connection.ts';
import { modelStatus } from './settings/model-status.ts';
import { storageStatus } from './settings/storage-status.ts';

export interface AppParts {
  memory: Memory;
  embedder: Embedder;
  databaseName: string;
  connection: Connection | undefined;
  /** State of the app that this one replaces. */
  state: AppState | undefined;
  notices: Toasts;
  theme: HTMLElement;
  /** Called with the chosen model, or undefined for none. The caller replaces this app with a new one. */
  onConnect(connection: Connection | undefined): void;
}

export interface App {
  readonly element: HTMLElement;
  /** Shows the conversation. Call it once the element is in the document. */
  begin(): void;
  /** Stops the running answer and closes the memory. */
  close(): Promise<AppState>;
}

/** What is kept when the app is replaced for another model. */
export interface AppState {
  draft: string;
  isPanelOpen: boolean;
}

interface RunningAnswer {
  sessionId: string;
  input: string;
  turnId?: string;
  view: StreamingView;
  controller: AbortController;
  done: Promise<unknown>;
}

/** Codes of warnings that the settings show beside the background work. */
const BACKGROUND_CODES: readonly string[] = ['learning-failed', 'extraction-rejected', 'summary-refused'];

/** Connects the parts of the page: which conversation is shown, what is being answered, and what each button does. */
export function startApp({ memory, databaseName, connection, notices, ...parts }: AppParts): App {
  const contexts = new ContextLog(databaseName);
  const messageSessions = new MessageSessions(memory);
  const forgetting = new Forgetting(memory, (text) => notices.show('note', text));
  // Read each time, because the address changes before its event arrives.
  const route = (): Route => readRoute(location.hash) ?? { sessionId: memory.sessionId };
  // Puts the conversation into the address, so that a reload returns to it.
  history.replaceState(null, '', routeToHash(route()));
  let shownId: string | undefined;
  let sources: Sources = NO_SOURCES;
  let running: RunningAnswer | undefined;
  let refreshing: Promise<void> | undefined;
  let isStale = false;
  const closing = new AbortController();

  const guard = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => {
      if (!closing.signal.aborted) notices.showError(error);
    });

  const modelNote = banner(() => dialog.open(connection));
  const conversation = conversationView(modelNote.element, {
    useExample: (text) => box.fill(text),
    contextOf(turn) {
      const note = contexts.get(turn.id);
      return (
        note && {
          version: contextVersion(note, sources),
          make: () => contextView(note, sources, route().sessionId),
        }
      );
    },
    forgetMessage: (message) => guard(forgetting.message(message).then(afterForgetting)),
    forgetTurn: (turn) => guard(forgetting.turn(turn).then(afterForgetting)),
    retry: (turn) => guard(retry(turn)),
  });
  const box = composer({
    send: (text) => guard(send(text)),
    stop: () => running?.controller.abort(),
  });
  const sessions = sessionList((session) => {
    guard(
      forgetting.session(session).then((receipt) => {
        if (receipt && session.id === route().sessionId) newChat();
        afterForgetting(receipt);
      }),
    );
  });
  const storage = storageStatus(memory, (text) => notices.show('note', text));
  const work = backgroundWork(memory, guard);
  const dialog = connectionDialog(parts.onConnect, work);
  const panel = memoryPanel({
    memory,
    forgetting,
    notices,
    modelName: modelName(),
    sessionId: () => route().sessionId,
    onForgotten: afterForgetting,
    forgetEverything: () =>
      guard(
        forgetting.everything().then((receipt) => {
          if (!receipt) return;
          contexts.clear();
          newChat();
          afterForgetting(receipt);
        }),
      ),
    onToggle: (isOpen) => frame.setPanelOpen(isOpen),
    openSettings: () => dialog.open(connection),
  });
  const frame = pageFrame(
    {
      search: searchBox({
        search: (query) => searchMemory(memory, messageSessions, query),
        onError: (error) => notices.showError(error),
        onActive: (isActive) => frame.setSearching(isActive),
      }),
      sessions: sessions.element,
      status: [modelStatus(memory, parts.embedder), storage.element],
      theme: parts.theme,
      conversation: conversation.element,
      composer: box.element,
      panel: panel.element,
      panelToggle: panel.toggle,
      toasts: notices.element,
    },
    {
      newChat,
      openConnection: () => dialog.open(connection),
    },
  );
  frame.element.append(dialog.element);

  function modelName(): string | undefined {
    return connection && (connection.model || new URL(connection.url, location.href).host);
  }

  function newChat(): void {
    location.hash = routeToHash(newRoute());
    box.focus();
  }

  /** Shows the current state of the memory. Calls during a refresh share one further refresh. */
  function refresh(): Promise<void> {
    isStale = true;
    refreshing ??= (async () => {
      try {
        while (isStale) {
          isStale = false;
          await draw();
        }
      } finally {
        refreshing = undefined;
      }
    })();
    return refreshing;
  }

  async function draw(): Promise<void> {
    const { sessionId } = route();
    const [list, history] = await Promise.all([memory.sessions(), memory.history({ sessionId })]);
    const titles = new Map(list.map(({ id, title }) => [id, title]));
    const turns = groupTurns(history).filter((turn) => !isRunning(turn, running));
    const notes = turns.flatMap(({ id }) => contexts.get(id) ?? []);
    const found = await lookUpSources(memory, messageSessions, notes, titles);
    if (sessionId !== route().sessionId) return; // another conversation was opened meanwhile and is drawn next
    sources = found;
    sessions.show(list, sessionId);
    frame.setTitle(titles.get(sessionId) || 'New chat');
    const isOther = shownId !== sessionId;
    shownId = sessionId;
    conversation.show(turns, running?.sessionId === sessionId ? running.view : undefined, isOther);
    await Promise.all([storage.refresh(), panel.refresh()]);
  }

  function afterForgetting(receipt: ForgetReceipt | undefined): void {
    if (!receipt) return;
    work.setWarning(undefined); // an endpoint's error may quote what was forgotten
    guard(refresh());
  }

  async function send(input: string): Promise<void> {
    if (running) return;
    const { sessionId } = route();
    const bound = memory.session(sessionId);
    const llm = connection && connect(connection);
    const current: RunningAnswer = {
      sessionId,
      input,
      view: conversation.begin(input),
      controller: new AbortController(),
      done: Promise.resolve(),
    };
    running = current;
    box.setBusy(true);
    frame.announce('Answering…');
    let outcome = '';
    try {
      current.done = answer({
        memory: bound,
        llm,
        input,
        contexts,
        signal: current.controller.signal,
        onToken: (text) => current.view.push(text),
        onContext: (note, turnId) => {
          current.turnId = turnId;
          guard(showContext(current, note));
        },
      });
      await current.done;
    } catch (error) {
      const isCancelled = current.controller.signal.aborted;
      outcome = isCancelled ? 'Answer stopped.' : `The answer failed: ${messageOf(error)}`;
      // Once the turn is stored, it shows the reason itself.
      if (!isCancelled && current.turnId === undefined) notices.showError(error);
    } finally {
      running = undefined;
      box.setBusy(false);
      frame.announce(outcome);
      if (!closing.signal.aborted) await refresh();
    }
  }

  async function showContext(current: RunningAnswer, note: Parameters<typeof contextView>[0]): Promise<void> {
    const found = await lookUpSources(memory, messageSessions, [note], sources.titles);
    current.view.setContext(contextView(note, found, current.sessionId));
  }

  async function retry(turn: Turn): Promise<void> {
    if (running) return;
    const input = turnInput(turn);
    await memory.forget({ turnId: turn.id });
    await refresh();
    if (input !== '') await send(input);
  }

  async function follow(): Promise<void> {
    const { messageId } = route();
    await refresh();
    frame.closeSidebar();
    if (messageId !== undefined) panel.stepAside();
    if (messageId === undefined || conversation.reveal(messageId)) return;
    notices.show('warning', 'This message is no longer in the memory.');
  }

  async function close(): Promise<AppState> {
    const state = { draft: box.draft(), isPanelOpen: panel.isOpen() };
    frame.element.inert = true;
    closing.abort();
    running?.controller.abort();
    await running?.done.catch(() => undefined); // `send` reports the error
    panel.close();
    work.close();
    await memory.close();
    return state;
  }

  function begin(): void {
    const { state } = parts;
    if (state) box.fill(state.draft);
    box.focus(); // at once: nobody's first letters are lost
    guard(
      follow().then(() => {
        if (state?.isPanelOpen) panel.open();
        return memory.device.lastLoss().then((loss) => loss && panel.open());
      }),
    );
  }

  addEventListener('hashchange', () => guard(follow()), { signal: closing.signal });
  memory.addEventListener('change', () => guard(refresh()));
  memory.addEventListener('warning', ({ detail }) => {
    if (BACKGROUND_CODES.includes(detail.code)) work.setWarning(detail.message);
    else notices.show('warning', detail.message);
  });
  frame.setModel(modelName());
  modelNote.setModel(modelName());
  return { element: frame.element, begin, close };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether this turn is being answered. Its id is known only after recall; until then its text identifies it. */
function isRunning(turn: Turn, running: RunningAnswer | undefined): boolean {
  if (running?.turnId !== undefined) return turn.id === running.turnId;
  return running !== undefined && turn.state === 'pending' && turnInput(turn) === running.input;
}
