import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../src/model/id.ts';
import { lead, type LeadershipTimings } from '../../../src/tabs/leadership.ts';
import { eventually } from '../../fixtures/eventually.ts';

const TIMINGS: LeadershipTimings = { askEveryMs: 30, patience: 3, electionMs: 30 };
/** No tab takes the lead from one that answers late on a busy machine: it is only given. */
const PATIENT: LeadershipTimings = { ...TIMINGS, patience: Infinity };

/** A channel of a busy machine, on which a message takes longer than all the patience of a waiting tab. */
class LateChannel extends BroadcastChannel {
  #isClosed = false;

  override postMessage(message: unknown): void {
    const deliver = (): void => (this.#isClosed ? undefined : super.postMessage(message));
    setTimeout(deliver, 3 * TIMINGS.patience * TIMINGS.askEveryMs);
  }

  override close(): void {
    this.#isClosed = true;
    super.close();
  }
}

interface FramePage extends Window {
  lead?: typeof lead;
}

const closing: (() => void)[] = [];
const frames: HTMLIFrameElement[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
  for (const frame of frames.splice(0)) frame.remove();
  vi.unstubAllGlobals();
});

/** A tab that wants the lead: how often it began to lead, and a way to end its task. */
interface Candidate {
  terms: AbortSignal[];
  isLeading(): boolean;
  end(): void;
  result: Promise<string>;
  close(): void;
}

function candidate(name: string, leadIn: typeof lead = lead, timings = TIMINGS): Candidate {
  const abort = new AbortController();
  const terms: AbortSignal[] = [];
  let leading = 0;
  let end: () => void = () => undefined;
  const task = async (term: AbortSignal): Promise<void> => {
    terms.push(term);
    leading += 1;
    await new Promise<void>((resolve) => {
      end = resolve;
      term.addEventListener('abort', () => resolve());
    });
    leading -= 1;
  };
  const result = leadIn(name, abort.signal, task, timings).then(
    () => 'done',
    (error: Error) => error.message,
  );
  const close = (): void => abort.abort(new Error('closed'));
  closing.push(close);
  return { terms, isLeading: () => leading > 0, end: () => end(), result, close };
}

/** Another page: with a lock manager, channels and a visibility of its own. */
async function openFrame(visibility: DocumentVisibilityState): Promise<FramePage> {
  const frame = document.createElement('iframe');
  frames.push(frame);
  frame.srcdoc = `<script type="module">
    import { lead } from '${new URL('../../../src/tabs/leadership.ts', import.meta.url).href}';
    Object.defineProperty(document, 'visibilityState', { value: '${visibility}' });
    window.lead = lead;
  </script>`;
  document.body.append(frame);
  const page = frame.contentWindow as FramePage;
  await eventually(() => expect(page.lead).toBeDefined());
  return page;
}

/** Resolves after a number of questions of waiting tabs. */
function questions(name: string, count: number): Promise<void> {
  const channel = new BroadcastChannel(name);
  let heard = 0;
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }) => {
      if (data === 'ask') heard += 1;
      if (heard < count) return;
      channel.close();
      resolve();
    });
  });
}

describe('one tab leads', () => {
  it('TAB-17: one of several tabs leads, and the next one after it has ended', async () => {
    const name = newId();
    const all = [1, 2, 3].map(() => candidate(name, lead, PATIENT));
    for (let ended = 0; ended < 3; ended += 1) {
      await eventually(() => expect(all.filter((each) => each.isLeading())).toHaveLength(1));
      all.find((each) => each.isLeading())?.end();
      await eventually(() => expect(all.filter((each) => !each.isLeading()).length).toBeGreaterThan(1));
    }
    expect(await Promise.all(all.map((each) => each.result))).toEqual(['done', 'done', 'done']);
    expect(all.map((each) => each.terms.length)).toEqual([1, 1, 1]);
  });

  it('TAB-17: a leader that responds keeps the lead, however long others wait', async () => {
    const name = newId();
    const leader = candidate(name);
    await eventually(() => expect(leader.isLeading()).toBe(true));
    const asked = questions(name, 40);
    const waiting = candidate(name);
    await asked;
    expect(leader.terms.map((term) => term.aborted)).toEqual([false]);
    expect(waiting.terms).toEqual([]);
  });

  it('TAB-17: a leader whose answers arrive late keeps the lead', async () => {
    vi.stubGlobal('BroadcastChannel', LateChannel);
    const name = newId();
    const leader = candidate(name);
    await eventually(() => expect(leader.isLeading()).toBe(true));
    const asked = questions(name, 40);
    const waiting = candidate(name);
    await asked;
    expect(leader.terms.map((term) => term.aborted)).toEqual([false]);
    expect(waiting.terms).toEqual([]);
  });

  it('TAB-18: a leader that does not respond is replaced also where messages arrive late', async () => {
    vi.stubGlobal('BroadcastChannel', LateChannel);
    const name = newId();
    const frozen = new Promise<string>((resolve) => {
      const held = navigator.locks.request(name, async () => new Promise<void>(() => undefined));
      held.catch((error: Error) => resolve(error.name));
    });
    const next = candidate(name);
    await eventually(() => expect(next.isLeading()).toBe(true));
    expect(await frozen).toBe('AbortError');
  });

  it('TAB-17: when the page of the leader dies, a waiting tab leads', async () => {
    const name = newId();
    const page = await openFrame('visible');
    const leader = candidate(name, page.lead);
    await eventually(() => expect(leader.isLeading()).toBe(true));
    const next = candidate(name);
    frames.splice(0).forEach((frame) => frame.remove());
    await eventually(() => expect(next.isLeading()).toBe(true));
  });

  it('TAB-17: errors of the task and the reason of an abort are passed on', async () => {
    const name = newId();
    const failing = lead(name, new AbortController().signal, async () => Promise.reject(new Error('task')));
    await expect(failing).rejects.toThrow('task');
    const leader = candidate(name);
    await eventually(() => expect(leader.isLeading()).toBe(true));
    const waiting = candidate(name);
    waiting.close();
    expect(await waiting.result).toBe('closed');
    leader.close();
    expect(await leader.result).toBe('closed');
    await expect(lead(name, AbortSignal.abort(new Error('early')), async () => undefined)).rejects.toThrow(
      'early',
    );
  });

  it('TAB-18: the lock of a leader that does not respond is stolen', async () => {
    const name = newId();
    let isHeld = false;
    const frozen = navigator.locks.request(name, async () => {
      isHeld = true;
      return new Promise<void>(() => undefined);
    });
    const robbed = frozen.catch((error: Error) => error.name);
    await eventually(() => expect(isHeld).toBe(true));
    const next = candidate(name);
    await eventually(() => expect(next.isLeading()).toBe(true));
    expect(await robbed).toBe('AbortError');
  });

  it('TAB-18: tabs that steal at the same moment lead one after the other', async () => {
    const name = newId();
    const frozen = navigator.locks.request(name, async () => new Promise<void>(() => undefined));
    frozen.catch(() => undefined);
    const all = Array.from({ length: 5 }, () => candidate(name));
    const ended: string[] = [];
    for (const { result } of all) void result.then((how) => ended.push(how));
    await eventually(() => {
      all.find((each) => each.isLeading())?.end();
      expect(ended).toHaveLength(all.length);
    });
    expect(ended).toEqual(all.map(() => 'done'));
  });

  it('TAB-18: a leader whose lock was stolen sees its term end, and can lead again', async () => {
    const name = newId();
    const leader = candidate(name);
    await eventually(() => expect(leader.isLeading()).toBe(true));
    let release: () => void = () => undefined;
    void navigator.locks.request(
      name,
      { steal: true },
      () => new Promise<void>((resolve) => (release = resolve)),
    );
    await eventually(() => expect(leader.terms[0]?.aborted).toBe(true));
    await eventually(() => expect(leader.isLeading()).toBe(false));
    release();
    await eventually(() => expect(leader.terms).toHaveLength(2));
    leader.end();
    expect(await leader.result).toBe('done');
  });

  it('TAB-19: a hidden leader gives way to a visible tab, and waits behind it', async () => {
    const name = newId();
    const hidden = candidate(name, (await openFrame('hidden')).lead, PATIENT);
    await eventually(() => expect(hidden.isLeading()).toBe(true));
    const visible = candidate(name, lead, PATIENT);
    await eventually(() => expect(visible.isLeading()).toBe(true));
    expect(hidden.terms.map((term) => term.aborted)).toEqual([true]);
    visible.end();
    await eventually(() => expect(hidden.terms).toHaveLength(2));
  });

  it('TAB-19: a hidden leader does not give way to a hidden tab, nor a visible one to a visible one', async () => {
    for (const visibility of ['hidden', 'visible'] as const) {
      const name = newId();
      const leader = candidate(name, (await openFrame(visibility)).lead, PATIENT);
      await eventually(() => expect(leader.isLeading()).toBe(true));
      const asked = questions(name, 10);
      const waiting = candidate(name, (await openFrame(visibility)).lead, PATIENT);
      await asked;
      expect(leader.terms.map((term) => term.aborted)).toEqual([false]);
      expect(waiting.terms).toEqual([]);
    }
  });

  it('TAB-20: without Web Locks, tabs agree over the channel', async () => {
    vi.stubGlobal('navigator', {});
    const name = newId();
    const all = [candidate(name), candidate(name)];
    await eventually(() => expect(all.filter((each) => each.isLeading())).toHaveLength(1));
    const asked = questions(name, 20);
    await asked;
    // A leader that could not answer in time, on a busy machine, is replaced: for a moment nobody leads.
    const leader = await eventually(() => {
      const leaders = all.filter((each) => each.isLeading());
      expect(leaders).toHaveLength(1);
      return leaders[0];
    });
    leader?.end();
    await eventually(() => expect(all.find((each) => each !== leader)?.isLeading()).toBe(true));
  });

  it('TAB-20: without locks and channels, or where they are forbidden, the task just runs', async () => {
    const run = vi.fn(async () => undefined);
    const { signal } = new AbortController();
    vi.stubGlobal('navigator', {
      locks: { request: () => Promise.reject(new DOMException('sandboxed', 'SecurityError')) },
    });
    await lead('refused', signal, run);
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('BroadcastChannel', undefined);
    await lead('alone', signal, run);
    expect(run).toHaveBeenCalledTimes(2);
  });
});
